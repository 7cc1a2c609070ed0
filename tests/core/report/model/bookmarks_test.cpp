#include "core/report/model/bookmarks.h"

#include <fmt/format.h>
#include <set>
#include <span>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/content_of.h"
#include "tests/support/machine/long_file.h"
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
  const std::vector<BookmarkChange> added{{.after = bookmarks[0]}, {.after = bookmarks[1]}};
  EXPECT_EQ(changeBookmarks(file, added), bookmarks);
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
  EXPECT_THAT(newer.error().message(),
              testing::AllOf(testing::HasSubstr("ulpscope.bookmarks/2"),
                             testing::HasSubstr("open the report with the Ulpscope that wrote")));
}

/// Written again, other bytes would be U+FFFD.
TEST(Bookmarks, ThatAreNotUtf8AreRefusedWithTheirPlaceAndLeftAsTheyAre) {
  const test::TempDir folder;
  const std::string latin =
      "{\"schema\":\"ulpscope.bookmarks/1\",\n\"bookmarks\":[{\"title\":\"\xC3\xA4 "
      "\xE4\",\"note\":\"\","
      "\"selection\":{}}]}";
  const auto file = folder.write("bookmarks.json", latin);
  const BookmarkChange added{.after = Bookmark{.title = "a", .note = {}, .selectionJson = "{}"}};
  const auto changed = changeBookmarks(file, std::span(&added, 1));
  ASSERT_FALSE(changed.has_value());
  EXPECT_EQ(changed.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(changed.error().message(),
              testing::HasSubstr("bookmarks.json:2:26: the byte 0xE4 is not UTF-8"));
  EXPECT_EQ(test::contentOf(file), latin);
}

Bookmark named(const std::string& title, const std::string& note = "") {
  return {.title = title, .note = note, .selectionJson = "{}"};
}

TEST(Bookmarks, HaveUpTo64MiB) {
  const test::TempDir dir;
  const auto errorOf = [&](std::uint64_t bytes) {
    return loadBookmarks(test::longFile(dir, "b.json", "}", bytes)).error().message();
  };
  EXPECT_THAT(errorOf(64U << 20U), testing::Not(testing::HasSubstr(test::kTooLong)));
  EXPECT_THAT(errorOf((64U << 20U) + 1), testing::HasSubstr(test::kTooLong));
}

TEST(Bookmarks, AChangeMeetsWhatOthersWroteMeanwhile) {
  const test::TempDir folder;
  const auto file = folder.path() / "bookmarks.json";
  const Bookmark a = named("a");
  const Bookmark b = named("b");
  const auto change = [&](const BookmarkChange& one) {
    return changeBookmarks(file, std::span(&one, 1)).value();
  };
  change({.after = a});
  EXPECT_EQ(change({.after = b}), (std::vector{a, b})) << "the other's stays";
  EXPECT_EQ(change({.before = a, .after = named("a", "mine")}),
            (std::vector{named("a", "mine"), b}));
  EXPECT_EQ(change({.before = a, .after = named("a", "theirs")}),
            (std::vector{named("a", "mine"), b, named("a", "theirs")}))
      << "both notes are kept";
  EXPECT_EQ(change({.before = a}), (std::vector{named("a", "mine"), b, named("a", "theirs")}))
      << "what was changed is not what was to be removed";
  EXPECT_EQ(change({.before = b}), (std::vector{named("a", "mine"), named("a", "theirs")}));
}

TEST(Bookmarks, OfSeveralThatAreAlikeTheOneThatIsMeantIsChanged) {
  const Bookmark a = named("a");
  std::vector<Bookmark> bookmarks{a, named("b"), a, a};
  apply({.before = a, .after = named("second"), .which = 1}, bookmarks);
  EXPECT_EQ(bookmarks, (std::vector{a, named("b"), named("second"), a}));
  apply({.before = a, .which = 1}, bookmarks);
  EXPECT_EQ(bookmarks, (std::vector{a, named("b"), named("second")}));
  apply({.before = a, .after = named("gone"), .which = 1}, bookmarks);
  EXPECT_EQ(bookmarks, (std::vector{named("gone"), named("b"), named("second")}))
      << "another program has taken the second away";
}

TEST(Bookmarks, OfProgramsThatAddAtTheSameTimeAreAllKept) {
  constexpr int kPrograms = 4;
  constexpr int kEach = 25;
  const test::TempDir folder;
  const auto file = folder.path() / "bookmarks.json";
  std::vector<pid_t> children;
  for (int program = 0; program < kPrograms; ++program) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      bool isSaved = true;
      for (int i = 0; i < kEach; ++i) {
        const BookmarkChange added{.after = named(fmt::format("{}/{}", program, i))};
        isSaved = changeBookmarks(file, std::span(&added, 1)).has_value() && isSaved;
      }
      ::_exit(isSaved ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  std::set<std::string> titles;
  const auto saved = loadBookmarks(file);
  ASSERT_TRUE(saved) << saved.error().message();
  for (const Bookmark& bookmark : *saved) {
    titles.insert(bookmark.title);
  }
  EXPECT_EQ(titles.size(), std::size_t{kPrograms * kEach});
}

TEST(Bookmarks, AreNotChangedWhereTheFileCannotBeRead) {
  const test::TempDir folder;
  const auto file = folder.write("bookmarks.json", "{ damaged");
  const BookmarkChange added{.after = named("a")};
  EXPECT_FALSE(changeBookmarks(file, std::span(&added, 1)).has_value());
  EXPECT_EQ(test::contentOf(file), "{ damaged");
}

}  // namespace
}  // namespace ulp::report
