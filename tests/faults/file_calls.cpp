#include "tests/faults/file_calls.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "tests/support/machine/content_of.h"

namespace ulp::test {
namespace {

namespace fs = std::filesystem;
using Kind = FileCall::Kind;

// What stands in for functions of the C library has no object to ask.
std::recursive_mutex& gate() {
  static std::recursive_mutex instance;
  return instance;
}
FileCalls*& recorder() {
  static FileCalls* instance = nullptr;
  return instance;
}

}  // namespace

FileCalls::FileCalls(const fs::path& root) {
  struct stat status {};
  ::stat(root.c_str(), &status);
  m_device = status.st_dev;
  readTree(root, m_next++);
  const std::lock_guard lock(gate());
  recorder() = this;
}

FileCalls::~FileCalls() {
  const std::lock_guard lock(gate());
  recorder() = nullptr;
}

void FileCalls::readTree(const fs::path& path, int number) {
  struct stat status {};
  ::lstat(path.c_str(), &status);
  m_numbers[status.st_ino] = number;
  FileTree::Node node;
  node.isFolder = S_ISDIR(status.st_mode);
  if (!node.isFolder) {
    node.content = std::make_shared<const FileTree::Text>(contentOf(path));
  } else {
    for (const auto& entry : fs::directory_iterator(path)) {
      const int child = m_next++;
      node.entries[entry.path().filename().string()] = child;
      readTree(entry.path(), child);
    }
  }
  m_before.nodes[number] = std::move(node);
}

void FileCalls::fail(std::size_t number, int error, bool isOnce) {
  m_failing = number;
  m_error = error;
  m_isOnce = isOnce;
}

bool FileCalls::isNextToFail() {
  ++m_failable;
  const bool fails =
      m_failing != 0 && (m_isOnce ? m_failable == m_failing : m_failable >= m_failing);
  errno = fails ? m_error : errno;
  return fails;
}

std::optional<FileCalls::Place> FileCalls::placeOf(int folder, const char* path) const {
  fs::path whole(path);
  if (whole.is_relative() && folder != AT_FDCWD) {
    std::error_code failed;
    whole = fs::read_symlink("/proc/self/fd/" + std::to_string(folder), failed) / whole;
  }
  if (!whole.has_filename()) {
    whole = whole.parent_path();
  }
  const fs::path above = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  const int number = nodeAt(AT_FDCWD, above.c_str());
  return number < 0 ? std::nullopt : std::optional(Place{number, whole.filename().string()});
}

int FileCalls::nodeAt(int folder, const char* path) const {
  struct stat status {};
  return ::fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? numberOf(status) : -1;
}

int FileCalls::nodeOf(int fd) const {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? numberOf(status) : -1;
}

int FileCalls::numberOf(const struct stat& status) const {
  const auto found = m_numbers.find(status.st_ino);
  return found == m_numbers.end() || status.st_dev != m_device ? -1 : found->second;
}

void FileCalls::record(FileCall call) {
  // The file system gives the number of what is gone to a new file, here or elsewhere.
  const int gone = call.kind == Kind::Remove   ? call.node
                   : call.kind == Kind::Rename ? call.other
                                               : -1;
  std::erase_if(m_numbers, [gone](const auto& entry) { return entry.second == gone; });
  m_calls.push_back(std::move(call));
}

void FileCalls::made(int folder, const char* path, const Place& place, bool isFolder) {
  struct stat status {};
  ::fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW);
  m_numbers[status.st_ino] = m_next;
  FileCall call{.kind = Kind::Make, .node = m_next++, .isFolder = isFolder};
  call.folder = place.folder;
  call.name = place.name;
  record(std::move(call));
}

