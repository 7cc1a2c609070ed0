#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace ulp::test {

/// Writes over the beginning of a file that others may have open, until its time tells: what is
/// written within the same few milliseconds does not change it.
inline void writeInPlace(const std::filesystem::path& path, std::string_view content) {
  const auto before = std::filesystem::last_write_time(path);
  do {
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << content;
  } while (std::filesystem::last_write_time(path) == before);
}

}  // namespace ulp::test
