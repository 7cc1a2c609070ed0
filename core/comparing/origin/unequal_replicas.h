#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/site.h"
#include "core/base/text/sentence.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// Tensors that the ranks of a side should hold alike, and do not (docs/mapping.md, Ranks).
struct UnequalReplicas {
  bool isBaseline = false;
  std::size_t tensors = 0;   ///< as the ranks recorded them; those that are cut count once
  std::size_t expected = 0;  ///< of these, such as healthy ranks may differ in
  std::string row;           ///< the first in order of execution, of those not expected if any
  std::size_t entry = 0;     ///< of the same, in the side's entries
  Site site;                 ///< of the same
  Sentence difference;       ///< "rank 1: norm 3 instead of 2"

  /// No sign of a fault.
  [[nodiscard]] bool isExpected() const { return expected == tensors; }
  /// A gradient that a sum over the ranks had made equal: it was changed behind it.
  [[nodiscard]] bool isOfSummed() const {
    return !isExpected() && site.pass == Pass::ParameterGradient;
  }
};

/// What is known of a merged unit: from checksums and statistics when it was opened, from elements
/// as far as they have been read since. Nothing: no replica differs.
[[nodiscard]] std::optional<UnequalReplicas> unequalReplicas(const dumps::DumpUnit& unit,
                                                             bool isBaseline);

}  // namespace ulp::analysis
