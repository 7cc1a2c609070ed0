#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace ulp::test {

/// The folder of all seeds.
inline std::filesystem::path fuzzCorpus() {
  return ULP_SOURCE_DIR "/tests/fuzz/corpus";
}

/// What a folder holds, by name.
inline std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries{std::filesystem::directory_iterator(folder), {}};
  std::ranges::sort(entries);
  return entries;
}

}  // namespace ulp::test
