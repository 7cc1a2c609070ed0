#include "core/numerics/comparison/row_errors.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <span>

namespace ulp::numerics {
namespace {

/// Sums that do not wait for each other.
constexpr std::size_t kSums = 8;

/// What a row gives, without waiting for the sum before.
class RowSums {
 public:
  void add(std::size_t lane, double reference, double candidate) {
    const bool isNumber = std::isfinite(candidate);
    const bool both = isNumber && std::isfinite(reference);
    const double difference = both ? candidate - reference : 0;
    const double scale = both ? reference : 0;
    m_difference[lane] += difference * difference;
    m_reference[lane] += scale * scale;
    m_compared[lane] += both ? 1 : 0;
    m_nonFinite[lane] += isNumber ? 0 : 1;
  }

  [[nodiscard]] RowError error() const {
    return {.compared = std::accumulate(m_compared.begin(), m_compared.end(), std::uint64_t{0}),
            .squaredDifference = std::accumulate(m_difference.begin(), m_difference.end(), 0.0),
            .squaredReference = std::accumulate(m_reference.begin(), m_reference.end(), 0.0),
            .nonFinite = std::accumulate(m_nonFinite.begin(), m_nonFinite.end(), std::uint64_t{0})};
  }

 private:
  std::array<double, kSums> m_difference{};
  std::array<double, kSums> m_reference{};
  std::array<std::uint64_t, kSums> m_compared{};
  std::array<std::uint64_t, kSums> m_nonFinite{};
};

RowError errorOf(std::span<const double> reference, std::span<const double> candidate) {
  RowSums sums;
  std::size_t i = 0;
  for (; i + kSums <= reference.size(); i += kSums) {
    for (std::size_t lane = 0; lane < kSums; ++lane) {
      sums.add(lane, reference[i + lane], candidate[i + lane]);
    }
  }
  for (; i < reference.size(); ++i) {
    sums.add(i % kSums, reference[i], candidate[i]);
  }
  return sums.error();
}

}  // namespace

Result<std::vector<RowError>> rowErrors(const TensorView& reference, const TensorView& candidate) {
  if (reference.shape != candidate.shape || reference.shape.empty() || reference.shape.back() < 1) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("rows of shapes [{}] and [{}] cannot be compared",
                            fmt::join(reference.shape, ", "),
                            fmt::join(candidate.shape, ", ")));
  }
  const auto width = static_cast<std::size_t>(reference.shape.back());
  std::vector<double> ofReference(width);
  std::vector<double> ofCandidate(width);
  std::vector<RowError> errors;
  errors.reserve(reference.count() / width);
  for (std::size_t first = 0; first < reference.count(); first += width) {
    readElements(reference, static_cast<std::int64_t>(first), 1, ofReference);
    readElements(candidate, static_cast<std::int64_t>(first), 1, ofCandidate);
    errors.push_back(errorOf(ofReference, ofCandidate));
  }
  return errors;
}

}  // namespace ulp::numerics
