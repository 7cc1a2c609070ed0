#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/compat/comparator.h"

/// What the comparisons of msit have in common.
namespace ulp::compat::msit {

/// Error: InvalidArgument for an option of another tool.
[[nodiscard]] Result<> checkOptions(const CompareRequest& request, std::string_view tool);

/// That of the request, or now: YYYYmmddHHMMSS, `ahead` of UTC.
[[nodiscard]] std::string timestampOf(const CompareRequest& request, std::chrono::hours ahead);

/// Makes the folder and writes a file into it; gives its path. Error: Io.
[[nodiscard]] Result<std::filesystem::path> writeReport(const CompareRequest& request,
                                                        const std::string& name,
                                                        std::string_view content);

}  // namespace ulp::compat::msit
