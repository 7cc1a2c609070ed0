#pragma once

#include "core/report/contents/export_selection.h"
#include "core/report/tables/data_table.h"

namespace ulp::report {

/// How far each selected variant, and each run of the noise floor, is from the reference in the
/// log-probabilities of the chosen tokens (LogProbabilityError), one row each; without rows: the
/// report does not say.
[[nodiscard]] DataTable logProbabilityData(const Report& report, const ExportSelection& selection);

}  // namespace ulp::report
