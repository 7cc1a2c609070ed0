#include "core/comparing/measure/row_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/files/in_pieces.h"
#include "core/base/shape.h"
#include "core/base/undefined.h"
#include "core/comparing/match/row_identity.h"
#include "core/dumps/exporters/torch_statistics.h"
#include "core/dumps/model/checksum.h"
#include "core/dumps/model/tensor_recipe.h"
#include "core/numerics/metrics/metric_math.h"
#include "core/tensors/archive/tensor_parts.h"

namespace ulp::analysis {
namespace {

using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::Statistics;

/// No network computes with numbers whose RMS is above this.
constexpr double kNoResult = 1e30;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

double finiteOr(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? *value : kUndefined;
}

/// What a tool did not write is not another type.
bool isSaidOtherwise(const std::string& baseline, const std::string& candidate) {
  return !baseline.empty() && !candidate.empty() && baseline != candidate;
}

RowDifference begin(const DumpRow& baseline, const DumpRow& candidate) {
  const auto left = elementTypeOf(baseline);
  const auto right = elementTypeOf(candidate);
  return {.isShapeDifferent = squeezed(baseline.shape) != squeezed(candidate.shape),
          .isDTypeDifferent =
              left && right ? left != right : isSaidOtherwise(baseline.dtype, candidate.dtype),
          .roundOff = std::max(roundOffOf(left), roundOffOf(right))};
}

/// The extremes say it of every element. A norm may be infinite of finite elements, where a tool
/// adds up in the format of the tensor.
bool hasNonFinite(const Statistics& statistics) {
  if (statistics.max && statistics.min) {
    return !std::isfinite(*statistics.max) || !std::isfinite(*statistics.min);
  }
  return std::ranges::any_of(statistics.all(), [](const std::optional<double>& number) {
    return number && !std::isfinite(*number);
  });
}

/// Masks of attention are −Inf in some programs and the lowest finite number in others: that is no
/// number regained. Extremes are NaN or infinite because an element is.
NonFiniteChange nonFiniteChangeOf(const Statistics& baseline, const Statistics& candidate) {
  const bool isLost = hasNonFinite(candidate);
  if (isLost != hasNonFinite(baseline)) {
    const bool isOfMask =
        baseline.min == -kInfinite && baseline.max && std::isfinite(*baseline.max);
    return isLost     ? NonFiniteChange::Lost
           : isOfMask ? NonFiniteChange::None
                      : NonFiniteChange::Regained;
  }
  const auto isOther = [](const std::optional<double>& left, const std::optional<double>& right) {
    return left && right && !dumps::isSame(left, right) &&
           !(std::isfinite(*left) && std::isfinite(*right));
  };
  return isOther(baseline.max, candidate.max) || isOther(baseline.min, candidate.min)
             ? NonFiniteChange::OtherKind
             : NonFiniteChange::None;
}

/// A difference of the extremes counts as well: one element that is far off moves no norm.
double statisticsError(const DumpRow& baseline, const DumpRow& candidate) {
  const numerics::TensorStatistics r = statisticsOf(baseline);
  const numerics::TensorStatistics v = statisticsOf(candidate);
  double error = kUndefined;
  for (const double value : {numerics::normRel(r, v),
                             numerics::meanRel(r, v),
                             numerics::extremeRel(r, v.max - r.max),
                             numerics::extremeRel(r, v.min - r.min)}) {
    error = std::fmax(error, value);
  }
  return error;
}

double rmsOf(const DumpRow& row) {
  const numerics::TensorStatistics numbers = statisticsOf(row);
  return numbers.norm / std::sqrt(static_cast<double>(numbers.count));
}

void compareStatistics(const DumpRow& baseline,
                       const DumpRow& candidate,
                       RowDifference& difference) {
  difference.basis = Basis::Statistics;
  difference.isEqual = isSame(baseline.statistics, candidate.statistics);
  difference.baselineRms = rmsOf(baseline);
  difference.candidateRms = rmsOf(candidate);
  const bool isOfNothing = difference.baselineRms == 0 && difference.candidateRms > 0;
  difference.error = difference.isEqual ? 0
                     : isOfNothing      ? std::numeric_limits<double>::infinity()
                                        : statisticsError(baseline, candidate);
  difference.nonFinite = nonFiniteChangeOf(baseline.statistics, candidate.statistics);
}

/// `known` has a checksum, and `other` nothing but elements to make one of.
bool isOneSided(const DumpRow& known, std::string_view kind, const DumpRow& other) {
  const bool isUsable =
      !known.checksum.empty() && (kind == dumps::kCrc32OfBytes || kind == dumps::kXorOfBytes);
  return isUsable && other.checksum.empty() && other.hasElements && elementTypeOf(known) &&
         elementTypeOf(known) == elementTypeOf(other) && isSqueezedSame(known.shape, other.shape);
}

/// The checksum of the elements of a row of `other`, made as that of `known` was.
Result<std::optional<std::string>> madeFor(const DumpRow& known,
                                           std::string_view kind,
                                           const DumpUnit& other,
                                           std::size_t row,
                                           const tensors::Tensor* opened) {
  tensors::Tensor read;
  if (opened == nullptr) {
    read = ULP_TRY(other.read(row));
    opened = &read;
  }
  ULP_TRY(tensors::bringAll(*opened));
  if (opened->view.dtype != elementTypeOf(known)) {
    return std::nullopt;  // decoded into another format than the one that was summed
  }
  return dumps::checksumOf(kind, *opened);
}

}  // namespace

std::string_view toString(Basis basis) {
  constexpr std::array<std::string_view, 5> kNames{
      "nothing", "values", "checksums", "statistics", "elements"};
  return kNames.at(static_cast<std::size_t>(basis));
}

NonFiniteChange nonFiniteChangeOf(const numerics::Moments& moments) {
  // Pairs of which a side is not finite. Those that are the same are counted as equal; all other
  // equal pairs are in the bin of d = 0.
  const std::uint64_t pairs = moments.count - moments.compared;
  if (pairs == 0 || pairs == moments.equal - moments.differenceHistogram[0]) {
    return NonFiniteChange::None;
  }
  if (pairs > moments.reference.total()) {
    return NonFiniteChange::Lost;
  }
  if (pairs <= moments.candidate.total()) {
    return NonFiniteChange::OtherKind;
  }
  const bool isOfMasks = moments.reference.negativeInfinity == moments.reference.total();
  return isOfMasks ? NonFiniteChange::None : NonFiniteChange::Regained;
}

double errorOf(const RowDifference& row) {
  if (row.isEqual) {
    return 0;
  }
  if (row.basis == Basis::Checksums) {
    return std::numeric_limits<double>::infinity();
  }
  return std::isnan(row.error) ? 0 : row.error;
}

std::optional<PlacesApart> placesApart(const DumpRow& left, const DumpRow& right) {
  std::optional<PlacesApart> apart;
  for (std::size_t dim = 0; dim < std::min(left.shape.size(), right.shape.size()); ++dim) {
    const auto [few, many] = std::minmax(left.shape[dim], right.shape[dim]);
    if (few != many && apart) {
      return std::nullopt;
    }
    if (few != many) {
      apart = {.apart = static_cast<double>(many - few), .all = static_cast<double>(many)};
    }
  }
  return left.shape.size() == right.shape.size() ? apart : std::nullopt;
}

double roundOffOf(std::optional<DType> dtype) {
  const FormatLimits* limits = dtype ? formatLimits(toString(*dtype)) : nullptr;
  return limits == nullptr ? 0 : limits->roundOff;
}

numerics::TensorStatistics statisticsOf(const DumpRow& row) {
  return {.max = finiteOr(row.statistics.max),
          .min = finiteOr(row.statistics.min),
          .mean = finiteOr(row.statistics.mean),
          .norm = finiteOr(row.statistics.norm),
          .count = dumps::elementCount(row.shape)};
}

RowDifference differenceOf(const DumpRow& baseline, const DumpRow& candidate, bool hasChecksums) {
  RowDifference difference = begin(baseline, candidate);
  const bool isComparable = !baseline.statistics.isEmpty() && !candidate.statistics.isEmpty();
  if (isComparable && !difference.isShapeDifferent) {
    compareStatistics(baseline, candidate, difference);
  }
  if (hasChecksums && !baseline.checksum.empty() && !candidate.checksum.empty() &&
      baseline.dtype == candidate.dtype) {
    const bool isEqual = baseline.checksum == candidate.checksum && !difference.isShapeDifferent;
    if (difference.basis == Basis::Nothing || isEqual) {
      difference.basis = Basis::Checksums;
      difference.error = isEqual ? 0 : kUndefined;
    }
    difference.isEqual = isEqual;
    return difference;
  }
  if (difference.basis == Basis::Nothing && !(baseline.value.empty() && candidate.value.empty())) {
    // What is said of the baseline in words, torchtitan's L1 norm, are numbers.
    const bool isLost = !baseline.value.empty() && hasNonFinite(candidate.statistics);
    difference.nonFinite = isLost ? NonFiniteChange::Lost : NonFiniteChange::None;
    difference.basis = isLost ? Basis::Statistics : Basis::Values;
    difference.isEqual = baseline.value == candidate.value;
  } else if (difference.basis == Basis::Nothing) {
    // None on both sides.
    difference.isEqual = !isTensor(baseline) && !isTensor(candidate);
  }
  return difference;
}

RowDifference differenceOf(const DumpRow& baseline,
                           const DumpRow& candidate,
                           const numerics::Moments& moments,
                           DType baselineType,
                           DType candidateType) {
  RowDifference difference = begin(baseline, candidate);
  difference.basis = Basis::Elements;
  difference.isShapeDifferent = false;
  difference.isDTypeDifferent = baselineType != candidateType;
  difference.roundOff = std::max(roundOffOf(baselineType), roundOffOf(candidateType));
  difference.isEqual = moments.equal == moments.count;
  difference.error =
      moments.sumSquaredReference == 0
          ? (moments.sumSquaredDifference == 0 ? 0 : std::numeric_limits<double>::infinity())
          : std::sqrt(moments.sumSquaredDifference / moments.sumSquaredReference);
  const auto compared = static_cast<double>(moments.compared);
  difference.baselineRms = std::sqrt(moments.sumSquaredReference / compared);
  difference.candidateRms = std::sqrt(moments.sumSquaredCandidate / compared);
  difference.isMasked = difference.baselineRms > kNoResult;
  difference.nonFinite = nonFiniteChangeOf(moments);
  return difference;
}

Result<std::optional<RowDifference>> differenceByMadeChecksum(const DumpUnit& baseline,
                                                              std::size_t baselineRow,
                                                              const DumpUnit& candidate,
                                                              std::size_t candidateRow,
                                                              const ChecksumKinds& kinds,
                                                              const OpenTensors& opened) {
  const DumpRow& left = baseline.rows[baselineRow];
  const DumpRow& right = candidate.rows[candidateRow];
  const bool isOfBaseline = isOneSided(left, kinds.baseline, right);
  if (!isOfBaseline && !isOneSided(right, kinds.candidate, left)) {
    return std::nullopt;
  }
  auto made = isOfBaseline
                  ? madeFor(left, kinds.baseline, candidate, candidateRow, opened.candidate)
                  : madeFor(right, kinds.candidate, baseline, baselineRow, opened.baseline);
  if (!made) {
    return failWhile(isOfBaseline ? "candidate" : "baseline", std::move(made));
  }
  if (!*made) {
    return std::nullopt;
  }
  DumpRow summed = isOfBaseline ? right : left;
  summed.checksum = **made;
  // Tools spell one format in several ways.
  summed.dtype = isOfBaseline ? left.dtype : right.dtype;
  return isOfBaseline ? differenceOf(left, summed, true) : differenceOf(summed, right, true);
}

Result<std::optional<DumpRow>> withMadeStatistics(const DumpRow& known,
                                                  const DumpUnit& unit,
                                                  std::size_t other) {
  DumpRow made = unit.rows[other];
  const bool isOneSided = !known.statistics.isEmpty() && !known.hasElements &&
                          made.statistics.isEmpty() && made.hasElements;
  if (!isOneSided || !isSqueezedSame(known.shape, made.shape)) {
    return std::nullopt;
  }
  const auto tensor = ULP_TRY(unit.read(other));
  dumps::TorchStatistics statistics(tensor.view);
  const auto add = [&statistics](std::span<const std::byte> piece) { statistics.add(piece); };
  ULP_TRY(tensors::bringAll(tensor));
  ULP_TRY(inPieces(tensor.view.bytes(), tensor.file.get(), add));
  ULP_TRY(tensors::checkIntact(tensor));
  made.statistics = statistics.numbers();
  const DType dtype = elementTypeOf(known).value_or(tensor.view.dtype);
  const auto asWritten = [dtype](const std::optional<double>& said, std::optional<double>& exact) {
    if (said && exact && dumps::roundedTo(dtype, *exact) == *said) {
      exact = said;
    }
  };
  asWritten(known.statistics.mean, made.statistics.mean);
  asWritten(known.statistics.norm, made.statistics.norm);
  return made;
}

}  // namespace ulp::analysis
