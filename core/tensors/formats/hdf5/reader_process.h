#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/formats/hdf5/input_file.h"
#include "core/tensors/formats/hdf5/memory_file.h"

/// How this process has HDF5 files read by another (core/tensors/formats/hdf5/program), so that a
/// file on which the library crashes ends that process and not this one.
namespace ulp::tensors {

inline constexpr const char* kHdf5ReaderProgram = "ulpscope-hdf5";
/// Of the environment: names another program.
inline constexpr const char* kHdf5ReaderVariable = "ULP_HDF5_READER";
/// The numbers under which the reader finds the memory that it fills, and the file.
inline constexpr int kHdf5ReaderPayload = 3;
inline constexpr int kHdf5ReaderInput = 4;
/// The most bytes that the reader may say of what a file holds.
inline constexpr std::size_t kMostHdf5Contents = std::size_t{512} << 20U;

/// What the reader is asked: its arguments, the second of which is the file's name for messages.
struct Hdf5Request {
  std::vector<std::string> arguments;
  std::chrono::milliseconds patience;  ///< before the reader is killed
};

/// Runs the reader on `input` and waits for it, for as long as the request allows and currentStop()
/// does not stop it. It fills `payload`. Never waits for a reader that was killed and does not die.
/// Errors: what the reader reports; where it ended without a report, CorruptData, or OutOfMemory
/// where it was killed; Unsupported, with the remedy, where there is no such program beside this
/// one or in ../bin, or it cannot be started; Cancelled; Io, also where patience ended.
[[nodiscard]] Result<> runHdf5Reader(const Hdf5Request& request,
                                     const InputFile& input,
                                     const MemoryFile& payload);

/// Writes what the reader prints to its standard output before it ends; resultOf() reads it.
[[nodiscard]] std::string reportOf(const Result<>& result);
/// Reads such a report. Only a whole one counts; without it the status of waitpid() tells what
/// happened (nothing: it was lost). Errors: the reported one; CorruptData, OutOfMemory,
/// Unsupported.
[[nodiscard]] Result<> resultOf(std::string_view report,
                                const std::filesystem::path& file,
                                std::optional<int> status = std::nullopt);

/// What the reader of HDF5 files may take before the file counts as damaged: what a few bytes
/// unpack to can fill every memory, and what they describe can be a circle.
struct Hdf5Limits {
  static constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 30U;
  static constexpr std::uint64_t kLeastSeconds = 5;

  std::uint64_t memory = kLeastMemory;    ///< bytes of address space
  std::uint64_t seconds = kLeastSeconds;  ///< on the processor

  /// On the clock, where slow disks and other programs count as well.
  [[nodiscard]] constexpr std::chrono::seconds patience() const {
    constexpr std::uint64_t kLeast = 30;
    constexpr std::uint64_t kShareOfProcessor = 4;
    return std::chrono::seconds(kLeast + kShareOfProcessor * seconds);
  }
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
