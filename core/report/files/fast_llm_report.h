#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/report/model/report.h"

namespace ulp::report {

/// Whether a text is what Fast-LLM's evaluate_precision calls precision_report.json, of either of
/// its versions: rows by variant, or `scales` and such `variants`.
[[nodiscard]] bool isFastLlmReport(std::string_view text);

/// Its rows as a report: layers, logits and loss under the names that they have in ours, parameters
/// under Fast-LLM's. Its relative error, which has a floor, is rms_rel_regularized here; rms_rel is
/// without it. What it does not say (reference, model, losses of the runs) is empty. Error:
/// CorruptData with line and field.
[[nodiscard]] Result<Report> parseFastLlmReport(std::string_view json, std::string_view origin);

}  // namespace ulp::report
