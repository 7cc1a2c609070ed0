#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ulp::report {

/// A place in a report that somebody wants to come back to. Kept beside the report, which itself is
/// never written again.
struct Bookmark {
  std::string title;
  std::string note;
  std::string selectionJson;  ///< an object; only the window knows what is in it

  friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// `bookmarks.json` beside precision_report.json, `NAME.bookmarks.json` beside another NAME.json.
[[nodiscard]] std::filesystem::path bookmarkFile(const std::filesystem::path& reportFile);

/// Reads the bookmarks of a file; none when it does not exist. Errors: CorruptData with file and
/// position, Unsupported (a newer schema), Io.
[[nodiscard]] Result<std::vector<Bookmark>> loadBookmarks(const std::filesystem::path& file);
/// Atomically. Errors: Io.
[[nodiscard]] Result<> saveBookmarks(const std::filesystem::path& file,
                                     const std::vector<Bookmark>& bookmarks);

}  // namespace ulp::report