namespace {

template <class... Arguments>
long systemCall(long number, Arguments... arguments) {
  return ::syscall(number, arguments...);
}

int openFile(int folder, const char* path, int flags, mode_t mode) {
  const std::lock_guard lock(gate());
  FileCalls* const calls = recorder();
  const auto place = calls != nullptr ? calls->placeOf(folder, path) : std::nullopt;
  const bool isWritten = (flags & O_ACCMODE) != O_RDONLY;
  if (place && isWritten && calls->isNextToFail()) {
    return -1;
  }
  const bool isNew = place && (flags & O_CREAT) != 0 && ::faccessat(folder, path, F_OK, 0) != 0;
  const int fd = static_cast<int>(systemCall(SYS_openat, folder, path, flags, mode));
  if (fd >= 0 && isNew) {
    calls->made(folder, path, *place, false);
  } else if (fd >= 0 && place && (flags & O_TRUNC) != 0) {
    calls->record({.kind = Kind::Resize, .node = calls->nodeOf(fd)});
  }
  return fd;
}

/// Runs a call that may fail, and records it where it changed something.
template <class Call>
long change(FileCalls* calls, const Call& call, FileCall record) {
  if (calls->isNextToFail()) {
    return -1;
  }
  const long result = call();
  if (result >= 0) {
    calls->record(std::move(record));
  }
  return result;
}

ssize_t writeBytes(int fd, const void* bytes, size_t size, off_t at, bool isAppended) {
  const std::lock_guard lock(gate());
  FileCalls* const calls = recorder();
  const int node = calls != nullptr ? calls->nodeOf(fd) : -1;
  const auto write = [&] {
    return isAppended ? systemCall(SYS_write, fd, bytes, size)
                      : systemCall(SYS_pwrite64, fd, bytes, size, at);
  };
  if (node < 0) {
    return write();
  }
  if (calls->isNextToFail()) {
    return -1;
  }
  struct stat status {};
  if (isAppended) {
    at = (::fcntl(fd, F_GETFL) & O_APPEND) != 0 && ::fstat(fd, &status) == 0
             ? status.st_size
             : ::lseek(fd, 0, SEEK_CUR);
  }
  const ssize_t written = write();
  if (written > 0) {
    FileCall call{.kind = Kind::Write, .node = node, .at = static_cast<std::uint64_t>(at)};
    call.bytes.assign(static_cast<const char*>(bytes), static_cast<std::size_t>(written));
    calls->record(std::move(call));
  }
  return written;
}

int syncFile(int fd, long number, Kind kind) {
  const std::lock_guard lock(gate());
  FileCalls* const calls = recorder();
  const int node = calls != nullptr ? calls->nodeOf(fd) : -1;
  // Waiting for the disk changes nothing that a test sees, and takes most of its time.
  return node < 0
             ? static_cast<int>(systemCall(number, fd))
             : static_cast<int>(change(calls, [] { return 0L; }, {.kind = kind, .node = node}));
}

int renameFile(int from, const char* name, int to, const char* toName, unsigned flags) {
  const std::lock_guard lock(gate());
  FileCalls* const calls = recorder();
  const auto rename = [&] { return systemCall(SYS_renameat2, from, name, to, toName, flags); };
  const auto place = calls != nullptr ? calls->placeOf(from, name) : std::nullopt;
  const auto target = calls != nullptr ? calls->placeOf(to, toName) : std::nullopt;
  if (!place || !target) {
    return static_cast<int>(rename());
  }
  FileCall call{.kind = (flags & RENAME_EXCHANGE) != 0 ? Kind::Exchange : Kind::Rename,
                .node = calls->nodeAt(from, name)};
  call.folder = place->folder;
  call.name = place->name;
  call.toFolder = target->folder;
  call.toName = target->name;
  call.other = calls->nodeAt(to, toName);
  return static_cast<int>(change(calls, rename, std::move(call)));
}

/// Removing what is not needed any more is no step that a program stands or falls with.
int removeFile(int folder, const char* path, int flags) {
  const std::lock_guard lock(gate());
  FileCalls* const calls = recorder();
  const auto place = calls != nullptr ? calls->placeOf(folder, path) : std::nullopt;
  FileCall call{.kind = Kind::Remove, .node = place ? calls->nodeAt(folder, path) : -1};
  const int result = static_cast<int>(systemCall(SYS_unlinkat, folder, path, flags));
  if (place && result == 0) {
    call.folder = place->folder;
    call.name = place->name;
    calls->record(std::move(call));
  }
  return result;
}

int makeFolder(int folder, const char* path, mode_t mode) {
  const std::lock_guard lock(gate());
  FileCalls* const calls = recorder();
  const auto place = calls != nullptr ? calls->placeOf(folder, path) : std::nullopt;
  if (place && calls->isNextToFail()) {
    return -1;
  }
  const int result = static_cast<int>(systemCall(SYS_mkdirat, folder, path, mode));
  if (place && result == 0) {
    calls->made(folder, path, *place, true);
  }
  return result;
}

int resizeFile(int fd, off_t size) {
  const std::lock_guard lock(gate());
  FileCalls* const calls = recorder();
  const int node = calls != nullptr ? calls->nodeOf(fd) : -1;
  const auto resize = [&] { return systemCall(SYS_ftruncate, fd, size); };
  return static_cast<int>(
      node < 0
          ? resize()
          : change(calls,
                   resize,
                   {.kind = Kind::Resize, .node = node, .at = static_cast<std::uint64_t>(size)}));
}

int closeFile(int fd) {
  const std::lock_guard lock(gate());
  FileCalls* const calls = recorder();
  const bool isWritten =
      calls != nullptr && calls->nodeOf(fd) >= 0 && (::fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
  const int result = static_cast<int>(systemCall(SYS_close, fd));
  return isWritten && calls->isNextToFail() ? -1 : result;
}

mode_t modeIn(int flags, std::va_list list) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

}  // namespace
}  // namespace ulp::test

