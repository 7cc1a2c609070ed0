#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tests/support/machine/temp_dir.h"

/// Inputs of formats that are read from the disk: they become files.
namespace ulp::test {

/// Below memory where the system has that. Targets that always read the same files share one for
/// all inputs: to make and remove a folder takes longer than to read it.
class FuzzFolder : public TempDir {
 public:
  FuzzFolder() : TempDir(std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp") {}

  /// False: left out, since the names of an input contradict each other.
  bool write(const std::filesystem::path& name, std::string_view content) const {
    std::error_code ignored;
    if (name.has_parent_path()) {
      std::filesystem::create_directories((path() / name).parent_path(), ignored);
    }
    std::ofstream file(path() / name, std::ios::binary);
    file << content;
    file.close();
    return file.good();
  }
};

/// Files one after the other, each as "NAME\nSIZE\n" and its bytes; what does not fit ends them.
/// Names that would leave the folder are left out.
inline void unpack(std::string_view input, const FuzzFolder& folder) {
  constexpr std::size_t kMostFiles = 64;
  for (std::size_t file = 0; file < kMostFiles && !input.empty(); ++file) {
    const std::size_t line = input.find('\n');
    const std::size_t sizeLine = line == std::string_view::npos ? line : input.find('\n', line + 1);
    if (sizeLine == std::string_view::npos) {
      return;
    }
    const std::string_view name = input.substr(0, line);
    std::size_t size = 0;
    std::from_chars(input.data() + line + 1, input.data() + sizeLine, size);
    input.remove_prefix(sizeLine + 1);
    size = std::min(size, input.size());
    const std::filesystem::path path(name);
    const bool isInside =
        !name.empty() && name.size() < 200 && name.find('\0') == std::string_view::npos &&
        path.is_relative() && path.has_filename() &&
        std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
    if (isInside) {
      folder.write(path, input.substr(0, size));
    }
    input.remove_prefix(size);
  }
}

}  // namespace ulp::test
