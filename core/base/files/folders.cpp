#include "core/base/files/folders.h"

#include <cerrno>
#include <fcntl.h>
#include <ranges>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "core/base/files/file_descriptor.h"

namespace ulp {

Result<bool> makeFolders(const std::filesystem::path& folder) {
  constexpr std::string_view kProblem = "cannot make the folder";
  std::error_code ignored;
  std::vector<std::filesystem::path> missing;
  for (std::filesystem::path above = folder;
       !above.empty() && !std::filesystem::is_directory(above, ignored);
       above = above.parent_path()) {
    // What stands before a separator at the end is the same folder.
    if (above.has_filename()) {
      missing.push_back(above);
    }
  }
  bool isNew = false;
  for (const std::filesystem::path& each : missing | std::views::reverse) {
    const int failure = ::mkdir(each.c_str(), 0777) == 0 ? 0 : errno;
    isNew = failure == 0;
    // Another program may make it at the same time.
    if (!isNew && !std::filesystem::is_directory(each, ignored)) {
      return fail(systemError(folder, kProblem, failure == EEXIST ? ENOTDIR : failure));
    }
    const std::filesystem::path above = each.parent_path();
    ULP_TRY(whileDoing(folder.string(), syncFolder(above.empty() ? "." : above)));
  }
  return isNew;
}

FileDescriptor openFolder(const std::filesystem::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return FileDescriptor(opened < 0 && errno == EACCES
                            ? ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)
                            : opened);
}

int syncFolder(int folder) {
  // Some network and FUSE file systems cannot, and have no names of their own to lose. EBADF: it
  // may not be listed.
  const bool isSynced =
      ::fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF;
  return isSynced ? 0 : errno;
}

Result<> syncFolder(const std::filesystem::path& folder) {
  const FileDescriptor opened = openFolder(folder);
  const int failure = opened ? syncFolder(opened.get()) : errno;
  return failure == 0 ? Result<>() : fail(systemError(folder, "cannot write", failure));
}

}  // namespace ulp
