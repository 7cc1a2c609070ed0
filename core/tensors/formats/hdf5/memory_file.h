#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"

namespace ulp::tensors {

/// Memory that another process can fill: a file without a name, gone with its last user.
class MemoryFile {
 public:
  /// An empty one, which grows when it is written. Error: Io.
  [[nodiscard]] static Result<MemoryFile> create();
  /// `size` bytes, which nobody can make fewer or more, so that reading them is safe whatever the
  /// other process does. Errors: Io, OutOfMemory.
  [[nodiscard]] static Result<MemoryFile> create(std::size_t size);

  [[nodiscard]] int descriptor() const { return m_descriptor.get(); }
  /// A copy of what was written. Errors: Io; CorruptData where that is more than `most` bytes.
  [[nodiscard]] Result<std::vector<std::byte>> content(std::size_t most) const;
  /// The bytes of one of fixed size; they outlive this object. Error: OutOfMemory.
  [[nodiscard]] Result<std::shared_ptr<std::byte[]>> map() const;

 private:
  explicit MemoryFile(FileDescriptor descriptor) : m_descriptor(std::move(descriptor)) {}

  FileDescriptor m_descriptor;
  std::size_t m_size = 0;
};

}  // namespace ulp::tensors
