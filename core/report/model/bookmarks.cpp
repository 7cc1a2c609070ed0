#include "core/report/model/bookmarks.h"

#include <fmt/format.h>
#include <string_view>

#include "core/base/files/atomic_file.h"
#include "core/json/reader.h"
#include "core/json/writer.h"

namespace ulp::report {
namespace {

constexpr std::string_view kBookmarkSchema = "ulpscope.bookmarks/1";
constexpr std::size_t kLimitBytes = std::size_t{1} << 26;

Bookmark readBookmark(json::Reader& reader) {
  Bookmark bookmark;
  reader.readObject([&](std::string_view key) {
    if (key == "title") {
      bookmark.title = reader.readString();
    } else if (key == "note") {
      bookmark.note = reader.readString();
    } else if (key == "selection") {
      bookmark.selectionJson = reader.skipValue();
    } else {
      reader.skipValue();
    }
  });
  return bookmark;
}

void checkSchema(json::Reader& reader) {
  const std::string schema = reader.readString();
  if (reader.isOk() && schema != kBookmarkSchema) {
    reader.fail(
        ErrorCode::Unsupported,
        fmt::format("'{}' is not {}; written by another version?", schema, kBookmarkSchema));
  }
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
  json::Reader reader(text, origin);
  std::vector<Bookmark> bookmarks;
  reader.readObject([&](std::string_view key) {
    if (key == "schema") {
      checkSchema(reader);
    } else if (key == "bookmarks") {
      reader.readArray([&] { bookmarks.push_back(readBookmark(reader)); });
    } else {
      reader.skipValue();
    }
  });
  ULP_TRY(reader.finish());
  return bookmarks;
}

Result<> saveBookmarks(const std::filesystem::path& file, const std::vector<Bookmark>& bookmarks) {
  json::Writer writer;
  writer.beginObject();
  writer.key("schema");
  writer.value(kBookmarkSchema);
  writer.key("bookmarks");
  writer.beginArray();
  for (const Bookmark& bookmark : bookmarks) {
    writer.beginObject();
    writer.key("title");
    writer.value(std::string_view(bookmark.title));
    writer.key("note");
    writer.value(std::string_view(bookmark.note));
    writer.key("selection");
    writer.raw(bookmark.selectionJson.empty() ? "{}" : bookmark.selectionJson);
    writer.endObject();
  }
  writer.endArray();
  writer.endObject();
  return writeFileAtomically(file, std::move(writer).take());
}

}  // namespace ulp::report
