#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::compat::test {

using Table = std::vector<std::vector<std::string>>;

using ulp::test::contentOf;
using ulp::test::msprobeCase;

/// CSV with quoted fields (RFC 4180); the first row holds the titles.
inline Table parseCsv(const std::string& text) {
  Table table;
  std::vector<std::string> row;
  std::string field;
  bool isQuoted = false;
  bool isRow = false;
  const auto endRow = [&] {
    row.push_back(std::exchange(field, {}));
    table.push_back(std::exchange(row, {}));
    isRow = false;
  };
  for (std::size_t place = 0; place < text.size(); ++place) {
    const char letter = text[place];
    isRow = isRow || letter != '\n';
    if (isQuoted) {
      if (letter != '"') {
        field += letter;
      } else if (place + 1 < text.size() && text[place + 1] == '"') {
        field += letter;
        ++place;
      } else {
        isQuoted = false;
      }
    } else if (letter == '"') {
      isQuoted = true;
    } else if (letter == ',') {
      row.push_back(std::exchange(field, {}));
    } else if (letter == '\n') {
      endRow();
    } else if (letter != '\r') {
      field += letter;
    }
  }
  if (isRow) {
    endRow();
  }
  return table;
}

/// The only file below `folder` whose name begins and ends so.
inline std::filesystem::path onlyFile(const std::filesystem::path& folder,
                                      std::string_view prefix,
                                      std::string_view suffix) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(suffix)) {
      return entry.path();
    }
  }
  ADD_FAILURE() << folder << " holds no " << prefix << "*" << suffix;
  return {};
}

/// The folder of the one process below `side`.
inline std::filesystem::path processIn(const std::filesystem::path& side) {
  for (const auto& entry : std::filesystem::directory_iterator(side)) {
    if (std::filesystem::exists(entry.path() / "dump.json")) {
      return entry.path();
    }
  }
  return side;
}

}  // namespace ulp::compat::test
