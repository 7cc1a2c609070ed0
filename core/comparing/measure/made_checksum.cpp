#include "core/comparing/measure/made_checksum.h"

#include "core/base/shape.h"
#include "core/comparing/match/row_identity.h"
#include "core/dumps/model/checksum.h"

namespace ulp::analysis {
namespace {

using dumps::DumpRow;
using dumps::DumpUnit;

/// `known` has a checksum, and `other` nothing but elements to make one of.
bool isOneSided(const DumpRow& known, std::string_view kind, const DumpRow& other) {
  const bool isUsable =
      !known.checksum.empty() && (kind == dumps::kCrc32OfBytes || kind == dumps::kXorOfBytes);
  return isUsable && other.checksum.empty() && other.hasElements && elementTypeOf(known) &&
         elementTypeOf(known) == elementTypeOf(other) && isSqueezedSame(known.shape, other.shape);
}

Result<std::optional<std::string>> madeFor(const DumpRow& known,
                                           std::string_view kind,
                                           const tensors::Tensor& tensor) {
  if (tensor.view.dtype != elementTypeOf(known)) {
    return std::nullopt;  // decoded into another format than the one that was summed
  }
  return dumps::checksumOf(kind, tensor);
}

Result<std::optional<std::string>> madeFor(const DumpRow& known,
                                           std::string_view kind,
                                           const DumpUnit& other,
                                           std::size_t row,
                                           const tensors::Tensor* opened) {
  if (opened != nullptr) {
    return madeFor(known, kind, *opened);
  }
  auto tensor = ULP_TRY(other.read(row));
  return madeFor(known, kind, tensor);
}

}  // namespace

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

}  // namespace ulp::analysis
