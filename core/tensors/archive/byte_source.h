#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/files/mapped_file.h"
#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// The bytes of one file and what keeps them alive. Parsers take this instead of a path, so that
/// tests and fuzzers need no disk.
struct ByteSource {
  std::filesystem::path path;  ///< named in messages
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  /// That the bytes are mapped from; null: they are in memory.
  std::shared_ptr<const MappedFile> file = nullptr;

  /// Lets the pages of a part that was copied or decoded leave memory, where they are mapped.
  void release(std::span<const std::byte> part) const {
    if (file != nullptr) {
      file->release(part);
    }
  }
  /// CorruptData: `path: what`.
  [[nodiscard]] tl::unexpected<Error> corrupt(const std::string& what) const;
  /// Unsupported: `path: what`.
  [[nodiscard]] tl::unexpected<Error> unsupported(const std::string& what) const;
};

/// Maps the file; whoever reads must ask checkIntact() before what was read is believed. Errors:
/// NotFound, Io.
[[nodiscard]] Result<ByteSource> openByteSource(const std::filesystem::path& path,
                                                Rewriting rewriting = Rewriting::Refused);
/// All bytes of a mapped file.
[[nodiscard]] ByteSource byteSourceOf(const std::shared_ptr<const MappedFile>& file);
/// Bytes in memory under a name of the caller's choice.
[[nodiscard]] ByteSource byteSourceOf(std::filesystem::path name, std::vector<std::byte> content);

/// Gives the most bytes that are unpacked from so many. A gigabyte is unpacked however little it
/// was packed into, since zeros may be meant. What is larger must have been packed as numbers pack,
/// or a file of a megabyte would fill every memory.
[[nodiscard]] constexpr std::uint64_t mostUnpacked(std::uint64_t packed) {
  constexpr std::uint64_t kFreeSize = std::uint64_t{1} << 30U;
  constexpr std::uint64_t kMostOfLarge = 64;
  return std::max(kFreeSize, packed * kMostOfLarge);
}

/// Memory for `size` bytes, not initialised, aligned for every element type. Error: OutOfMemory.
[[nodiscard]] Result<std::shared_ptr<std::byte[]>> allocateBytes(std::size_t size);

/// A tensor in memory, and where its elements are to be written.
struct NewTensor {
  Tensor tensor;
  std::byte* bytes = nullptr;
};
/// Makes a tensor whose elements are not initialised. Error: OutOfMemory.
[[nodiscard]] Result<NewTensor> newTensor(DType dtype, std::vector<std::int64_t> shape);

/// Number of elements of a shape that came from a file; nothing when a dimension is negative or the
/// product (zeros left out, as strides are computed from the others) exceeds int64.
[[nodiscard]] std::optional<std::uint64_t> checkedCount(std::span<const std::int64_t> shape);

/// Elements at `offset` of the source, which the caller has checked to lie within it. Shows the
/// bytes where they are, with the source's file; copies them only where their address does not suit
/// the element type. Errors: OutOfMemory, Cancelled, those of ifIntact().
[[nodiscard]] Result<Tensor> tensorAt(const ByteSource& source,
                                      std::size_t offset,
                                      DType dtype,
                                      std::vector<std::int64_t> shape);

/// `read`, that was read, copied or decoded from the source. Error: CorruptData where the source's
/// file became shorter or was changed: what was read may then be none of it, and an error about it
/// would lead nowhere.
template <class T>
[[nodiscard]] Result<T> ifIntact(const ByteSource& source, Result<T> read) {
  ULP_TRY(checkIntact(source.file.get()));
  return read;
}

}  // namespace ulp::tensors
