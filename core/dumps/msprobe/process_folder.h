#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps::msprobe {

/// One dump.json or debug.json below a path.
struct ProcessFolder {
  std::filesystem::path json;
  std::string step;     ///< name of its step folder, with "graph/" or "pynative/" before it; empty
  std::string process;  ///< name of its own folder: "rank0", "proc4711", "rank"
  std::optional<std::int64_t> stepNumber;
  std::optional<std::int64_t> rank;  ///< of a folder rank{R}
};

inline constexpr const char* kTensorFolder = "dump_tensor_data";

/// What a dump.json, a process folder, a step folder or the folder above it holds, by step and
/// rank. Beside rank folders msprobe ignores those called proc. Reads only names.
[[nodiscard]] std::vector<ProcessFolder> findProcesses(const std::filesystem::path& path);
/// "rank", "rank3", "proc4711".
[[nodiscard]] bool isProcessName(const std::string& name);

/// One process in one step: dump.json (or debug.json) with stack.json and construct.json beside it.
/// Errors: those of readDumpJson().
[[nodiscard]] Result<DumpUnitPtr> openProcess(const ProcessFolder& process,
                                              const std::stop_token& stop,
                                              const Progress& progress);

}  // namespace ulp::dumps::msprobe
