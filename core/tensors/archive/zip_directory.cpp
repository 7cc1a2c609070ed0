#include "core/tensors/archive/zip_directory.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <zlib.h>

#include "core/base/stop_pace.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kLocatorSize = 20;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  ///< the number stands in a zip64 field
constexpr std::uint16_t kDeflated = 8;
/// Deflate packs at most 258 bytes into two bits.
constexpr std::uint64_t kMostDeflation = 1032;

struct Directory {
  std::uint64_t count = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

/// The last end record whose comment reaches the end of the file.
std::optional<std::size_t> findEnd(std::span<const std::byte> bytes) {
  constexpr std::size_t kLongestComment = 0xFFFF;
  if (bytes.size() < kEndSize) {
    return std::nullopt;
  }
  const std::size_t last = bytes.size() - kEndSize;
  const std::size_t first = last > kLongestComment ? last - kLongestComment : 0;
  for (std::size_t offset = last + 1; offset-- > first;) {
    if (numberAt<std::uint32_t>(bytes, offset) == kZipDirectoryEnd &&
        numberAt<std::uint16_t>(bytes, offset + 20) == bytes.size() - offset - kEndSize) {
      return offset;
    }
  }
  return std::nullopt;
}

/// What the zip64 end record in front of the end record says; nothing where there is none.
Result<std::optional<Directory>> findDirectory64(const ByteSource& source, std::size_t end) {
  const auto bytes = source.bytes;
  if (end < kLocatorSize ||
      numberAt<std::uint32_t>(bytes, end - kLocatorSize) != kZipDirectoryLocator64) {
    return std::optional<Directory>();
  }
  const auto offset = numberAt<std::uint64_t>(bytes, end - kLocatorSize + 8);
  if (end < kEnd64Size || offset > end - kEnd64Size ||
      numberAt<std::uint32_t>(bytes, offset) != kZipDirectoryEnd64) {
    return source.corrupt("zip: its zip64 end record is not at byte " + std::to_string(offset));
  }
  return std::optional(Directory{numberAt<std::uint64_t>(bytes, offset + 32),
                                 numberAt<std::uint64_t>(bytes, offset + 40),
                                 numberAt<std::uint64_t>(bytes, offset + 48)});
}

Result<Directory> findDirectory(const ByteSource& source) {
  const auto end = findEnd(source.bytes);
  if (!end) {
    return source.corrupt("zip: its end record is missing; the file is not complete");
  }
  Directory directory{numberAt<std::uint16_t>(source.bytes, *end + 10),
                      numberAt<std::uint32_t>(source.bytes, *end + 12),
                      numberAt<std::uint32_t>(source.bytes, *end + 16)};
  const auto large = ULP_TRY(findDirectory64(source, *end));
  directory = large.value_or(directory);
  if (directory.offset > *end || directory.size > *end - directory.offset ||
      directory.count > directory.size / kCentralSize) {
    return source.corrupt("zip: its directory of " + std::to_string(directory.count) +
                          " members at byte " + std::to_string(directory.offset) +
                          " does not lie within the file");
  }
  return directory;
}

/// Takes the numbers that did not fit from the zip64 extra field; false where they are missing.
bool readLargeNumbers(std::span<const std::byte> extra, ZipMember& member) {
  constexpr std::uint16_t kZip64 = 1;
  std::size_t place = 0;
  while (extra.size() - place >= 4) {
    const auto id = numberAt<std::uint16_t>(extra, place);
    const std::size_t length = numberAt<std::uint16_t>(extra, place + 2);
    place += 4;
    if (length > extra.size() - place) {
      return false;
    }
    if (id != kZip64) {
      place += length;
      continue;
    }
    std::span<const std::byte> field = extra.subspan(place, length);
    for (std::uint64_t* number : {&member.size, &member.storedSize, &member.header}) {
      if (*number != kIn64) {
        continue;
      }
      if (field.size() < sizeof *number) {
        return false;
      }
      *number = numberAt<std::uint64_t>(field, 0);
      field = field.subspan(sizeof *number);
    }
    return true;
  }
  return false;
}

/// The member whose central header begins `rest`, and the bytes of that header; 0 bytes: broken.
std::pair<ZipMember, std::size_t> readCentralHeader(std::span<const std::byte> rest) {
  if (rest.size() < kCentralSize || numberAt<std::uint32_t>(rest, 0) != kZipDirectoryEntry) {
    return {};
  }
  const std::size_t name = numberAt<std::uint16_t>(rest, 28);
  const std::size_t extra = numberAt<std::uint16_t>(rest, 30);
  const std::size_t size = kCentralSize + name + extra + numberAt<std::uint16_t>(rest, 32);
  if (size > rest.size()) {
    return {};
  }
  ZipMember member;
  member.name = textOf(rest.subspan(kCentralSize, name));
  member.header = numberAt<std::uint32_t>(rest, 42);
  member.storedSize = numberAt<std::uint32_t>(rest, 20);
  member.size = numberAt<std::uint32_t>(rest, 24);
  member.checksum = numberAt<std::uint32_t>(rest, 16);
  member.method = numberAt<std::uint16_t>(rest, 10);
  member.isEncrypted = (numberAt<std::uint16_t>(rest, 8) & 1U) != 0;
  const bool isLarge = member.header == kIn64 || member.storedSize == kIn64 || member.size == kIn64;
  if (isLarge && !readLargeNumbers(rest.subspan(kCentralSize + name, extra), member)) {
    return {};
  }
  return {member, size};
}

std::string placeOf(const ZipMember& member) {
  return "zip: member " + quotedName(member.name);
}

/// Owns the state of one inflation.
class Inflater {
 public:
  Inflater() : m_ready(inflateInit2(&m_stream, -MAX_WBITS) == Z_OK) {}
  ~Inflater() {
    if (m_ready) {
      inflateEnd(&m_stream);
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// The checksum of what was unpacked.
  [[nodiscard]] std::uint32_t checksum() const { return m_checksum; }

  /// Fills `out`; false when `in` is damaged or holds less. `isAll`: `in` must end with it.
  bool run(std::span<const std::byte> in, std::span<std::byte> out, bool isAll) {
    // Between two pieces a stop is seen.
    constexpr std::size_t kMost = std::size_t{16} << 20U;
    int state = m_ready ? Z_OK : Z_MEM_ERROR;
    while (state == Z_OK && !currentStop().stop_requested()) {
      const std::size_t inPart = std::min(in.size(), kMost);
      const std::size_t outPart = std::min(out.size(), kMost);
      // zlib takes a mutable pointer although it only reads.
      m_stream.next_in =
          const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));  // NOLINT(*-const-cast)
      m_stream.avail_in = static_cast<uInt>(inPart);
      m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
      m_stream.avail_out = static_cast<uInt>(outPart);
      state = inflate(&m_stream, Z_NO_FLUSH);
      in = in.subspan(inPart - m_stream.avail_in);
      const std::size_t made = outPart - m_stream.avail_out;
      m_checksum = zipChecksum(out.first(made), m_checksum);
      out = out.subspan(made);
      if (out.empty() && !isAll) {
        return true;
      }
    }
    return state == Z_STREAM_END && out.empty();
  }

