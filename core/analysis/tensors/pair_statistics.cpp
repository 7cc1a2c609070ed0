#include "core/analysis/tensors/pair_statistics.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "core/analysis/tensors/measured_pair.h"
#include "core/base/threads.h"
#include "core/numerics/scalar_formats.h"
#include "core/numerics/tensor_view.h"

namespace ulp::analysis {
namespace {

constexpr int kBias = 1023;
constexpr int kHighest = 1023;

struct NarrowFormat {
  numerics::ScalarFormat layout;
  std::uint32_t (*encode)(double value);
};
template <numerics::ScalarFormat kLayout>
constexpr NarrowFormat kNarrow{kLayout, numerics::encode<kLayout>};

/// Parallel to kNarrowFormats.
constexpr std::array kLayouts{kNarrow<numerics::kFloat16>,
                              kNarrow<numerics::kBFloat16>,
                              kNarrow<numerics::kFloat8E4M3FN>,
                              kNarrow<numerics::kFloat8E5M2>};
static_assert(kLayouts.size() == kNarrowFormats.size());

constexpr std::size_t kBlockElements = 4096;
constexpr unsigned kMostStatisticsThreads = 8;

Error stopped(const TensorPair& pair) {
  return {ErrorCode::Cancelled, pair.site.name + ": statistics were stopped"};
}

/// A walk through a pair that can be stopped and watched.
struct PairWalk {
  const TensorPair& pair;
  const std::stop_token& stop;
  Progress* progress;

  [[nodiscard]] Result<> bring(std::size_t first, std::size_t count) const {
    return analysis::bring(
        pair,
        {.first = static_cast<std::int64_t>(first), .columns = static_cast<std::int64_t>(count)});
  }
  void passed(std::size_t first, std::size_t count) const {
    PageTrail(pair).passed(static_cast<std::int64_t>(first),
                           static_cast<std::int64_t>(first + count - 1));
    if (progress != nullptr) {
      progress->done += count;
    }
  }
};

/// Every metric of the report, and the worst elements.
Result<> compareAll(const PairWalk& walk, numerics::Moments& moments) {
  numerics::Comparer comparer({.worstCount = kWorstElements});
  const std::size_t count = walk.pair.count();
  for (std::size_t first = 0; first < count; first += kPieceElements) {
    if (walk.stop.stop_requested()) {
      return tl::unexpected(stopped(walk.pair));
    }
    const std::size_t size = std::min(kPieceElements, count - first);
    ULP_TRY(walk.bring(first, size));
    ULP_TRY(comparer.accumulate(moments,
                                pieceOf(walk.pair.reference.view, first, size),
                                pieceOf(walk.pair.variant.view, first, size)));
    walk.passed(first, size);
  }
  return {};
}

/// Elements of both tensors, read a block at a time.
class PairBlocks {
 public:
  explicit PairBlocks(const TensorPair& pair) : m_pair(pair) {}

  /// Calls `visit(a, b)` for the pairs from `first`, at most kBlockElements of them.
  template <class Visit>
  void visit(std::size_t first, std::size_t size, const Visit& visit) {
    const auto start = static_cast<std::int64_t>(first);
    numerics::readElements(m_pair.reference.view, start, 1, {m_reference.data(), size});
    numerics::readElements(m_pair.variant.view, start, 1, {m_variant.data(), size});
    for (std::size_t i = 0; i < size; ++i) {
      visit(m_reference[i], m_variant[i]);
    }
  }

