#pragma once

#include <filesystem>

#include "core/report/model/report.h"

namespace ulp::report {

/// Whether saveNewReport() would put a report there, as far as that can be told without making
/// anything: for whoever computes for hours before. Errors: as there.
[[nodiscard]] Result<> checkNewReport(const std::filesystem::path& folder);

/// saveReport() into a folder that is made where it is missing and holds no report yet. Errors: Io;
/// InvalidArgument, where there is one, or a file is in the way; both stay as they are.
[[nodiscard]] Result<> saveNewReport(const Report& report, const std::filesystem::path& folder);

}  // namespace ulp::report