// The functions of the C library, for every library of this program.
// NOLINTBEGIN(cert-dcl50-cpp,readability-identifier-naming,readability-inconsistent-*)
#define ULP_OPENS(name)                                      \
  int name(const char* path, int flags, ...) {               \
    std::va_list list;                                       \
    va_start(list, flags);                                   \
    const mode_t mode = ulp::test::modeIn(flags, list);      \
    va_end(list);                                            \
    return ulp::test::openFile(AT_FDCWD, path, flags, mode); \
  }
#define ULP_OPENS_AT(name)                                 \
  int name(int folder, const char* path, int flags, ...) { \
    std::va_list list;                                     \
    va_start(list, flags);                                 \
    const mode_t mode = ulp::test::modeIn(flags, list);    \
    va_end(list);                                          \
    return ulp::test::openFile(folder, path, flags, mode); \
  }
extern "C" {
ULP_OPENS(open)
ULP_OPENS(open64)
ULP_OPENS_AT(openat)
ULP_OPENS_AT(openat64)
ssize_t write(int fd, const void* bytes, size_t size) {
  return ulp::test::writeBytes(fd, bytes, size, 0, true);
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  return ulp::test::writeBytes(fd, bytes, size, at, false);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) {
  return ulp::test::writeBytes(fd, bytes, size, at, false);
}
int fsync(int fd) {
  return ulp::test::syncFile(fd, SYS_fsync, ulp::test::FileCall::Kind::Sync);
}
int fdatasync(int fd) {
  return ulp::test::syncFile(fd, SYS_fdatasync, ulp::test::FileCall::Kind::Sync);
}
int syncfs(int fd) noexcept {
  return ulp::test::syncFile(fd, SYS_syncfs, ulp::test::FileCall::Kind::SyncAll);
}
int rename(const char* name, const char* toName) noexcept {
  return ulp::test::renameFile(AT_FDCWD, name, AT_FDCWD, toName, 0);
}
int renameat(int from, const char* name, int to, const char* toName) noexcept {
  return ulp::test::renameFile(from, name, to, toName, 0);
}
int renameat2(int from, const char* name, int to, const char* toName, unsigned flags) noexcept {
  return ulp::test::renameFile(from, name, to, toName, flags);
}
int unlink(const char* path) noexcept {
  return ulp::test::removeFile(AT_FDCWD, path, 0);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return ulp::test::removeFile(folder, path, flags);
}
int rmdir(const char* path) noexcept {
  return ulp::test::removeFile(AT_FDCWD, path, AT_REMOVEDIR);
}
int remove(const char* path) noexcept {
  const int result = ulp::test::removeFile(AT_FDCWD, path, 0);
  return result != 0 && errno == EISDIR ? ulp::test::removeFile(AT_FDCWD, path, AT_REMOVEDIR)
                                        : result;
}
int mkdir(const char* path, mode_t mode) noexcept {
  return ulp::test::makeFolder(AT_FDCWD, path, mode);
}
int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  return ulp::test::makeFolder(folder, path, mode);
}
int ftruncate(int fd, off_t size) noexcept {
  return ulp::test::resizeFile(fd, size);
}
int ftruncate64(int fd, off64_t size) noexcept {
  return ulp::test::resizeFile(fd, size);
}
int close(int fd) {
  return ulp::test::closeFile(fd);
}
}
// NOLINTEND(cert-dcl50-cpp,readability-identifier-naming,readability-inconsistent-*)
