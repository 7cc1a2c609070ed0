#include "app/gui/start/runtime_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ulp::app {
namespace {

namespace fs = std::filesystem;

/// A link is no folder of the user's own: who made it can turn it elsewhere.
bool isClosedToOthers(const fs::path& folder) {
  constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
  struct stat found {};
  return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::geteuid() && (found.st_mode & kOthers) == 0;
}

}  // namespace

Result<fs::path> runtimeFolder() {
  const char* given = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe)
  const fs::path session = given != nullptr ? given : "";
  if (session.is_absolute() && isClosedToOthers(session)) {
    return session;
  }
  std::error_code failed;
  const fs::path temporary = fs::temp_directory_path(failed);
  if (failed) {
    return fail(ErrorCode::Io, "the folder of temporary files: " + failed.message());
  }
  const fs::path own = temporary / ("ulpscope-" + std::to_string(::geteuid()));
  if (::mkdir(own.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return fail(systemError(own, "cannot be made", errno));
  }
  if (!isClosedToOthers(own)) {
    return fail(ErrorCode::Io,
                own.string() +
                    ": is no folder of yours alone, so that no window is looked for there; remove "
                    "it, or set XDG_RUNTIME_DIR");
  }
  return own;
}

}  // namespace ulp::app
