#pragma once

#include <filesystem>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/core/compat/expected_table.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::compat::test {

using ulp::test::TempDir;

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
