#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/formats/hdf5/memory_file.h"

/// How this process has HDF5 files of other tools read by another
/// (core/tensors/formats/hdf5/program), so that a file on which the library crashes ends that
/// process and not this one.
namespace ulp::tensors {

inline constexpr const char* kHdf5ReaderProgram = "ulpscope-hdf5";
/// Of the environment: names another program.
inline constexpr const char* kHdf5ReaderVariable = "ULP_HDF5_READER";
/// The number under which the reader finds the memory that it fills.
inline constexpr int kHdf5ReaderPayload = 3;

/// Runs the reader with `arguments`, the second of which is the file, and waits for it, however
/// long its limits (reader_limits.h) let it run. It fills `payload`. Errors: what the reader
/// reports; where it ended without a report, CorruptData, or OutOfMemory where it was killed;
/// Unsupported, with the remedy, where there is no such program beside this one or in ../bin, or it
/// cannot be started; Io.
[[nodiscard]] Result<> runHdf5Reader(const std::vector<std::string>& arguments,
                                     const MemoryFile& payload);

/// Writes what the reader prints to its standard output before it ends; resultOf() reads it.
[[nodiscard]] std::string reportOf(const Result<>& result);
/// Reads such a report. Only a whole one counts; without it the status of waitpid() tells what
/// happened (nothing: it was lost). Errors: the reported one; CorruptData, OutOfMemory,
/// Unsupported.
[[nodiscard]] Result<> resultOf(std::string_view report,
                                const std::filesystem::path& file,
                                std::optional<int> status = std::nullopt);

}  // namespace ulp::tensors