 private:
  const TensorPair& m_pair;
  std::vector<double> m_reference = std::vector<double>(kBlockElements);
  std::vector<double> m_variant = std::vector<double>(kBlockElements);
};

/// Calls `visit(a, b)` for the pairs [first, end). Errors: Cancelled; those of bring().
template <class Visit>
Result<> visitPiece(const PairWalk& walk,
                    PairBlocks& blocks,
                    std::size_t first,
                    std::size_t end,
                    const Visit& visit) {
  ULP_TRY(walk.bring(first, end - first));
  for (std::size_t at = first; at < end; at += kBlockElements) {
    if (walk.stop.stop_requested()) {
      return tl::unexpected(stopped(walk.pair));
    }
    blocks.visit(at, std::min(kBlockElements, end - at), visit);
  }
  walk.passed(first, end - first);
  return {};
}

/// Calls `visit(state, a, b)` for every pair of elements, on one thread for each state.
template <class State, class Visit>
Result<> visitAll(const PairWalk& walk, std::vector<State>& states, Visit visit) {
  const std::size_t count = walk.pair.count();
  std::atomic<std::size_t> next{0};
  std::vector<Result<>> ends(states.size());
  const auto work = [&](std::size_t thread) {
    State& state = states[thread];
    PairBlocks blocks(walk.pair);
    const auto visitPair = [&](double a, double b) { visit(state, a, b); };
    Result<>& end = ends[thread];
    for (std::size_t first = next.fetch_add(kPieceElements); end && first < count;
         first = next.fetch_add(kPieceElements)) {
      end = visitPiece(walk, blocks, first, std::min(first + kPieceElements, count), visitPair);
    }
  };
  ULP_TRY(runOnThreads(states.size(), work));
  if (walk.stop.stop_requested()) {
    return tl::unexpected(stopped(walk.pair));
  }
  for (const Result<>& end : ends) {
    ULP_TRY(end);
  }
  return {};
}

std::size_t threadsForPair(const TensorPair& pair) {
  const std::size_t pieces = (pair.count() + kPieceElements - 1) / kPieceElements;
  return threadsFor(std::min<std::size_t>(pieces, kMostStatisticsThreads));
}

/// What one thread counts by value.
struct Tally {
  ValueBins reference;
  ValueBins variant;
  ValueBins difference;
  FormatCounter referenceFits;
  FormatCounter variantFits;

