#include "core/base/files/folder_turn.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <utility>

#include "core/base/error.h"

namespace ulp {

namespace fs = std::filesystem;

Result<FolderTurn> FolderTurn::take(const fs::path& folder, std::chrono::milliseconds patience) {
  constexpr auto kPause = std::chrono::milliseconds(5);
  const fs::path opened = folder.empty() ? fs::path(".") : folder;
  FileDescriptor descriptor(::open(opened.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor && errno == EACCES) {
    return FolderTurn(FileDescriptor());  // what may be done there, whoever does it is told
  }
  if (!descriptor) {
    return fail(systemError(opened, "cannot be opened", errno));
  }
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      break;  // a file system without such locks
    }
    if (std::chrono::steady_clock::now() >= end) {
      return fail(ErrorCode::Io,
                  opened.string() +
                      ": another program is changing files of this folder and does not end; try "
                      "again, or look whether an Ulpscope there has stopped");
    }
    std::this_thread::sleep_for(kPause);
  }
  return FolderTurn(std::move(descriptor));
}

}  // namespace ulp
