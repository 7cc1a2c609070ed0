#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace ulp::test {

/// A file or folder of tests/fixtures, as the build unpacks it. Throws where there is none, which
/// fails the test.
inline std::filesystem::path fixture(const std::filesystem::path& below) {
  std::filesystem::path path = std::filesystem::path(ULP_BINARY_DIR) / "fixtures" / below;
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error(path.string() + ": does not exist; build the target `fixtures`");
  }
  return path;
}

/// The folder of a case of msprobe's or msit's fixtures.
inline std::filesystem::path msprobeCase(const std::string& name) {
  return fixture("msprobe/" + name);
}

}  // namespace ulp::test
