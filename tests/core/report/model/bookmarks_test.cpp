#include "core/report/model/bookmarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp::report {
namespace {

TEST(Bookmarks, LieBesideTheReport) {
  EXPECT_EQ(bookmarkFile("runs/a/precision_report.json"), "runs/a/bookmarks.json");
  EXPECT_EQ(bookmarkFile("runs/export.json"), "runs/export.bookmarks.json");
}

TEST(Bookmarks, ReadWhatWasWritten) {
  const test::TempDir folder;
  const std::vector<Bookmark> bookmarks{
      {"bf16 › decoder.11", "why \"here\"?\nsee #5", R"({"site":"decoder.11","runs":["bf16"]})"},
      {"", "", "{}"}};
  const auto file = folder.path() / "bookmarks.json";
  EXPECT_TRUE(loadBookmarks(file)->empty());
  ASSERT_TRUE(saveBookmarks(file, bookmarks).has_value());
  const auto again = loadBookmarks(file);
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_EQ(*again, bookmarks);
}

TEST(Bookmarks, RefuseADamagedFileAndANewerOne) {
  const test::TempDir folder;
  const auto damaged = loadBookmarks(folder.write("a.json", R"({"bookmarks": [{"title": )"));
  ASSERT_FALSE(damaged.has_value());
  EXPECT_EQ(damaged.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(damaged.error().message(), testing::HasSubstr("a.json:1:"));
  const auto newer = loadBookmarks(folder.write("b.json", R"({"schema":"ulpscope.bookmarks/2"})"));
  ASSERT_FALSE(newer.has_value());
  EXPECT_EQ(newer.error().code(), ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ulp::report
