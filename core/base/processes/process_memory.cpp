#include "core/base/processes/process_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"

namespace ulp {
namespace {

std::optional<std::uint64_t> bytesAfter(std::string_view text, std::string_view key) {
  constexpr std::uint64_t kKibi = 1024;
  std::size_t at = text.find(key);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  at = text.find_first_not_of(" \t", at + key.size());
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  std::uint64_t kibibytes = 0;
  const auto read = std::from_chars(text.data() + at, text.data() + text.size(), kibibytes);
  return read.ec == std::errc() ? std::optional(kibibytes * kKibi) : std::nullopt;
}

}  // namespace

std::optional<ProcessMemory> parseProcessStatus(std::string_view text) {
  const auto resident = bytesAfter(text, "\nVmRSS:");
  const auto peak = bytesAfter(text, "\nVmHWM:");
  if (!resident) {
    return std::nullopt;
  }
  return ProcessMemory{*resident, std::max(*resident, peak.value_or(0))};
}

std::optional<ProcessMemory> readProcessMemory(std::int64_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  const auto textOf = [](const std::string& path) {
    std::ifstream file(path);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  auto memory = parseProcessStatus(textOf(folder + "/status"));
  if (!memory) {
    return memory;
  }
  // Processes are started by the main thread: workers on several devices, Python.
  const std::string children = textOf(folder + "/task/" + std::to_string(pid) + "/children");
  for (const std::string_view child : split(children, ' ')) {
    const auto number = parseNumber<std::int64_t>(child);
    if (const auto more = number ? readProcessMemory(*number) : std::nullopt) {
      memory->residentBytes += more->residentBytes;
      memory->peakBytes += more->peakBytes;
    }
  }
  return memory;
}

}  // namespace ulp
