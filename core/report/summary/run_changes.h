#pragma once

#include <string>

#include "core/report/model/report.h"

namespace ulp::report {

/// What a run changes in one line: "precision.compute_dtype: bfloat16, …". Of a run of the noise
/// floor that changes no setting what it measures (floorLabel()).
[[nodiscard]] std::string changesOf(const Run& run);

}  // namespace ulp::report
