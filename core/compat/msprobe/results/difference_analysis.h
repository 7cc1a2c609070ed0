#pragma once

#include <stop_token>

#include "core/base/result.h"
#include "core/compat/comparator.h"

namespace ulp::compat::msprobe {

/// `compare -da` of 26.x: `compare_result_rank{R}_{time}.json` with every row of each process, and
/// `diff_analyze_{time}.json` with the first call of each process whose outputs have a statistic
/// that is off by more than half. Of a step those before the first communication of their process;
/// only where no process has one, and none differs between its communications, those behind the
/// last. The links between ranks that communicate are not followed, and a note says so where that
/// matters. Of several steps each has its files, below `step{N}`. Statistics and tensors (of which
/// the statistics count). Errors: as Comparator::compare.
[[nodiscard]] Result<CompareOutcome> analyzeDifferences(const CompareRequest& request,
                                                        const std::stop_token& stop,
                                                        const dumps::Progress& progress);

}  // namespace ulp::compat::msprobe