 private:
  z_stream m_stream{};
  bool m_ready;
  std::uint32_t m_checksum = 0;
};

Result<ByteSource> inflated(const ByteSource& source,
                            const ZipMember& member,
                            std::span<const std::byte> packed,
                            std::uint64_t most) {
  if (member.size / kMostDeflation > packed.size()) {
    return source.corrupt(placeOf(member) + " claims " + std::to_string(member.size) +
                          " bytes, more than its " + std::to_string(packed.size()) +
                          " packed ones can hold");
  }
  const std::size_t size = std::min(member.size, most);
  if (const std::uint64_t largest = mostUnpacked(packed.size()); size > largest) {
    return source.unsupported(placeOf(member) + " unpacks from " + std::to_string(packed.size()) +
                              " to " + std::to_string(size) + " bytes, of which at most " +
                              std::to_string(largest) + " are read: store it unpacked");
  }
  const std::string place = source.path.string() + ": " + placeOf(member);
  auto memory = ULP_TRY(whileDoing(place, allocateBytes(size)));
  const std::span<std::byte> bytes(memory.get(), size);
  const bool isAll = size == member.size;
  Inflater inflater;
  const bool isWhole = inflater.run(packed, bytes, isAll);
  if (currentStop().stop_requested()) {
    return fail(ErrorCode::Cancelled, place + ": reading was cancelled");
  }
  if (!isWhole || (isAll && inflater.checksum() != member.checksum)) {
    return source.corrupt(placeOf(member) + " is damaged: it cannot be unpacked");
  }
  return ByteSource{{}, bytes, std::move(memory)};
}

}  // namespace

