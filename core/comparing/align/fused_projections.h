#pragma once

#include <map>
#include <string>

#include "core/analysis/mapping/site_mapping.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// Why rows of either side have no partner, by their names, where that is known.
struct UnmatchedReasons {
  std::map<std::string, std::string> baseline;
  std::map<std::string, std::string> candidate;
};

struct SplitUnits {
  dumps::DumpUnitPtr baseline;
  dumps::DumpUnitPtr candidate;
  UnmatchedReasons reasons;
};

/// Brings what one unit holds in one tensor and the other in several (q, k and v in qkv_proj; gate
/// and up in gate_up_proj; docs/mapping.md) to the same tensors. Where both sides have elements the
/// fused calls become calls of their parts, whose outputs, output gradients, weights and weight
/// gradients are cut out of the fused ones; the gradients that leave the parts become their sum,
/// which is what leaves the fused call. Where they have statistics alone the parts become one call
/// whose maximum, minimum, mean and norm follow from theirs. Sizes come from the shapes of the
/// parts; what does not add up stays as it is and has a reason. Units without such calls come back
/// as they are. `readsElements`: elements will be read where there are any.
[[nodiscard]] SplitUnits splitFused(const dumps::DumpUnitPtr& baseline,
                                    const dumps::DumpUnitPtr& candidate,
                                    const SiteMapping& mapping,
                                    bool readsElements = true);

}  // namespace ulp::analysis
