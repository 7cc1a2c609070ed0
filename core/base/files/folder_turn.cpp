#include "core/base/files/folder_turn.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/base/error.h"

namespace ulp {

namespace fs = std::filesystem;

Result<FolderTurn> FolderTurn::take(const fs::path& folder, std::chrono::milliseconds patience) {
  constexpr auto kPause = std::chrono::milliseconds(5);
  const fs::path opened = folder.empty() ? fs::path(".") : folder;
  const int descriptor = ::open(opened.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return fail(systemError(opened, "cannot be opened", errno));
  }
  FolderTurn turn(descriptor);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
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
  return turn;
}

FolderTurn::~FolderTurn() {
  if (m_descriptor >= 0) {
    ::close(m_descriptor);
  }
}

FolderTurn::FolderTurn(FolderTurn&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

}  // namespace ulp
