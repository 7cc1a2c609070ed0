#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
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

/// What somebody did to one bookmark: added it (nothing `before`), removed it (nothing `after`), or
/// wrote another title or note.
struct BookmarkChange {
  std::optional<Bookmark> before{};
  std::optional<Bookmark> after{};
  std::size_t which = 0;  ///< of several that are like `before`, counted from 0
};

/// Applies a change. What somebody else changed meanwhile is no longer there as it was before:
/// their version stays, and `after` is added to it, so that nothing is lost.
void apply(const BookmarkChange& change, std::vector<Bookmark>& bookmarks);

/// Reads the bookmarks of a file; none when it does not exist. Errors: CorruptData with file and
/// position (also where it is not UTF-8), Unsupported (another schema), Io.
[[nodiscard]] Result<std::vector<Bookmark>> loadBookmarks(const std::filesystem::path& file);

/// Applies changes to what the file holds by then, whoever wrote it, and returns all that it holds
/// afterwards; written atomically. Errors: as loadBookmarks(), and the file is left as it is; Io.
[[nodiscard]] Result<std::vector<Bookmark>> changeBookmarks(
    const std::filesystem::path& file, std::span<const BookmarkChange> changes);

}  // namespace ulp::report
