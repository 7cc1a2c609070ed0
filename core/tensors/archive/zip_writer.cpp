#include "core/tensors/archive/zip_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/files/in_pieces.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/archive/zip_directory.h"

namespace ulp::tensors {
namespace {

constexpr std::uint16_t kUtf8Names = 0x0800;
constexpr std::uint16_t kNoDate = 0x0021;  // 1 January 1980, the first day that the format has
constexpr std::uint16_t kZipVersion = 20;
constexpr std::uint16_t kZipVersion64 = 45;
constexpr std::uint16_t kExtra64 = 1;
constexpr std::uint16_t kPadding = 0x4246;  // "FB", torch's
constexpr std::size_t kExtraHead = 4;
/// Fields of 32 and 16 bits hold this where the true number stands in a zip64 field.
constexpr std::uint64_t kLarge = 0xFFFFFFFF;
constexpr std::uint64_t kMany = 0xFFFF;

std::uint32_t narrow(std::uint64_t number) {
  return static_cast<std::uint32_t>(std::min(number, kLarge));
}

/// What pads the header of a member so that its content is aligned.
std::string paddingFor(std::uint64_t contentOffset) {
  const std::uint64_t beyond = (contentOffset + kExtraHead) % ZipWriter::kAlignment;
  const auto count = static_cast<std::uint16_t>(beyond == 0 ? 0 : ZipWriter::kAlignment - beyond);
  std::string padding;
  appendNumbers(padding, kPadding, count);
  padding.append(count, 'Z');
  return padding;
}

}  // namespace

Result<> ZipWriter::write(std::string_view bytes) {
  m_offset += bytes.size();
  return m_file.write(std::as_bytes(std::span(bytes)));
}

Result<> ZipWriter::add(std::string_view name,
                        std::span<const std::byte> content,
                        const MappedFile* from,
                        const SeePiece& see) {
  constexpr std::size_t kFixedSize = 30;
  if (name.size() > kMany) {
    return fail(ErrorCode::InvalidArgument,
                "member " + quotedName(name) + ": the name is longer than zip allows");
  }
  // What is more than a piece is gone through once: its header gets the checksum in the end.
  const bool isPiece = content.size() <= kPieceBytes;
  Member member{std::string(name), isPiece ? zipChecksum(content) : 0, content.size(), m_offset};
  const bool isLarge = member.size >= kLarge;
  std::string extra;
  if (isLarge) {
    appendNumbers(extra, kExtra64, std::uint16_t{16}, member.size, member.size);
  }
  extra += paddingFor(m_offset + kFixedSize + name.size() + extra.size());
  std::string header;
  appendNumbers(header, kZipLocalHeader);
  appendFields(header, member, isLarge, extra);
  header += name;
  header += extra;
  ULP_TRY(write(header));
  if (isPiece) {
    ULP_TRY(m_file.stream(content, from, see));
  } else {
    ULP_TRY(stream(member, content, from, see));
  }
  m_offset += content.size();
  m_members.push_back(std::move(member));
  return {};
}

Result<> ZipWriter::stream(Member& member,
                           std::span<const std::byte> content,
                           const MappedFile* from,
                           const SeePiece& see) {
  constexpr std::uint64_t kChecksumPlace = 14;
  ULP_TRY(m_file.stream(content, from, [&](std::span<const std::byte> piece) {
    member.checksum = zipChecksum(piece, member.checksum);
    if (see) {
      see(piece);
    }
  }));
  return m_file.overwrite(std::as_bytes(std::span(&member.checksum, 1)),
                          member.offset + kChecksumPlace);
}

void ZipWriter::appendFields(std::string& header,
                             const Member& member,
                             bool isLarge,
                             const std::string& extra) {
  appendNumbers(header,
                isLarge ? kZipVersion64 : kZipVersion,
                kUtf8Names,
                std::uint16_t{0},
                std::uint16_t{0},
                kNoDate,
                member.checksum,
                narrow(isLarge ? kLarge : member.size),
                narrow(isLarge ? kLarge : member.size),
                static_cast<std::uint16_t>(member.name.size()),
                static_cast<std::uint16_t>(extra.size()));
}

std::string ZipWriter::directoryEntry(const Member& member) {
  std::string extra;
  const bool isLarge = member.size >= kLarge || member.offset >= kLarge;
  if (isLarge) {
    appendNumbers(extra, kExtra64, std::uint16_t{24}, member.size, member.size, member.offset);
  }
  std::string entry;
  appendNumbers(entry, kZipDirectoryEntry, isLarge ? kZipVersion64 : kZipVersion);
  appendFields(entry, member, isLarge, extra);
  appendNumbers(entry,
                std::uint16_t{0},
                std::uint16_t{0},
                std::uint16_t{0},
                std::uint32_t{0},
                narrow(isLarge ? kLarge : member.offset));
  return entry + member.name + extra;
}

Result<> ZipWriter::finish(Durability durability) {
  const std::uint64_t begin = m_offset;
  std::string directory;
  for (const Member& member : m_members) {
    directory += directoryEntry(member);
  }
  const std::uint64_t size = directory.size();
  const std::uint64_t count = m_members.size();
  if (begin + size >= kLarge || count >= kMany) {
    const std::uint64_t end = begin + size;
    appendNumbers(directory,
                  kZipDirectoryEnd64,
                  std::uint64_t{44},  // bytes of this record behind the number itself
                  kZipVersion64,
                  kZipVersion64,
                  std::uint32_t{0},
                  std::uint32_t{0},
                  count,
                  count,
                  size,
                  begin);
    appendNumbers(directory, kZipDirectoryLocator64, std::uint32_t{0}, end, std::uint32_t{1});
  }
  const auto counted = static_cast<std::uint16_t>(std::min(count, kMany));
  appendNumbers(directory,
                kZipDirectoryEnd,
                std::uint16_t{0},
                std::uint16_t{0},
                counted,
                counted,
                narrow(size),
                narrow(begin),
                std::uint16_t{0});
  auto written = write(directory);
  return written ? m_file.commit(durability) : written;
}

}  // namespace ulp::tensors
