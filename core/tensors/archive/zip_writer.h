#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/files/file_writer.h"
#include "core/base/result.h"

namespace ulp::tensors {

/// Writes a zip archive of members as they are (method "stored"), front to back; zip64 where a
/// member or the archive is beyond 4 GiB. The same members make the same bytes: no time is stored.
class ZipWriter {
 public:
  /// Bytes of a member begin at a multiple of this, as torch.save has it, so that they can be
  /// mapped.
  static constexpr std::uint64_t kAlignment = 64;

  explicit ZipWriter(FileWriter file) : m_file(std::move(file)) {}

  /// `name` is UTF-8, unique, at most 65535 bytes. The content is gone through once, as
  /// FileWriter::stream() does. Errors: InvalidArgument (a longer name), Io, Cancelled.
  [[nodiscard]] Result<> add(std::string_view name,
                             std::span<const std::byte> content,
                             const MappedFile* from = nullptr,
                             const SeePiece& see = {});
  /// Writes the directory; the file then has its name. Error: Io.
  [[nodiscard]] Result<> finish(Durability durability = Durability::Synced);

 private:
  struct Member {
    std::string name;
    std::uint32_t checksum;
    std::uint64_t size;
    std::uint64_t offset;
  };

  [[nodiscard]] static std::string directoryEntry(const Member& member);
  /// Appends what the header of a member and its entry in the directory both say of it.
  static void appendFields(std::string& header,
                           const Member& member,
                           bool isLarge,
                           const std::string& extra);
  [[nodiscard]] Result<> write(std::string_view bytes);
  /// Fills in the checksum of what is written.
  [[nodiscard]] Result<> stream(Member& member,
                                std::span<const std::byte> content,
                                const MappedFile* from,
                                const SeePiece& see);

  FileWriter m_file;
  std::vector<Member> m_members;
  std::uint64_t m_offset = 0;
};

}  // namespace ulp::tensors
