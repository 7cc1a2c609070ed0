#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "tests/support/temp_dir.h"

namespace ulp::test {

/// The folder of shared inputs with other tools' outputs; nothing where there is none.
inline std::optional<std::filesystem::path> fixtureRoot() {
  const char* root = std::getenv("ULP_FIXTURES");  // NOLINT(concurrency-mt-unsafe)
  std::error_code ignored;
  if (root == nullptr || !std::filesystem::is_directory(root, ignored)) {
    return std::nullopt;
  }
  return std::filesystem::path(root);
}

/// A file or folder of them; nothing where it is not there.
inline std::optional<std::filesystem::path> fixture(const std::filesystem::path& below) {
  const auto root = fixtureRoot();
  std::error_code ignored;
  return root && std::filesystem::exists(*root / below, ignored) ? std::optional(*root / below)
                                                                 : std::nullopt;
}

/// A case of msprobe's or msit's fixtures: a plain folder, or an archive that is unpacked below
/// `dir`.
inline std::filesystem::path msprobeCase(const std::filesystem::path& root,
                                         const std::string& name,
                                         const TempDir& dir) {
  const std::filesystem::path plain = root / "msprobe" / name;
  if (std::filesystem::exists(plain)) {
    return plain;
  }
  const std::filesystem::path archive = root / "msprobe" / "more" / (name + ".tar.xz");
  const std::string command = "tar -C '" + dir.path().string() + "' -xf '" + archive.string() + "'";
  return std::system(command.c_str()) == 0 ? dir / name  // NOLINT(concurrency-mt-unsafe)
                                           : std::filesystem::path();
}

}  // namespace ulp::test
