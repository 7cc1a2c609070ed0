#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ulp::test {

/// All bytes of a file; empty where there is none.
inline std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace ulp::test
