#pragma once

#include <string>

#include "core/report/model/report.h"

namespace ulp::report {

/// Says how much input the numbers rest on, as far as the report tells: "1 sample, 2 sequences of
/// 128 tokens, 2 documents, 254 labels", or "3 of 8 samples, …" while it runs. Empty where it says
/// nothing.
[[nodiscard]] std::string inputAmount(const Report& report);

}  // namespace ulp::report
