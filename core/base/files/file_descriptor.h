#pragma once

#include <cstddef>
#include <span>
#include <sys/types.h>
#include <utility>

namespace ulp {

/// Owns an open file or folder.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Takes what open() returned; negative: none.
  explicit FileDescriptor(int fd) : m_fd(fd) {}
  ~FileDescriptor() { static_cast<void>(close()); }
  FileDescriptor(FileDescriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  [[nodiscard]] int get() const { return m_fd; }
  explicit operator bool() const { return m_fd >= 0; }
  /// Closes it now. Returns 0, or the errno of a write that failed only here.
  int close();

 private:
  int m_fd = -1;
};

/// Appends all bytes, or writes them from `offset` on. Returns 0 or an errno.
[[nodiscard]] int writeAll(int fd, std::span<const std::byte> bytes);
[[nodiscard]] int writeAllAt(int fd, std::span<const std::byte> bytes, off_t offset);

}  // namespace ulp
