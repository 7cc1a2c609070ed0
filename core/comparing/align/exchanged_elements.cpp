#include "core/comparing/align/exchanged_elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "core/numerics/tensor_view.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {
namespace {

/// Dimensions before and behind those that are exchanged: layers, heads and elements of a token.
constexpr std::size_t kOuterSamples = 4;
constexpr std::size_t kInnerSamples = 256;
/// Pairs of places that are looked at.
constexpr std::size_t kPairSamples = 32;
/// At least half of the difference is gone: of its square, this much.
constexpr double kMuchBetter = 4;

/// Places that are spread evenly over `count`, at most `most` of them, and the first.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t step = count / most + (count % most == 0 ? 0 : 1);
  for (std::size_t at = 0; at < count; at += std::max<std::size_t>(step, 1)) {
    places.push_back(at);
  }
  return places;
}

/// Two tensors of the same shape, of which the candidate's may have places (i, j) as (j, i).
class LayoutQuestion {
 public:
  LayoutQuestion(const numerics::TensorView& baseline,
                 const numerics::TensorView& candidate,
                 std::size_t dim)
      : m_baseline(baseline),
        m_candidate(candidate),
        m_side(static_cast<std::size_t>(baseline.shape[dim])) {
    for (std::size_t i = dim + 2; i < baseline.shape.size(); ++i) {
      m_inner *= static_cast<std::size_t>(baseline.shape[i]);
    }
  }

  [[nodiscard]] Told answer() {
    const std::size_t square = m_side * m_side * m_inner;
    const std::size_t outer = square == 0 ? 0 : m_baseline.count() / square;
    for (const std::size_t o : spread(outer, kOuterSamples)) {
      // Above the diagonal, which an exchange leaves alone.
      for (const std::size_t pair : spread(m_side * (m_side - 1) / 2, kPairSamples)) {
        const auto [i, j] = pairOf(pair);
        addPair(o * square + (i * m_side + j) * m_inner, o * square + (j * m_side + i) * m_inner);
      }
    }
    if (m_asTheyAre == 0 && m_exchanged == 0) {
      return Told::NoMatter;
    }
    if (m_exchanged * kMuchBetter < m_asTheyAre) {
      return Told::Exchanged;
    }
    return m_asTheyAre * kMuchBetter < m_exchanged ? Told::AsTheyAre : Told::Nothing;
  }

 private:
  using Samples = std::array<double, kInnerSamples>;

  /// Numbers all pairs i < j, row by row.
  [[nodiscard]] std::pair<std::size_t, std::size_t> pairOf(std::size_t number) const {
    std::size_t i = 0;
    for (std::size_t width = m_side - 1; number >= width; --width) {
      number -= width;
      ++i;
    }
    return {i, i + 1 + number};
  }

  void addPair(std::size_t upper, std::size_t lower) {
    const std::size_t count = std::min(m_inner, kInnerSamples);
    Samples baseline;
    Samples candidateUpper;
    Samples candidateLower;
    read(m_baseline, upper, std::span(baseline).first(count));
    read(m_candidate, upper, std::span(candidateUpper).first(count));
    read(m_candidate, lower, std::span(candidateLower).first(count));
    for (std::size_t k = 0; k < count; ++k) {
      const double asTheyAre = baseline[k] - candidateUpper[k];
      const double exchanged = baseline[k] - candidateLower[k];
      if (std::isfinite(asTheyAre) && std::isfinite(exchanged)) {
        m_asTheyAre += asTheyAre * asTheyAre;
        m_exchanged += exchanged * exchanged;
      }
    }
  }

  static void read(const numerics::TensorView& tensor, std::size_t first, std::span<double> to) {
    numerics::readElements(tensor, static_cast<std::int64_t>(first), 1, to);
  }

  const numerics::TensorView& m_baseline;
  const numerics::TensorView& m_candidate;
  std::size_t m_side;
  std::size_t m_inner = 1;
  double m_asTheyAre = 0;
  double m_exchanged = 0;
};

}  // namespace

Told tellExchanged(const dumps::DumpUnit& baseline,
                   std::size_t row,
                   const dumps::DumpUnit& candidate,
                   std::size_t otherRow,
                   std::size_t dim) {
  const auto& shape = baseline.rows[row].shape;
  const auto left = baseline.read(row);
  const auto right = candidate.read(otherRow);
  if (!left || !right || left->view.shape != shape || right->view.shape != shape) {
    return Told::NoMatter;
  }
  const Told told = LayoutQuestion(left->view, right->view, dim).answer();
  const bool areIntact = tensors::checkIntact(*left) && tensors::checkIntact(*right);
  return areIntact ? told : Told::NoMatter;
}

}  // namespace ulp::analysis
