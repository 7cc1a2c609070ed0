#include "core/analysis/pair_statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace ulp::analysis {
namespace {

/// Elements between two looks at the stop token; a multiple of the comparison's own pieces, so that
/// the metrics are those of the report to the last bit.
constexpr std::size_t kPiece = numerics::Comparer::kChunkElements * 16;
constexpr std::size_t kBlock = 4096;

numerics::TensorView pieceOf(const numerics::TensorView& tensor,
                             std::size_t first,
                             std::size_t count) {
  return {static_cast<const std::byte*>(tensor.data) + first * itemSize(tensor.dtype),
          tensor.dtype,
          {static_cast<std::int64_t>(count)}};
}

/// Goes through a pair block by block, and tells pages and progress.
class PairWalk {
 public:
  PairWalk(const TensorPair& pair, const std::stop_token& stop, Progress* progress)
      : m_pair(pair), m_stop(stop), m_progress(progress), m_trail(pair) {}

  /// `visitPiece(first, count)`, which can fail, comes before `visit(reference, variant)` of the
  /// pairs of that piece.
  template <class VisitPiece, class Visit>
  Result<> run(VisitPiece visitPiece, Visit visit) {
    const std::size_t count = m_pair.count();
    for (std::size_t first = 0; first < count; first += kPiece) {
      if (m_stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, m_pair.site.name + ": statistics were stopped");
      }
      const std::size_t size = std::min(kPiece, count - first);
      if (Result<> visited = visitPiece(first, size); !visited) {
        return visited;
      }
      for (std::size_t at = 0; at < size; at += kBlock) {
        visitBlock(first + at, std::min(kBlock, size - at), visit);
      }
      m_trail.passed(static_cast<std::int64_t>(first), static_cast<std::int64_t>(first + size - 1));
      if (m_progress != nullptr) {
        m_progress->done += size;
      }
    }
    return {};
  }

 private:
  template <class Visit>
  void visitBlock(std::size_t first, std::size_t count, Visit visit) {
    const std::span<double> reference(m_reference.data(), count);
    const std::span<double> variant(m_variant.data(), count);
    readElements(m_pair.reference.view, static_cast<std::int64_t>(first), 1, reference);
    readElements(m_pair.variant.view, static_cast<std::int64_t>(first), 1, variant);
    for (std::size_t i = 0; i < count; ++i) {
      visit(reference[i], variant[i]);
    }
  }

  const TensorPair& m_pair;
  std::stop_token m_stop;
  Progress* m_progress;
  PageTrail m_trail;
  std::array<double, kBlock> m_reference{};
  std::array<double, kBlock> m_variant{};
};

double largestOf(const ValueBins& bins) {
  for (std::size_t bin = ValueBins::kNegative; bin-- > 0;) {
    if (bins.counts[bin] + bins.counts[ValueBins::kNegative + bin] > 0) {
      return std::min(ValueBins::edgeOf(bin + 1), std::numeric_limits<double>::max());
    }
  }
  return 0;
}

/// The magnitude below which a quarter of the values lie that are finite and not zero; 0: none are.
double lowerQuartile(const ValueBins& bins) {
  const std::uint64_t quarter = (bins.finite() - bins.zeros + 3) / 4;
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < ValueBins::kNegative; ++bin) {
    seen += bins.counts[bin] + bins.counts[ValueBins::kNegative + bin];
    if (seen > 0 && seen >= quarter) {
      return ValueBins::edgeOf(bin);
    }
  }
  return 0;
}

DensityGrid emptyDensity(const PairStatistics& statistics) {
  DensityGrid grid;
  grid.limit = std::max(largestOf(statistics.reference), largestOf(statistics.variant));
  // The RMS would follow a single outlier, and put everything else into one place.
  const double usual = lowerQuartile(statistics.reference);
  grid.linear = usual > 0 ? usual : grid.limit;
  if (statistics.moments.compared > 0) {
    grid.counts.assign(std::size_t{DensityGrid::kSide} * DensityGrid::kSide, 0);
  }
  return grid;
}

/// The place of a value on the axes of a density, by its highest bits.
class DensityTable {
 public:
  explicit DensityTable(const DensityGrid& grid) : m_places(std::size_t{1} << (64 - kShift)) {
    for (std::size_t i = 0; i < m_places.size(); ++i) {
      const auto value = std::bit_cast<double>(static_cast<std::uint64_t>(i) << kShift);
      const double part = (grid.position(value) + 1) / 2 * DensityGrid::kSide;
      m_places[i] =
          std::isfinite(part)
              ? static_cast<std::uint8_t>(std::clamp<double>(part, 0, DensityGrid::kSide - 1))
              : 0;
    }
  }
  [[nodiscard]] std::size_t operator()(double value) const {
    return m_places[static_cast<std::size_t>(std::bit_cast<std::uint64_t>(value) >> kShift)];
  }

 private:
  static constexpr int kShift = 46;  ///< six bits of the mantissa
  std::vector<std::uint8_t> m_places;
};

Result<> countDensity(PairWalk& walk, DensityGrid& density) {
  const DensityTable place(density);
  return walk.run([](std::size_t, std::size_t) { return Result<>(); },
                  [&density, &place](double a, double b) {
                    if (std::isfinite(a) && std::isfinite(b)) {
                      ++density.counts[place(b) * DensityGrid::kSide + place(a)];
                    }
                  });
}

}  // namespace

double DensityGrid::position(double value) const {
  return limit > 0 ? std::asinh(value / linear) / std::asinh(limit / linear) : 0;
}

double DensityGrid::valueAt(double position) const {
  return limit > 0 ? linear * std::sinh(position * std::asinh(limit / linear)) : 0;
}

Result<PairStatisticsPtr> computePairStatistics(const TensorPair& pair,
                                                const std::stop_token& stop,
                                                Progress* progress) {
  auto result = std::make_shared<PairStatistics>();
  if (progress != nullptr) {
    progress->total += 2 * pair.count();
  }
  numerics::Comparer comparer({.worstCount = kWorstElements});
  FormatCounter reference;
  FormatCounter variant;
  const auto compare = [&](std::size_t first, std::size_t count) {
    return comparer.accumulate(result->moments,
                               pieceOf(pair.reference.view, first, count),
                               pieceOf(pair.variant.view, first, count));
  };
  const auto bin = [&](double a, double b) {
    result->reference.add(a);
    result->variant.add(b);
    reference.add(a);
    variant.add(b);
    if (std::isfinite(a) && std::isfinite(b)) {
      result->difference.add(a - b);
    }
  };
  PairWalk walk(pair, stop, progress);
  if (Result<> done = walk.run(compare, bin); !done) {
    return tl::unexpected(std::move(done.error()));
  }
  result->referenceFits = reference.fits(result->reference);
  result->variantFits = variant.fits(result->variant);
  result->density = emptyDensity(*result);
  if (Result<> done = countDensity(walk, result->density); !done) {
    return tl::unexpected(std::move(done.error()));
  }
  return result;
}

}  // namespace ulp::analysis
