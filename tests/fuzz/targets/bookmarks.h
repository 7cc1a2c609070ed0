#pragma once

#include <cstddef>
#include <cstdint>

#include "core/report/model/bookmarks.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// bookmarks.json. As many are saved as were read, and what was saved once stays the same.
inline void fuzzBookmarks(const std::uint8_t* data, std::size_t size) {
  const FuzzFolder folder;
  const auto file = folder.path() / "bookmarks.json";
  folder.write("bookmarks.json", fuzzText(data, size));
  const auto read = report::loadBookmarks(file);
  if (!read) {
    require(!read.error().message().empty());
    return;
  }
  require(report::changeBookmarks(file, {}).has_value());
  const auto saved = report::loadBookmarks(file);
  require(saved && saved->size() == read->size());
  require(report::changeBookmarks(file, {}).has_value());
  const auto again = report::loadBookmarks(file);
  require(again && *again == *saved);
}

}  // namespace ulp::test
