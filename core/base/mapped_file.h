#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "core/base/result.h"

namespace ulp {

/// A file mapped read-only into memory. Pages are read when touched, so opening is cheap whatever
/// the size. Immutable and safe to read from any thread; the mapping lives as long as a shared_ptr
/// to it.
class MappedFile {
 public:
  /// Errors: NotFound, Io (not readable, a folder, mapping refused). An empty file maps to no
  /// bytes.
  [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(
      const std::filesystem::path& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; }
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// Lets the pages that hold `part` of bytes() leave this process's memory; touching them brings
  /// them back. For whoever reads through a file that is larger than the memory that it may use.
  void release(std::span<const std::byte> part) const;

 private:
  MappedFile(std::filesystem::path path, std::span<const std::byte> bytes);

  std::filesystem::path m_path;
  std::span<const std::byte> m_bytes;
};

}  // namespace ulp
