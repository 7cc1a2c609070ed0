#include "core/base/files/file_in_place.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>

namespace ulp {

Result<FileDescriptor> openInPlace(const std::filesystem::path& path, int flags) {
  // Opening a named pipe would wait for somebody to read from it.
  FileDescriptor file(
      ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0666));
  struct stat status {};
  if (!file && errno == ELOOP) {
    return fail(ErrorCode::InvalidArgument,
                path.string() +
                    ": is a link, and nothing is written to what it leads to; remove it, or "
                    "choose another folder");
  }
  if (!file || ::fstat(file.get(), &status) != 0) {
    return fail(systemError(path, "cannot write", errno));
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::InvalidArgument,
                path.string() + ": is no file; remove it, or choose another folder");
  }
  if (status.st_nlink > 1) {
    return fail(ErrorCode::InvalidArgument,
                path.string() +
                    ": is one file with another of a different name (a hard link), which would "
                    "change with it; put a copy in its place, or choose another folder");
  }
  return file;
}

}  // namespace ulp
