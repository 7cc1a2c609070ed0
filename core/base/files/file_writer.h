#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/base/files/mapped_file.h"
#include "core/base/result.h"

namespace ulp {

/// Whether a finished file waits for the disk. One of many in a folder that is synced as a whole
/// need not.
enum class Durability : std::uint8_t { Synced, WithItsFolder };

/// A file that appears under its name only when complete: written beside it, as `<name>.part` where
/// nobody asks for another ending, and renamed by commit(). Without commit() nothing is left.
class FileWriter {
 public:
  /// Error: Io with the path.
  [[nodiscard]] static Result<FileWriter> create(const std::filesystem::path& path,
                                                 std::string_view ending = ".part");

  ~FileWriter();
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&& other) noexcept;
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Appends `bytes`. Where they are mapped from the file `from`, their pages leave memory on the
  /// way: however many they are, little of them is there at a time. Error: Io (no space, …) with
  /// the path.
  [[nodiscard]] Result<> write(std::span<const std::byte> bytes, const MappedFile* from = nullptr);
  [[nodiscard]] Result<> commit(Durability durability = Durability::Synced);

 private:
  FileWriter(std::filesystem::path path, std::filesystem::path part, int fd);
  void discard();

  std::filesystem::path m_path;
  std::filesystem::path m_part;
  int m_fd = -1;
};

}  // namespace ulp
