#pragma once

#include "core/analysis/mapping/site_mapping.h"
#include "core/comparing/align/fused_projections.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// Brings weights (and their gradients) that one unit holds of all experts in one tensor,
/// [experts, …] (`experts.gate_up_proj`, `w13_weight`, `w2_weight`), to those that the other one
/// holds expert by expert (`experts.3.gate_proj`), with elements: each expert is cut out, its gate
/// and up taken apart where the other side has both, and transposed where the shapes say so, and,
/// of square matrices, the other tensors of the same experts or the elements of one. What does not
/// add up stays as it is and has a reason; so has what has statistics alone. Units without such
/// tensors (of at most 65536 experts) come back as they are.
[[nodiscard]] SplitUnits splitExperts(const dumps::DumpUnitPtr& baseline,
                                      const dumps::DumpUnitPtr& candidate,
                                      const SiteMapping& mapping);

}  // namespace ulp::analysis
