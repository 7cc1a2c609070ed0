#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "core/base/files/file_descriptor.h"
#include "core/base/files/mapped_file.h"
#include "core/base/result.h"

namespace ulp {

/// Whether a finished file waits for the disk. One of many in a folder that is synced as a whole
/// need not.
enum class Durability : std::uint8_t { Synced, WithItsFolder };

/// What becomes of a symbolic link in the place of the file.
enum class LinkPolicy : std::uint8_t {
  Replace,  ///< the file takes its place: for names of ours in folders that may come from others
  Follow    ///< it stays, and what it leads to is replaced: for a file that the user named
};

/// Is shown the pieces of what is streamed, in order, each before it is written.
using SeePiece = std::function<void(std::span<const std::byte> piece)>;

/// Finds where a link leads to, through further ones, whether something is there or not; what is no
/// link is itself. Error: Io, where links lead in a circle.
[[nodiscard]] Result<std::filesystem::path> followLinks(const std::filesystem::path& path);

/// Gives an open file what the user chose for the one that it is going to replace, as far as the
/// system allows it: owner, group, mode, access list. Nothing where there is none.
void takeAttributes(int file, const std::filesystem::path& replaced);

/// A file that appears under its name only when complete: written beside it, under a name that
/// nobody can foresee (unfinishedName()), and renamed by commit(). Without commit() nothing is left
/// but by a process that is killed; the next one that saves the file removes that. takeAttributes()
/// holds of the file that it replaces, whose other hard links keep the old content.
class FileWriter {
 public:
  /// Errors: Io with the path: what is there is no file or may not be written, no file can be made
  /// in its folder.
  [[nodiscard]] static Result<FileWriter> create(const std::filesystem::path& path,
                                                 LinkPolicy links = LinkPolicy::Replace);

  ~FileWriter();
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&& other) noexcept;
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Appends `bytes`, all of them, even if the caller's work is stopped meanwhile: what was
  /// finished is kept. Error: Io (no space, …) with the path.
  [[nodiscard]] Result<> write(std::span<const std::byte> bytes);
  /// Appends bytes of whatever size as inPieces() goes through them. Errors: Io, Cancelled.
  [[nodiscard]] Result<> stream(std::span<const std::byte> bytes,
                                const MappedFile* from = nullptr,
                                const SeePiece& see = {});
  /// Writes `bytes` over as many that were written from `offset` on. Error: Io with the path.
  [[nodiscard]] Result<> overwrite(std::span<const std::byte> bytes, std::uint64_t offset);
  /// The open file, for a library that reads and writes it by itself; it stays the writer's.
  [[nodiscard]] int descriptor() const { return m_file.get(); }
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  /// Gives the file its name. Synced: it has it, and all of its content, after a power loss. Error:
  /// Io with the path; what was there is untouched, unless the disk failed in the last step.
  [[nodiscard]] Result<> commit(Durability durability = Durability::Synced);

 private:
  FileWriter(std::filesystem::path path, std::filesystem::path target);
  [[nodiscard]] Result<> open();
  [[nodiscard]] Result<> makePart(const std::string& name, mode_t mode);
  void discard();
  [[nodiscard]] tl::unexpected<Error> writeError(int number) const;

  std::filesystem::path m_path;    ///< as the caller says it
  std::filesystem::path m_target;  ///< where links lead to
  FileDescriptor m_folder;
  FileDescriptor m_file;
  std::string m_part;  ///< its name in the folder; empty: there is none
};

}  // namespace ulp
