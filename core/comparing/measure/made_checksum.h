#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/comparing/measure/row_difference.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

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

}  // namespace ulp::analysis
