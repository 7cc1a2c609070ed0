#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "core/base/files/mapped_file.h"
#include "core/base/result.h"

namespace ulp::remote {

/// Bytes that lie on a host, of which blocks are kept in a file of the cache as they come: a sparse
/// file, so that what did not come takes no room. It says the checksum of each block that it
/// holds, and one that was kept by an earlier process counts only once that was checked: a file
/// that was left behind half-written is no number. While it is used it has another name; two
/// processes keep two files. One thread at a time writes, any number read.
class TileFile {
 public:
  static constexpr std::uint64_t kBlock = 4096;

  /// Takes up what was kept under `path`, or begins with nothing. Error: Io.
  [[nodiscard]] static Result<std::unique_ptr<TileFile>> open(const std::filesystem::path& path,
                                                              std::uint64_t size);
  /// Keeps what came under `path`, if anything did.
  ~TileFile();
  TileFile(const TileFile&) = delete;
  TileFile& operator=(const TileFile&) = delete;

  [[nodiscard]] std::uint64_t size() const { return m_size; }
  [[nodiscard]] std::uint64_t blocks() const { return m_checksums.size(); }
  /// The bytes; of blocks that are not here they are nothing.
  [[nodiscard]] const std::shared_ptr<const MappedFile>& mapping() const { return m_mapping; }
  [[nodiscard]] bool has(std::uint64_t block) const {
    return (m_here[block / 64].load(std::memory_order_acquire) >> (block % 64) & 1U) != 0;
  }
  /// Whether every block is here, or an earlier process kept it.
  [[nodiscard]] bool isWhole() const {
    return std::ranges::none_of(m_checksums, [](std::uint32_t checksum) { return checksum == 0; });
  }
  /// Whether a block that an earlier process kept is what it was. It is here from then on.
  [[nodiscard]] bool takeUp(std::uint64_t block);
  /// Writes whole blocks, the last of all may be shorter. Error: Io.
  [[nodiscard]] Result<> write(std::uint64_t firstBlock, std::string_view bytes);

 private:
  TileFile(std::filesystem::path path, std::filesystem::path used, std::uint64_t size);
  [[nodiscard]] std::span<const std::byte> bytesOf(std::uint64_t block) const;
  [[nodiscard]] std::uint64_t trailer() const { return blocks() * kBlock; }
  void readTrailer();
  void writeTrailer() const;
  void set(std::uint64_t block) {
    m_here[block / 64].fetch_or(std::uint64_t{1} << (block % 64), std::memory_order_release);
  }

  std::filesystem::path m_path;
  std::filesystem::path m_used;  ///< its name meanwhile
  std::uint64_t m_size;
  FileDescriptor m_file;
  std::shared_ptr<const MappedFile> m_mapping;
  std::vector<std::atomic<std::uint64_t>> m_here;  ///< a bit for each block
  std::vector<std::uint32_t> m_checksums;          ///< of each block; 0: not kept
};

}  // namespace ulp::remote
