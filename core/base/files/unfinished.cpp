#include "core/base/files/unfinished.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/base/files/file_descriptor.h"
#include "core/base/text/utf8.h"

namespace ulp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz012345";
constexpr std::size_t kRandomLetters = 12;
/// So that no name has more than the 255 bytes of file systems.
constexpr std::size_t kKeptBytes = 200;

std::string_view shortName(std::string_view name) {
  std::size_t size = std::min(name.size(), kKeptBytes);
  // Not within a character of UTF-8, which some file systems refuse.
  while (size < name.size() && size > 0 && isInsideOfCodePoint(name[size])) {
    --size;
  }
  return name.substr(0, size);
}

std::string randomLetters() {
  std::uint64_t bits = 0;
  // Fewer than 256 bytes come whole, once the system has started.
  while (::getrandom(&bits, sizeof bits, 0) < 0 && errno == EINTR) {
  }
  std::string letters;
  for (std::size_t i = 0; i < kRandomLetters; ++i, bits >>= 5U) {
    letters += kLetters[bits % kLetters.size()];
  }
  return letters;
}

/// Whether a folder holds what a failed replacement put there: the only copy of a user's files.
bool holdsWhatWasReplaced(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(folder / kReplacedName, ignored));
}

}  // namespace

std::string unfinishedName(std::string_view name) {
  return "." + std::string(shortName(name)) + "." + randomLetters() +
         std::string(kUnfinishedSuffix);
}

bool isUnfinishedName(std::string_view entry, std::string_view name) {
  constexpr std::size_t kAdded = 2 + kRandomLetters + kUnfinishedSuffix.size();
  if (entry.size() < kAdded || entry.front() != '.' || !entry.ends_with(kUnfinishedSuffix)) {
    return false;
  }
  const std::size_t size = entry.size() - kAdded;
  const std::string_view letters = entry.substr(size + 2, kRandomLetters);
  return entry[size + 1] == '.' && letters.find_first_not_of(kLetters) == std::string_view::npos &&
         (name.empty() || entry.substr(1, size) == shortName(name));
}

bool markUnfinished(int fd, int folder, const std::string& name) {
  const bool isTaken = ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  return !isTaken && ::faccessat(folder, name.c_str(), F_OK, 0) == 0;
}

void removeUnfinished(const fs::path& folder, std::string_view name) {
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (!isUnfinishedName(entry->path().filename().string(), name)) {
      continue;
    }
    const FileDescriptor opened(
        ::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    const bool isLeft = opened && ::fstat(opened.get(), &status) == 0 &&
                        (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) &&
                        ::flock(opened.get(), LOCK_EX | LOCK_NB) == 0;
    if (isLeft && !(S_ISDIR(status.st_mode) && holdsWhatWasReplaced(entry->path()))) {
      std::error_code ignored;
      fs::remove_all(entry->path(), ignored);
    }
  }
}

}  // namespace ulp
