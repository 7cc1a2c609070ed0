#include "core/analysis/rules/closeness.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/stop_pace.h"
#include "core/base/undefined.h"
#include "core/numerics/tensor_view.h"
#include "core/remote/captures/host_numbers.h"

namespace ulp::analysis {
namespace {

/// Infinite values are close to themselves alone.
double excessOf(double reference, double variant, double rtol) {
  if (reference == variant) {
    return 0;
  }
  return std::isfinite(reference) && std::isfinite(variant)
             ? std::abs(variant - reference) - rtol * std::abs(reference)
             : kUndefined;
}

enum class Infinities : std::uint8_t { None, Same, Different, Unknown };

/// What the counts say of the places of the elements that are not finite.
Infinities infinitiesOf(const report::Comparison& row) {
  const numerics::NonFiniteCounts& reference = row.referenceNonFinite;
  if (reference.total() == 0 && row.variantNonFinite.total() == 0) {
    return Infinities::None;
  }
  if (reference.nan > 0 || reference != row.variantNonFinite) {
    return Infinities::Different;
  }
  const std::uint64_t finite = row.count - reference.total();
  if (row.compared == 0 && finite > 0) {
    return Infinities::Unknown;  // Counted, and not compared.
  }
  if (row.compared != finite) {
    return Infinities::Different;
  }
  const bool hasOneSign = reference.positiveInfinity == 0 || reference.negativeInfinity == 0;
  return hasOneSign ? Infinities::Same : Infinities::Unknown;
}

/// Nothing: it was stopped.
std::optional<Closeness> readCloseness(const TensorPair& pair,
                                       const Tolerances& tolerances,
                                       const std::stop_token& stop) {
  constexpr std::size_t kBlock = QuantityReader::kBlock;
  std::array<double, kBlock> reference{};
  std::array<double, kBlock> variant{};
  PageTrail trail(pair);
  double excess = 0;
  for (std::size_t first = 0; first < pair.count(); first += kBlock) {
    if (stop.stop_requested()) {
      return std::nullopt;
    }
    const std::size_t count = std::min(kBlock, pair.count() - first);
    const auto start = static_cast<std::int64_t>(first);
    numerics::readElements(pair.reference.view, start, 1, std::span(reference).first(count));
    numerics::readElements(pair.variant.view, start, 1, std::span(variant).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const double one = excessOf(reference.at(i), variant.at(i), tolerances.rtol);
      if (std::isnan(one)) {
        return Closeness{false, kUndefined};
      }
      excess = std::max(excess, one);
    }
    trail.passed(start, start + static_cast<std::int64_t>(count) - 1);
  }
  return Closeness{excess <= tolerances.atol, excess};
}

}  // namespace

bool Tolerances::allow(double reference, double variant) const {
  return excessOf(reference, variant, rtol) <= atol;
}

std::optional<Closeness> closenessOf(const report::Comparison& row,
                                     double maxDiff,
                                     const Tolerances& tolerances) {
  const Infinities infinities = infinitiesOf(row);
  if (infinities == Infinities::Different) {
    return Closeness{false, kUndefined};
  }
  double excess = 0;
  for (const report::WorstPair& pair : row.worst) {
    excess = std::max(excess, excessOf(pair.reference, pair.variant, tolerances.rtol));
  }
  if (excess > tolerances.atol) {
    return Closeness{false, excess};
  }
  // Every element that is not among the worst is off by no more than the least of these.
  const bool isMean = !row.spread.empty() && maxDiff > 0;
  const double rest = row.worst.empty()
                          ? (isMean ? kUndefined : maxDiff)
                          : std::abs(row.worst.back().variant - row.worst.back().reference);
  return infinities != Infinities::Unknown && rest <= tolerances.atol
             ? std::optional(Closeness{true, excess})
             : std::nullopt;
}

std::optional<Closeness> closenessOf(const TensorPair& pair,
                                     const Tolerances& tolerances,
                                     const std::stop_token& stop) {
  const std::array both{&pair.reference, &pair.variant};
  // As bits: JSON has no infinity.
  const json::Object question{{"what", "closeness"},
                              {"rtol", std::bit_cast<std::uint64_t>(tolerances.rtol)},
                              {"atol", std::bit_cast<std::uint64_t>(tolerances.atol)}};
  auto there = remote::numbersThere(both, question, stop);
  std::optional<Closeness> closeness;
  if (there && *there) {
    closeness = Closeness{(*there)->whole() != 0, (*there)->real()};
    closeness = (*there)->checkWhole() ? closeness : std::nullopt;
  } else if (there) {
    closeness = readCloseness(pair, tolerances, stop);
  }
  return closeness && closeness->isClose && pair.isSample() ? std::nullopt : closeness;
}

Result<remote::Numbers> answerCloseness(const json::Value& question,
                                        std::span<const tensors::Tensor> tensors,
                                        const std::stop_token& stop) {
  if (tensors.size() != 2) {
    return fail(ErrorCode::Unsupported, "closeness: not of two tensors");
  }
  const auto pair = ULP_TRY(makeTensorPair({}, tensors[0], tensors[1]));
  const auto number = [&](std::string_view name) {
    return std::bit_cast<double>(question.at(name).integer());
  };
  const auto found = readCloseness(*pair, {.rtol = number("rtol"), .atol = number("atol")}, stop);
  if (!found) {
    return ulp::stopped();
  }
  remote::Numbers numbers;
  numbers.add(std::uint64_t{found->isClose ? 1U : 0U});
  numbers.add(found->excess);
  return numbers;
}

}  // namespace ulp::analysis
