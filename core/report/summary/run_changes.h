#pragma once

#include <string>

#include "core/report/model/report.h"

namespace ulp::report {

/// Says in one line what a run changes: "precision.compute_dtype: bfloat16, …"; for a run of the
/// noise floor that changes no setting, what it measures (floorLabel()).
[[nodiscard]] std::string changesOf(const Run& run);

}  // namespace ulp::report
