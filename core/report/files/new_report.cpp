#include "core/report/files/new_report.h"

#include <cerrno>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include "core/base/files/folder_turn.h"
#include "core/base/files/folders.h"

namespace ulp::report {
namespace {

namespace fs = std::filesystem;

/// The folder itself, or the nearest above it that exists.
fs::path nearestExisting(const fs::path& folder) {
  std::error_code ignored;
  fs::path there = fs::absolute(folder, ignored);
  while (!fs::exists(there, ignored) && there.has_relative_path()) {
    there = there.parent_path();
  }
  return there;
}

}  // namespace

Result<> checkNewReport(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder / "precision_report.json", ignored)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: holds a report already; choose another folder", folder.string()));
  }
  const fs::path there = nearestExisting(folder);
  if (!fs::is_directory(there, ignored)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: {} is no folder; choose another place for the report",
                            folder.string(),
                            there.string()));
  }
  if (::access(there.c_str(), W_OK | X_OK) != 0) {
    return fail(ErrorCode::Io,
                fmt::format("{}: nothing can be written to {} ({}); choose another place for the "
                            "report",
                            folder.string(),
                            there.string(),
                            std::generic_category().message(errno)));
  }
  return {};
}

Result<> saveNewReport(const Report& report, const fs::path& folder) {
  ULP_TRY(checkNewReport(folder));
  ULP_TRY(makeFolders(folder));
  // Of two programs at once the second finds the report of the first.
  const FolderTurn turn = ULP_TRY(FolderTurn::take(folder));
  ULP_TRY(checkNewReport(folder));
  return saveReport(report, folder);
}

}  // namespace ulp::report
