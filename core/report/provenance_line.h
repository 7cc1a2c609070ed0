#pragma once

#include <string>

#include "core/report/report.h"

namespace ulp::report {

/// Where numbers come from, in one line below a picture: model, tokens, device, date, version.
/// What the report does not say is left out.
[[nodiscard]] std::string provenanceLine(const Report& report);

}  // namespace ulp::report
