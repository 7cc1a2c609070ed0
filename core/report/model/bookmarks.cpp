#include "core/report/model/bookmarks.h"

#include <array>
#include <fmt/format.h>
#include <string_view>

#include "core/base/files/atomic_file.h"
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
      json::readRecord(reader, bookmarks, kBookmarkFields);
    } else {
      reader.skipValue();
    }
  });
  ULP_TRY(reader.finish());
  return bookmarks;
}

Result<> saveBookmarks(const std::filesystem::path& file, const std::vector<Bookmark>& bookmarks) {
  json::Writer writer;
  writer.value([&] {
    writer.field("schema", kBookmarkSchema);
    writer.key("bookmarks");
    json::writeRecord(writer, bookmarks, kBookmarkFields);
  });
  return writeFileAtomically(file, std::move(writer).take());
}

}  // namespace ulp::report
