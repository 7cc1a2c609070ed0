#include "core/tensors/formats/hdf5/input_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>

namespace ulp::tensors {

Result<InputFile> InputFile::open(const std::filesystem::path& path) {
  const auto refused = [&path](int number) {
    return fail(number == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                path.string() + ": " + std::generic_category().message(number));
  };
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) {
    return refused(errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::Io, path.string() + ": not a regular file");
  }
  return InputFile(std::move(file),
                   {.device = status.st_dev,
                    .inode = status.st_ino,
                    .size = static_cast<std::uint64_t>(status.st_size),
                    .seconds = status.st_mtim.tv_sec,
                    .nanoseconds = status.st_mtim.tv_nsec});
}

}  // namespace ulp::tensors
