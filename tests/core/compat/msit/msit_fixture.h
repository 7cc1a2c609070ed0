#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/core/compat/expected_table.h"
#include "tests/support/temp_dir.h"

namespace ulp::compat::test {

using ulp::test::TempDir;

/// Folder of msprobe's and msit's fixtures; nothing where there are none.
inline std::optional<std::filesystem::path> msitFixtures() {
  return ulp::test::fixture("msprobe");
}

inline Table readCsv(const std::filesystem::path& file) {
  return parseCsv(contentOf(file));
}

/// The one file in a folder that ends so.
inline std::filesystem::path onlyFile(const std::filesystem::path& folder, std::string_view end) {
  std::filesystem::path found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().native().ends_with(end)) {
      EXPECT_TRUE(found.empty()) << folder;
      found = entry.path();
    }
  }
  EXPECT_FALSE(found.empty()) << folder;
  return found;
}

}  // namespace ulp::compat::test
