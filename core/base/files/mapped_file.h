#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "core/base/files/mapping_guard.h"
#include "core/base/result.h"

namespace ulp {

/// What reading does where the file has become shorter since it was mapped.
enum class WhenShortened : std::uint8_t {
  EndProcess,  ///< SIGBUS, as the system does: nothing can be computed from what is not there
  ReadOnes     ///< bytes of 0xFF, and isIntact() turns false: for a window that must live on
};

/// A file mapped read-only into memory. Pages are read when touched, so opening is cheap whatever
/// the size. Immutable and safe to read from any thread; the mapping lives as long as a shared_ptr
/// to it.
class MappedFile {
 public:
  /// Errors: NotFound, Io (not readable, a folder, mapping refused). An empty file maps to no
  /// bytes.
  [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(
      const std::filesystem::path& path, WhenShortened whenShortened = WhenShortened::EndProcess);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; }
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// False: a part was read that the file no longer has; nothing that was read may be believed.
  [[nodiscard]] bool isIntact() const { return !m_guard || !m_guard->wasHit(); }
  /// Lets the pages that hold `part` of bytes() leave this process's memory; touching them brings
  /// them back. For whoever reads through a file that is larger than the memory that it may use.
  void release(std::span<const std::byte> part) const;

 private:
  MappedFile(std::filesystem::path path, std::span<const std::byte> bytes);

  std::filesystem::path m_path;
  std::span<const std::byte> m_bytes;
  std::optional<MappingGuard> m_guard;
};

}  // namespace ulp
