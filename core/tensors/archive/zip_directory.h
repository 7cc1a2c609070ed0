#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::tensors {

// What the parts of a zip archive begin with.
inline constexpr std::uint32_t kZipLocalHeader = 0x04034B50;
inline constexpr std::uint32_t kZipDirectoryEntry = 0x02014B50;
inline constexpr std::uint32_t kZipDirectoryEnd = 0x06054B50;
inline constexpr std::uint32_t kZipDirectoryEnd64 = 0x06064B50;
inline constexpr std::uint32_t kZipDirectoryLocator64 = 0x07064B50;

/// A member of a zip archive, from the central directory. Its name is a key and never a path.
struct ZipMember {
  std::string_view name;         ///< in the bytes of the source
  std::uint64_t header = 0;      ///< offset of its local header
  std::uint64_t storedSize = 0;  ///< bytes in the archive
  std::uint64_t size = 0;        ///< bytes when unpacked
  std::uint32_t checksum = 0;    ///< CRC-32 of the unpacked bytes
  std::uint16_t method = 0;      ///< 0 stored, 8 deflated
  bool isEncrypted = false;

  [[nodiscard]] bool isStored() const { return method == 0 && !isEncrypted; }
};

/// The CRC-32 of bytes, behind others whose it is `before`.
[[nodiscard]] std::uint32_t zipChecksum(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// Starts like a zip archive.
[[nodiscard]] bool isZip(std::span<const std::byte> bytes);

/// The members in the order of the central directory, zip64 included. Error: CorruptData.
[[nodiscard]] Result<std::vector<ZipMember>> readZipDirectory(const ByteSource& source);

/// Finds the bytes of a member as they are stored. Error: CorruptData.
[[nodiscard]] Result<std::span<const std::byte>> packedBytes(const ByteSource& source,
                                                             const ZipMember& member);

/// The bytes of a member, named `file: name`: where they lie if they are stored, else unpacked and
/// checked against their checksum. `most` bounds what is unpacked: then only the beginning comes,
/// unchecked. Errors: CorruptData, Unsupported (encrypted, another method, or out of proportion
/// to what is packed), OutOfMemory.
[[nodiscard]] Result<ByteSource> readZipMember(const ByteSource& source,
                                               const ZipMember& member,
                                               std::uint64_t most = UINT64_MAX);

}  // namespace ulp::tensors
