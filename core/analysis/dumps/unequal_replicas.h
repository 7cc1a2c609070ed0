#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/site.h"
#include "core/dumps/dump.h"

namespace ulp::analysis {

/// Tensors that the ranks of a side should hold alike, and do not (docs/mapping.md, Ranks).
struct UnequalReplicas {
  bool isBaseline = false;
  std::size_t tensors = 0;
  std::string row;         ///< the first of them in order of execution
  Site site;               ///< of the same
  std::string difference;  ///< "rank 1: norm 3 instead of 2"
  /// All of them are gradients of parameters, which data-parallel ranks sum up later.
  bool isOfGradientsAlone = true;
};

/// What is known of a merged unit: from checksums and statistics when it was opened, from elements
/// as far as they have been read since. Nothing: no replica differs.
[[nodiscard]] std::optional<UnequalReplicas> unequalReplicas(const dumps::DumpUnit& unit,
                                                             bool isBaseline);

}  // namespace ulp::analysis
