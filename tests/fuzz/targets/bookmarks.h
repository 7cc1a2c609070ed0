#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/report/model/bookmarks.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// bookmarks.json, to which one is added: all that were there are there.
inline void fuzzBookmarks(const std::uint8_t* data, std::size_t size) {
  static const FuzzFolder folder;
  const auto file = folder.path() / "bookmarks.json";
  folder.write("bookmarks.json", fuzzText(data, size));
  const std::array<report::BookmarkChange, 1> added{
      report::BookmarkChange{.after = report::Bookmark{"new", "", "{}"}}};
  const auto changed = report::changeBookmarks(file, added);
  if (!changed) {
    require(!changed.error().message().empty());
    return;
  }
  const auto saved = report::loadBookmarks(file);
  require(saved && saved->size() == changed->size() && saved->back() == *added.front().after);
  const auto again = report::changeBookmarks(file, {});
  require(again && *again == *saved);
}

}  // namespace ulp::test
