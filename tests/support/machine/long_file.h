#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tests/support/machine/temp_dir.h"

namespace ulp::test {

/// A file of so many bytes that begins with `start` and goes on with zeros, which take no room.
inline std::filesystem::path longFile(const TempDir& folder,
                                      std::string_view name,
                                      std::string_view start,
                                      std::uint64_t bytes) {
  const std::filesystem::path path = folder.write(name, start);
  std::filesystem::resize_file(path, bytes);
  return path;
}

/// What readers say of a file above their limit.
inline constexpr const char* kTooLong = "larger than expected of such a file";

}  // namespace ulp::test