  void add(double a, double b) {
    reference.add(a);
    variant.add(b);
    referenceFits.add(a);
    variantFits.add(b);
    if (std::isfinite(a) && std::isfinite(b)) {
      difference.add(b - a);
    }
  }
  void add(const Tally& other) {
    reference.add(other.reference);
    variant.add(other.variant);
    difference.add(other.difference);
    referenceFits.add(other.referenceFits);
    variantFits.add(other.variantFits);
  }
};

Result<> countValues(const PairWalk& walk, PairStatistics& result) {
  std::vector<Tally> tallies(threadsForPair(walk.pair));
  ULP_TRY(visitAll(walk, tallies, [](Tally& tally, double a, double b) { tally.add(a, b); }));
  Tally& all = tallies.front();
  for (std::size_t i = 1; i < tallies.size(); ++i) {
    all.add(tallies[i]);
  }
  result.referenceFits = all.referenceFits.fits(all.reference);
  result.variantFits = all.variantFits.fits(all.variant);
  result.reference = std::move(all.reference);
  result.variant = std::move(all.variant);
  result.difference = std::move(all.difference);
  return {};
}

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

Result<> countDensity(const PairWalk& walk, DensityGrid& density) {
  const DensityTable place(density);
  std::vector<std::vector<std::uint64_t>> counts(threadsForPair(walk.pair), density.counts);
  Result<> done =
      visitAll(walk, counts, [&place](std::vector<std::uint64_t>& own, double a, double b) {
        if (std::isfinite(a) && std::isfinite(b)) {
          ++own[place(b) * DensityGrid::kSide + place(a)];
        }
      });
  for (const std::vector<std::uint64_t>& own : counts) {
    std::ranges::transform(own, density.counts, density.counts.begin(), std::plus<>());
  }
  return done;
}

}  // namespace

void ValueBins::add(double value) {
  if (value == 0) {
    ++zeros;
  } else if (std::isfinite(value)) {
    ++counts[binOf(value)];
  } else if (std::isnan(value)) {
    ++nonFinite.nan;
  } else {
    ++(value > 0 ? nonFinite.positiveInfinity : nonFinite.negativeInfinity);
  }
}

void ValueBins::add(const ValueBins& other) {
  std::ranges::transform(counts, other.counts, counts.begin(), std::plus<>());
  zeros += other.zeros;
  nonFinite.nan += other.nonFinite.nan;
  nonFinite.positiveInfinity += other.nonFinite.positiveInfinity;
  nonFinite.negativeInfinity += other.nonFinite.negativeInfinity;
}

std::uint64_t ValueBins::finite() const {
  return std::accumulate(counts.begin(), counts.end(), zeros);
}

std::uint64_t ValueBins::ofExponent(int exponent) const {
  const auto first = static_cast<std::size_t>(exponent + kBias) * kBinsPerOctave;
  std::uint64_t count = 0;
  for (std::size_t bin = first; bin < first + kBinsPerOctave; ++bin) {
    count += counts[bin] + counts[kNegative + bin];
  }
  return count;
}

ValueBins::Exponents ValueBins::exponents() const {
  Exponents found;
  bool isFirst = true;
  for (int exponent = -kBias; exponent <= kHighest; ++exponent) {
    if (ofExponent(exponent) > 0) {
      found.low = isFirst ? exponent : found.low;
      found.high = exponent;
      isFirst = false;
    }
  }
  return found;
}

FormatRange rangeOf(DType narrowFormat) {
  const auto* const place = std::ranges::find(kNarrowFormats, narrowFormat);
  const numerics::ScalarFormat format =
      kLayouts.at(static_cast<std::size_t>(place - kNarrowFormats.begin())).layout;
  // Without infinities the top exponent is one of numbers.
  return {format.minExponent() - format.mantissaBits,
          format.minExponent(),
          format.bias() + (format.hasInfinity ? 0 : 1)};
}

FormatCounter::FormatCounter() : m_fates(ValueBins::kNegative), m_isMixed(ValueBins::kNegative) {
  for (std::size_t f = 0; f < kNarrowFormats.size(); ++f) {
    m_mixed[f].format = kNarrowFormats[f];
    for (std::size_t bin = 0; bin < m_fates.size(); ++bin) {
      const double low = std::max(ValueBins::edgeOf(bin), std::nextafter(0.0, 1.0));
      const double high = std::nextafter(ValueBins::edgeOf(bin + 1), 0.0);
      const Fate fate = fateOf(low, f);
      const bool isUniform = !std::isfinite(high) || fate == fateOf(high, f);
      m_fates[bin][f] = isUniform ? fate : Fate::Mixed;
      m_isMixed[bin] |= isUniform ? 0 : 1;
    }
  }
}

FormatCounter::Fate FormatCounter::fateOf(double magnitude, std::size_t format) {
  const auto& [layout, encode] = kLayouts[format];
  const std::uint32_t code = encode(magnitude);
  if (code == 0) {
    return Fate::Underflow;
  }
  if (code >= layout.overflowPattern()) {
    return Fate::Overflow;
  }
  return code >> layout.mantissaBits == 0 ? Fate::Subnormal : Fate::Normal;
}

void FormatCounter::count(Fate fate, std::uint64_t times, FormatFit& fit) {
  fit.overflow += fate == Fate::Overflow ? times : 0;
  fit.underflow += fate == Fate::Underflow ? times : 0;
  fit.subnormal += fate == Fate::Subnormal ? times : 0;
}

void FormatCounter::addMixed(double value) {
  const Fates& fates = m_fates[ValueBins::binOf(value) % ValueBins::kNegative];
  for (std::size_t f = 0; f < fates.size(); ++f) {
    if (fates[f] == Fate::Mixed) {
      count(fateOf(std::abs(value), f), 1, m_mixed[f]);
    }
  }
}

void FormatCounter::add(const FormatCounter& other) {
  for (std::size_t f = 0; f < m_mixed.size(); ++f) {
    m_mixed[f].overflow += other.m_mixed[f].overflow;
    m_mixed[f].underflow += other.m_mixed[f].underflow;
    m_mixed[f].subnormal += other.m_mixed[f].subnormal;
  }
}

std::array<FormatFit, kNarrowFormats.size()> FormatCounter::fits(const ValueBins& bins) const {
  std::array<FormatFit, kNarrowFormats.size()> fits = m_mixed;
  for (std::size_t bin = 0; bin < m_fates.size(); ++bin) {
    const std::uint64_t times = bins.counts[bin] + bins.counts[ValueBins::kNegative + bin];
    for (std::size_t f = 0; times > 0 && f < fits.size(); ++f) {
      count(m_fates[bin][f], times, fits[f]);
    }
  }
  return fits;
}

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
    progress->total += 3 * pair.count();
  }
  const PairWalk walk{pair, stop, progress};
  ULP_TRY(compareAll(walk, result->moments));
  ULP_TRY(countValues(walk, *result));
  result->density = emptyDensity(*result);
  ULP_TRY(countDensity(walk, result->density));
  ULP_TRY(checkIntact(pair));
  return result;
}

}  // namespace ulp::analysis
