#include "core/base/processes/process_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

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
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return parseProcessStatus(text);
}

}  // namespace ulp
