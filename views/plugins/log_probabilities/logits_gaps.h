#pragma once

#include <functional>
#include <stop_token>
#include <utility>

#include "core/base/result.h"
#include "views/plugins/log_probabilities/gap_rows.h"

namespace ulp::views {

/// The gap of one run, by its place in data.runs.
using PlacedLogitsGap = std::pair<std::size_t, LogitsGap>;

/// Compares the logits that the runs kept, whole, with those of the baseline; runs without are
/// passed over. `publish` gets each as it is done. Any thread; reads tensors. Errors: of reading
/// them; Cancelled.
[[nodiscard]] Result<> readLogitsGaps(const GapDataPtr& data,
                                      const std::stop_token& stop,
                                      const std::function<void(PlacedLogitsGap)>& publish);

/// Whether some run may have kept its logits: the folder holds tensors, the report has the row.
[[nodiscard]] bool mayHaveLogits(const GapData& data);

}  // namespace ulp::views
