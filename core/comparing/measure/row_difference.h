#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/metrics/metric.h"

namespace ulp::analysis {

/// What two rows were compared by.
enum class Basis : std::uint8_t {
  Nothing,     ///< they have nothing in common to be compared by
  Values,      ///< arguments that are no tensors
  Checksums,   ///< says whether, not how much
  Statistics,  ///< says how much at least: what leaves maximum, minimum, mean and norm alone is
               ///< missed
  Elements     ///< all of them
};
[[nodiscard]] std::string_view toString(Basis basis);

/// How the elements that are not finite differ from the baseline's, place by place.
enum class NonFiniteChange : std::uint8_t {
  None,      ///< they are the same, or there are none
  Lost,      ///< NaN or infinite where the baseline is not
  Regained,  ///< finite where the baseline is NaN or +Inf, and never the other way round
  OtherKind  ///< not finite at the same places: NaN in place of infinity, or another sign
};
/// Of the histogram only the bin of d = 0 is read.
[[nodiscard]] NonFiniteChange nonFiniteChangeOf(const numerics::Moments& moments);

/// How far a tensor of the candidate is from that of the baseline.
struct RowDifference {
  Basis basis = Basis::Nothing;
  /// By the strongest evidence that there is; elements and checksums prove it.
  bool isEqual = false;
  bool isShapeDifferent = false;
  bool isDTypeDifferent = false;
  /// sqrt(sum d² / sum r²), of statistics the least that it can be; NaN: not known, but by isEqual;
  /// infinite: the baseline holds zeros alone.
  double error = std::numeric_limits<double>::quiet_NaN();
  double baselineRms = std::numeric_limits<double>::quiet_NaN();   ///< NaN: not known
  double candidateRms = std::numeric_limits<double>::quiet_NaN();  ///< as baselineRms
  /// Unit round-off of the coarser of the two formats; 0: none is known to round.
  double roundOff = 0;
  /// In statistics, by whether those of a side are all finite.
  NonFiniteChange nonFinite = NonFiniteChange::None;
  /// Of elements: the baseline's are as large as those that stand for infinity behind a mask
  /// (finfo.min of float32 or bfloat16), beside which an error is nothing.
  bool isMasked = false;
  [[nodiscard]] bool isBroken() const { return nonFinite != NonFiniteChange::None; }
  /// The elements differ in value but not as a set of recorded numbers can tell: equal statistics.
  [[nodiscard]] bool mayHide() const { return basis == Basis::Statistics && isEqual; }
};

/// How far a tensor is off; infinite: different, nobody knows how much (checksums, or beside a
/// baseline of zeros).
[[nodiscard]] double errorOf(const RowDifference& row);

/// Places along a dimension.
struct PlacesApart {
  double apart = 0;  ///< how many more the longer one of two tensors has
  double all = 0;    ///< of that one
};
/// Of the only dimension in which the shapes differ; nothing: they are equal, or differ otherwise.
[[nodiscard]] std::optional<PlacesApart> placesApart(const dumps::DumpRow& left,
                                                     const dumps::DumpRow& right);

/// Unit round-off of a format; 0: none is known.
[[nodiscard]] double roundOffOf(std::optional<DType> dtype);
/// Of formats that round every result visibly, as bfloat16 and float16 do.
[[nodiscard]] constexpr bool isCoarse(double roundOff) {
  return roundOff > 0x1p-12;
}
/// What metrics take; NaN where a number was not recorded or is not finite.
[[nodiscard]] numerics::TensorStatistics statisticsOf(const dumps::DumpRow& row);

/// By what was written beside the elements: checksums (only where `hasChecksums`: both sides made
/// them in the same way), then statistics, then values.
[[nodiscard]] RowDifference differenceOf(const dumps::DumpRow& baseline,
                                         const dumps::DumpRow& candidate,
                                         bool hasChecksums);
/// By the elements, whose comparison is `moments`.
[[nodiscard]] RowDifference differenceOf(const dumps::DumpRow& baseline,
                                         const dumps::DumpRow& candidate,
                                         const numerics::Moments& moments,
                                         DType baselineType,
                                         DType candidateType);

/// What the checksums of each side are (Dump::checksumKind); empty: it has none.
struct ChecksumKinds {
  std::string baseline;
  std::string candidate;

  /// Both sides made theirs in the same way.
  [[nodiscard]] bool areEqual() const { return !baseline.empty() && baseline == candidate; }
};

/// Elements of two rows that are at hand; null: they are read where they are needed.
struct OpenTensors {
  const tensors::Tensor* baseline = nullptr;
  const tensors::Tensor* candidate = nullptr;
};

/// Where one row has a checksum and the other has its elements alone, the same checksum is made of
/// these, so that one file is read rather than two, and a dump of checksums can be compared with
/// one of tensors. Nothing: that is not so, the formats differ, or no such checksum can be made.
/// Errors: `baseline: …` or `candidate: …`, those of DumpUnit::read().
[[nodiscard]] Result<std::optional<RowDifference>> differenceByMadeChecksum(
    const dumps::DumpUnit& baseline,
    std::size_t baselineRow,
    const dumps::DumpUnit& candidate,
    std::size_t candidateRow,
    const ChecksumKinds& kinds,
    const OpenTensors& opened = {});

/// Where one row has statistics alone and the other, row `other` of `unit`, its elements alone,
/// that row with the statistics of these: a dump of statistics can be compared with one of tensors.
/// Mean and norm are those of `known` where they are that after rounding to the tensor's own
/// format, in which tools may write them. Nothing: that is not so. Errors: those of
/// DumpUnit::read().
[[nodiscard]] Result<std::optional<dumps::DumpRow>> withMadeStatistics(const dumps::DumpRow& known,
                                                                       const dumps::DumpUnit& unit,
                                                                       std::size_t other);

}  // namespace ulp::analysis
