#include "core/base/files/atomic_file.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>

#include "core/base/files/mapped_file.h"

namespace ulp {
namespace {

tl::unexpected<Error> writeError(const std::filesystem::path& path, int number) {
  return fail(ErrorCode::Io,
              path.string() + ": cannot write: " + std::generic_category().message(number));
}

int writeAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(fd) == 0 ? 0 : errno;
}

}  // namespace

Result<> writeFileAtomically(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::path beside = path;
  beside += ".writing";
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) {
    return writeError(path, errno);
  }
  int failure = writeAll(fd, content);
  if (::close(fd) != 0 && failure == 0) {
    failure = errno;
  }
  if (failure == 0 && ::rename(beside.c_str(), path.c_str()) != 0) {
    failure = errno;
  }
  if (failure != 0) {
    ::unlink(beside.c_str());
    return writeError(path, failure);
  }
  return {};
}

Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t limitBytes) {
  const auto file = ULP_TRY(MappedFile::open(path));
  const auto bytes = file->bytes();
  if (bytes.size() > limitBytes) {
    return fail(ErrorCode::InvalidArgument,
                path.string() + ": larger than expected of such a file");
  }
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace ulp
