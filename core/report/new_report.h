#pragma once

#include <filesystem>

#include "core/report/report.h"

namespace ulp::report {

/// saveReport() into a folder that is made where it is missing and holds no report yet. Errors: Io;
/// InvalidArgument, where there is one, which stays as it is.
[[nodiscard]] Result<> saveNewReport(const Report& report, const std::filesystem::path& folder);

}  // namespace ulp::report
