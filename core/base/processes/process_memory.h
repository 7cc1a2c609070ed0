#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ulp {

/// Main memory of a process, in bytes.
struct ProcessMemory {
  std::uint64_t residentBytes = 0;
  std::uint64_t peakBytes = 0;  ///< of residentBytes since the process began
};

/// Reads the text of /proc/PID/status; nothing when it does not say (a process that has ended).
[[nodiscard]] std::optional<ProcessMemory> parseProcessStatus(std::string_view text);

/// Reads the memory of a process and of those that it started; nothing where there is no such
/// process, or the system has no /proc.
[[nodiscard]] std::optional<ProcessMemory> readProcessMemory(std::int64_t pid);

}  // namespace ulp
