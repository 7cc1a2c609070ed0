#include "core/report/model/bookmarks.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "core/base/files/atomic_file.h"
#include "core/base/files/folder_turn.h"
#include "core/base/text/utf8.h"
#include "core/json/record.h"

namespace ulp::report {
namespace {

constexpr std::string_view kBookmarkSchema = "ulpscope.bookmarks/1";
constexpr std::size_t kLimitBytes = std::size_t{1} << 26;

constexpr std::array kBookmarkFields{json::field<&Bookmark::title>("title"),
                                     json::field<&Bookmark::note>("note"),
                                     json::rawField<&Bookmark::selectionJson>("selection")};

void checkSchema(json::Reader& reader) {
  const std::string schema = reader.readString();
  if (reader.isOk() && schema != kBookmarkSchema) {
    reader.fail(
        ErrorCode::Unsupported,
        fmt::format(
            "bookmarks of schema '{}', and this version reads '{}'; open the report with the "
            "Ulpscope that wrote them, or move the file away",
            schema,
            kBookmarkSchema));
  }
}

Result<> save(const std::filesystem::path& file, const std::vector<Bookmark>& bookmarks) {
  json::Writer writer;
  writer.value([&] {
    writer.field("schema", kBookmarkSchema);
    writer.key("bookmarks");
    json::writeRecord(writer, bookmarks, kBookmarkFields);
  });
  return writeFileAtomically(file, std::move(writer).take());
}

}  // namespace

std::filesystem::path bookmarkFile(const std::filesystem::path& reportFile) {
  if (reportFile.filename() == "precision_report.json") {
    return reportFile.parent_path() / "bookmarks.json";
  }
  return reportFile.parent_path() / (reportFile.stem().string() + ".bookmarks.json");
}

Result<std::vector<Bookmark>> loadBookmarks(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    return std::vector<Bookmark>();
  }
  const auto text = ULP_TRY(readTextFile(file, kLimitBytes));
  const std::string origin = file.string();
  ULP_TRY(checkUtf8(text, origin));
  json::Reader reader(text, origin);
  std::vector<Bookmark> bookmarks;
  reader.readObject([&](std::string_view key) {
    if (key == "schema") {
      checkSchema(reader);
    } else if (key == "bookmarks") {
      json::readRecord(reader, bookmarks, kBookmarkFields);
    } else {
      reader.skipValue();
    }
  });
  ULP_TRY(reader.finish());
  return bookmarks;
}

void apply(const BookmarkChange& change, std::vector<Bookmark>& bookmarks) {
  auto place = bookmarks.end();
  std::size_t like = 0;
  for (auto one = bookmarks.begin(); one != bookmarks.end() && like <= change.which; ++one) {
    if (change.before == *one) {
      place = one;
      ++like;
    }
  }
  const bool isThere = place != bookmarks.end();
  if (isThere && change.after) {
    *place = *change.after;
  } else if (isThere) {
    bookmarks.erase(place);
  } else if (change.after) {
    bookmarks.push_back(*change.after);
  }
}

Result<std::vector<Bookmark>> changeBookmarks(const std::filesystem::path& file,
                                              std::span<const BookmarkChange> changes) {
  const FolderTurn turn = ULP_TRY(FolderTurn::take(file.parent_path()));
  std::vector<Bookmark> bookmarks = ULP_TRY(loadBookmarks(file));
  for (const BookmarkChange& change : changes) {
    apply(change, bookmarks);
  }
  ULP_TRY(save(file, bookmarks));
  return bookmarks;
}

}  // namespace ulp::report
