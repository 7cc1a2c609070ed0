#pragma once

#include "core/analysis/studies/lever_effects.h"
#include "core/analysis/verdict/run_verdict.h"

namespace ulp::analysis {

/// Names the one setting that lowers the error of a run most, among the variants that differ from
/// it in that setting alone: the error of the logits, else of the final norm, and where nothing
/// helps these that of the first layer's gradient. Unknown where no variant differs in one setting.
[[nodiscard]] VerdictPart helpOf(const LeverTable& table, const report::Run& run);

}  // namespace ulp::analysis
