#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/child_process.h"
#include "tests/support/temp_dir.h"

namespace ulp::test {

/// Folder of msprobe's and msit's fixtures; nothing where there are none.
inline std::optional<std::filesystem::path> msitFixtures() {
  const char* root = std::getenv("ULP_FIXTURES");  // NOLINT(concurrency-mt-unsafe)
  if (root == nullptr || !std::filesystem::exists(std::filesystem::path(root) / "msprobe")) {
    return std::nullopt;
  }
  return std::filesystem::path(root) / "msprobe";
}

using Table = std::vector<std::vector<std::string>>;

/// CSV with quotes; fields keep line breaks within them.
inline Table parsedCsv(std::string_view text) {
  Table rows;
  std::vector<std::string> row;
  std::string field;
  bool isQuoted = false;
  for (const char c : text) {
    if (c == '"') {
      isQuoted = !isQuoted;
    } else if (c == ',' && !isQuoted) {
      row.push_back(std::move(field));
      field.clear();
    } else if (c == '\n' && !isQuoted) {
      row.push_back(std::move(field));
      field.clear();
      rows.push_back(std::move(row));
      row.clear();
    } else if (c != '\r') {
      field += c;
    }
  }
  return rows;
}

inline Table readCsv(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return parsedCsv(text.str());
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

}  // namespace ulp::test
