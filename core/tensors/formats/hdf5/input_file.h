#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"

namespace ulp::tensors {

/// Which file it is, and in which state: what was found out of a file holds only for another look
/// at the same.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t seconds = 0;  ///< when it was last written
  std::int64_t nanoseconds = 0;

  bool operator==(const FileIdentity&) const = default;
  /// Maybe in another state.
  [[nodiscard]] bool isSameFileAs(const FileIdentity& other) const {
    return device == other.device && inode == other.inode;
  }
};

/// A file that is open to be read, by another process too: whatever comes to bear its name
/// meanwhile, both read this one.
class InputFile {
 public:
  /// Never waits, as opening a named pipe would. Errors: NotFound; Io, also where it is no regular
  /// file.
  [[nodiscard]] static Result<InputFile> open(const std::filesystem::path& path);

  [[nodiscard]] int descriptor() const { return m_descriptor.get(); }
  [[nodiscard]] const FileIdentity& identity() const { return m_identity; }

 private:
  InputFile(FileDescriptor descriptor, const FileIdentity& identity)
      : m_descriptor(std::move(descriptor)), m_identity(identity) {}

  FileDescriptor m_descriptor;
  FileIdentity m_identity;
};

}  // namespace ulp::tensors
