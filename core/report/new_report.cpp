#include "core/report/new_report.h"

#include <fmt/format.h>
#include <system_error>

namespace ulp::report {

Result<> saveNewReport(const Report& report, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return fail(ErrorCode::Io, fmt::format("{}: {}", folder.string(), failed.message()));
  }
  if (std::filesystem::exists(folder / "precision_report.json", failed)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: holds a report already; choose another folder", folder.string()));
  }
  return saveReport(report, folder);
}

}  // namespace ulp::report
