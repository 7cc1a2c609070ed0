#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include <zlib.h>

#include "tests/core/tensors/archive/test_bytes.h"

namespace ulp::tensors {

/// A member as it is written, so that tests can lie about it.
struct ZipEntry {
  std::string name;
  std::string content;  ///< as stored
  std::uint16_t method = 0;
  std::uint32_t size = 0;  ///< unpacked, where not stored
  std::uint32_t checksum = 0;
  std::uint16_t flags = 0;
};

/// Writes zip archives byte by byte.
inline std::string zipOf(const std::vector<ZipEntry>& entries) {
  Bytes archive;
  Bytes directory;
  for (const ZipEntry& entry : entries) {
    const auto stored = static_cast<std::uint32_t>(entry.content.size());
    const std::uint32_t size = entry.method == 0 ? stored : entry.size;
    const auto offset = static_cast<std::uint32_t>(archive.content().size());
    const auto nameSize = static_cast<std::uint16_t>(entry.name.size());
    archive.text("PK\x03\x04").number<std::uint16_t>(20).number(entry.flags).number(entry.method);
    archive.number<std::uint32_t>(0).number<std::uint32_t>(0).number(stored).number(size);
    archive.number(nameSize).number<std::uint16_t>(0).text(entry.name).text(entry.content);
    directory.text("PK\x01\x02").number<std::uint16_t>(20).number<std::uint16_t>(20);
    directory.number(entry.flags).number(entry.method).number<std::uint32_t>(0);
    directory.number(entry.checksum).number(stored).number(size).number(nameSize);
    directory.number<std::uint64_t>(0).number<std::uint32_t>(0);
    directory.number(offset).text(entry.name);
  }
  const auto start = static_cast<std::uint32_t>(archive.content().size());
  const auto count = static_cast<std::uint16_t>(entries.size());
  archive.text(directory.content()).text("PK\x05\x06").number<std::uint32_t>(0);
  archive.number(count).number(count);
  archive.number(static_cast<std::uint32_t>(directory.content().size())).number(start);
  return archive.number<std::uint16_t>(0).content();
}

/// The entry of `content` with deflate.
inline ZipEntry deflated(std::string name, const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  std::string input = content;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  const auto checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
  return {std::move(name), packed, 8, static_cast<std::uint32_t>(content.size()), checksum};
}

}  // namespace ulp::tensors
