#pragma once

#include <chrono>
#include <string>

#include "core/compat/comparator.h"

/// What the comparisons of msit have in common.
namespace ulp::compat::msit {

/// That of the request, or now: YYYYmmddHHMMSS, `ahead` of UTC.
[[nodiscard]] std::string timestampOf(const CompareRequest& request, std::chrono::hours ahead);

}  // namespace ulp::compat::msit
