#include "core/base/files/file_descriptor.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace ulp {
namespace {

/// The largest piece that is handed to the system at once: it takes no more than 2 GiB.
constexpr std::size_t kPiece = std::size_t{1} << 30;

/// Calls write(bytes) until all are written; it returns how many it took.
template <class Write>
int writePieces(std::span<const std::byte> bytes, const Write& write) {
  while (!bytes.empty()) {
    const ssize_t count = write(bytes.first(std::min(bytes.size(), kPiece)));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return count == 0 ? EIO : errno;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

int FileDescriptor::close() {
  const int fd = std::exchange(m_fd, -1);
  // After EINTR the descriptor is closed all the same.
  return fd < 0 || ::close(fd) == 0 || errno == EINTR ? 0 : errno;
}

int writeAll(int fd, std::span<const std::byte> bytes) {
  return writePieces(bytes, [&](std::span<const std::byte> piece) {
    return ::write(fd, piece.data(), piece.size());
  });
}

int writeAllAt(int fd, std::span<const std::byte> bytes, off_t offset) {
  return writePieces(bytes, [&](std::span<const std::byte> piece) {
    const ssize_t count = ::pwrite(fd, piece.data(), piece.size(), offset);
    offset += std::max<ssize_t>(count, 0);
    return count;
  });
}

}  // namespace ulp
