#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <sys/stat.h>

#include "core/base/files/mapping_guard.h"
#include "core/base/result.h"

namespace ulp {

/// What it means that a file is written to while it is mapped.
enum class Rewriting : std::uint8_t {
  Refused,  ///< what was read of it may be old and new at once
  Expected  ///< its writer only adds, and says what is complete: what counts stays as it is
};

/// A file mapped read-only into memory. Pages are read when touched, so opening is cheap whatever
/// the size. Immutable and safe to read from any thread; the mapping lives as long as a shared_ptr
/// to it. A file that takes the place of the mapped one changes nothing. Of one that becomes
/// shorter, what is gone reads as bytes of 0xFF (MappingGuard): whoever reads asks checkIntact()
/// before what was read is believed. Where more files are open than can be guarded (1,024), reading
/// what is gone ends the process.
class MappedFile {
 public:
  /// Errors: NotFound, Io (not readable, a folder, mapping refused). An empty file maps to no
  /// bytes.
  [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(
      const std::filesystem::path& path, Rewriting rewriting = Rewriting::Refused);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; }
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// Checks whether what was read so far may be believed: the file has its size and time yet, or
  /// another one has its name. Error: CorruptData with the remedy.
  [[nodiscard]] Result<> checkIntact() const;
  /// Lets the pages that hold `part` of bytes() leave this process's memory; touching them brings
  /// them back. For whoever reads through a file that is larger than the memory that it may use.
  void release(std::span<const std::byte> part) const;

 private:
  MappedFile(std::filesystem::path path,
             std::span<const std::byte> bytes,
             const struct stat& status,
             Rewriting rewriting);

  std::filesystem::path m_path;
  std::span<const std::byte> m_bytes;
  std::optional<MappingGuard> m_guard;  ///< none: there are no bytes
  struct stat m_status;                 ///< when it was opened
  Rewriting m_rewriting;
};

}  // namespace ulp
