#pragma once

#include <vector>

#include "core/comparing/origin/culprit.h"
#include "core/comparing/origin/execution_order.h"

namespace ulp::analysis {

/// Those of both sides, by place. What may be recorded otherwise is left out: calls that the other
/// side did not run or of another class, kinds of gradients that it has of no call of the class,
/// and gradients behind which every other one is equal. Forward rows are left out: what a call is
/// given and hands out depends on versions and settings that change no number.
[[nodiscard]] std::vector<MissingRow> missingRows(const PairedCalls& pairs);

/// The first of `missing` as a culprit, which names the others. `missing` is not empty.
[[nodiscard]] Culprit missingCulprit(const PairedCalls& pairs,
                                     const std::vector<MissingRow>& missing);

}  // namespace ulp::analysis
