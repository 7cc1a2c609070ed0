#pragma once

#include <cstddef>
#include <memory>
#include <vector>

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

  ~MemoryFile();
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&& other) = delete;
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Above 9, so that a child can be given it under any of the first numbers.
  [[nodiscard]] int descriptor() const { return m_descriptor; }
  /// A copy of what was written. Error: Io.
  [[nodiscard]] Result<std::vector<std::byte>> content() const;
  /// The bytes of one of fixed size; they outlive this object. Error: OutOfMemory.
  [[nodiscard]] Result<std::shared_ptr<std::byte[]>> map() const;

 private:
  explicit MemoryFile(int descriptor) : m_descriptor(descriptor) {}

  int m_descriptor;
  std::size_t m_size = 0;
};

}  // namespace ulp::tensors
