#pragma once

#include <algorithm>
#include <cstdint>

namespace ulp::tensors {

/// What the reader of HDF5 files may take before the file counts as damaged: what a few bytes
/// unpack to can fill every memory, and what they describe can be a circle.
struct Hdf5Limits {
  static constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 30U;
  static constexpr std::uint64_t kLeastSeconds = 5;

  std::uint64_t memory = kLeastMemory;    ///< bytes of address space
  std::uint64_t seconds = kLeastSeconds;  ///< on the processor: waiting for a disk does not count
};

/// Gives the limits for listing the datasets of a file of `fileBytes`.
[[nodiscard]] constexpr Hdf5Limits limitsOfList(std::uint64_t fileBytes) {
  constexpr std::uint64_t kMostMemory = std::uint64_t{4} << 30U;
  constexpr std::uint64_t kBytesASecond = std::uint64_t{8} << 20U;
  constexpr std::uint64_t kMostSeconds = 60;
  return {Hdf5Limits::kLeastMemory + std::min(fileBytes, kMostMemory),
          Hdf5Limits::kLeastSeconds + std::min(fileBytes / kBytesASecond, kMostSeconds)};
}

/// Gives the limits for reading elements of `bytes` from a file of `fileBytes`. HDF5 1.10 takes
/// about 2 KiB and 4 µs for each chunk, whatever it holds, and a chunk takes some 40 bytes of the
/// file.
[[nodiscard]] constexpr Hdf5Limits limitsOfRead(std::uint64_t bytes, std::uint64_t fileBytes) {
  constexpr std::uint64_t kMostPacked = std::uint64_t{1} << 30U;
  constexpr std::uint64_t kMemoryOfAByte = 64;
  constexpr std::uint64_t kPackedASecond = std::uint64_t{4} << 20U;
  constexpr std::uint64_t kUnpackedASecond = std::uint64_t{64} << 20U;
  const std::uint64_t packed = std::min(fileBytes, kMostPacked);
  // The elements, and as one chunk once more, packed, and in a buffer that doubled.
  return {Hdf5Limits::kLeastMemory + 4 * bytes + kMemoryOfAByte * packed,
          Hdf5Limits::kLeastSeconds + bytes / kUnpackedASecond + packed / kPackedASecond};
}

}  // namespace ulp::tensors
