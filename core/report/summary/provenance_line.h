#pragma once

#include <string>

#include "core/report/model/report.h"

namespace ulp::report {

/// Says where numbers come from, in one line beside a picture or table: model, digest of its
/// weights, input and digest of its tokens, how many samples, tokens, documents and labels, device,
/// date, version. What the report does not say is left out.
[[nodiscard]] std::string provenanceLine(const Report& report);

}  // namespace ulp::report