std::uint32_t zipChecksum(std::span<const std::byte> bytes, std::uint32_t before) {
  const auto* const first = reinterpret_cast<const Bytef*>(bytes.data());
  return static_cast<std::uint32_t>(::crc32_z(before, first, bytes.size()));
}

bool isZip(std::span<const std::byte> bytes) {
  if (bytes.size() < 4) {
    return false;
  }
  const auto magic = numberAt<std::uint32_t>(bytes, 0);
  return magic == kZipLocalHeader || magic == kZipDirectoryEnd;
}

Result<std::vector<ZipMember>> readZipDirectory(const ByteSource& source) {
  const auto directory = ULP_TRY(findDirectory(source));
  std::vector<ZipMember> members;
  members.reserve(directory.count);
  std::span<const std::byte> rest = source.bytes.subspan(directory.offset, directory.size);
  StopPace pace;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    if (pace.isStopped()) {
      return stopped();
    }
    const auto [member, size] = readCentralHeader(rest);
    if (size == 0) {
      return source.corrupt("zip: the directory is damaged at member " + std::to_string(i));
    }
    members.push_back(member);
    rest = rest.subspan(size);
  }
  return members;
}

Result<std::span<const std::byte>> packedBytes(const ByteSource& source, const ZipMember& member) {
  const auto bytes = source.bytes;
  const auto outside = [&] {
    return source.corrupt(placeOf(member) + " of " + std::to_string(member.storedSize) +
                          " bytes at byte " + std::to_string(member.header) +
                          " does not lie within the file");
  };
  if (bytes.size() < kLocalSize || member.header > bytes.size() - kLocalSize ||
      numberAt<std::uint32_t>(bytes, member.header) != kZipLocalHeader) {
    return outside();
  }
  const std::size_t skipped = std::size_t{numberAt<std::uint16_t>(bytes, member.header + 26)} +
                              numberAt<std::uint16_t>(bytes, member.header + 28);
  const std::size_t start = member.header + kLocalSize + skipped;
  if (start > bytes.size() || member.storedSize > bytes.size() - start) {
    return outside();
  }
  if (member.isStored() && member.storedSize != member.size) {
    return source.corrupt(placeOf(member) + " is stored, but has two sizes");
  }
  return bytes.subspan(start, member.storedSize);
}

Result<ByteSource> readZipMember(const ByteSource& source,
                                 const ZipMember& member,
                                 std::uint64_t most) {
  const auto packed = ULP_TRY(packedBytes(source, member));
  if (member.isEncrypted || (member.method != 0 && member.method != kDeflated)) {
    return source.unsupported(placeOf(member) +
                              (member.isEncrypted
                                   ? " is encrypted"
                                   : " is packed by method " + std::to_string(member.method)) +
                              "; pack the archive again with deflate or none");
  }
  Result<ByteSource> content =
      member.isStored() ? Result<ByteSource>(ByteSource{{}, packed, source.owner, source.file})
                        : inflated(source, member, packed, most);
  ULP_TRY(checkIntact(source.file.get()));
  if (content) {
    content->path = source.path.string() + ": " + quotedName(member.name);
  }
  return content;
}

}  // namespace ulp::tensors
