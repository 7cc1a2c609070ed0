#include "core/compat/msprobe/files/table_file.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/compat/expected_table.h"
#include "tests/core/report/xlsx_reader.h"

namespace ulp::compat::msprobe {
namespace {

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t place = text.find(part); place != std::string::npos;
       place = text.find(part, place + part.size())) {
    ++count;
  }
  return count;
}

/// The same cell in every row.
WriteRows rowsOf(const std::string& text, std::size_t count) {
  return [text, count](TableFile& file) {
    const std::array cells{textCell(text)};
    for (std::size_t row = 0; row < count; ++row) {
      file.addRow(cells, Fill::None);
    }
  };
}

TEST(MsprobeTableFileTest, SheetsOfLongTablesHaveTheSameSize) {
  // save_excel() of msprobe: parts of the same size, rounded up, from 1,048,500 rows on.
  EXPECT_EQ(rowsOfASheet(0), 0U);
  EXPECT_EQ(rowsOfASheet(1'048'499), 1'048'499U);
  EXPECT_EQ(rowsOfASheet(1'048'500), 1'048'500U);
  EXPECT_EQ(rowsOfASheet(1'048'501), 524'251U);
  EXPECT_EQ(rowsOfASheet(2'097'001), 699'001U);
}

TEST(MsprobeTableFileTest, PartsOfLongCsvFilesAreCountedFromOne) {
  const ulp::test::TempDir dir;
  constexpr std::size_t kRows = 1'000'001;
  const auto files = writeCsvFile(dir / "result.csv", {"title"}, kRows, rowsOf("a", kRows));
  ASSERT_TRUE(files) << files.error().message();
  ASSERT_EQ(*files, (std::vector{dir / "result_part_1.csv", dir / "result_part_2.csv"}));
  EXPECT_EQ(std::filesystem::file_size(files->front()), std::string("title\n").size() + 2'000'000);
  EXPECT_EQ(test::contentOf(files->back()), "title\na\n");
}

TEST(MsprobeTableFileTest, WhatCannotBeWrittenNamesTheFileAndLeavesNothing) {
  const ulp::test::TempDir dir;
  const auto files = writeCsvFile(dir / "none/result.csv", {"title"}, 1, rowsOf("a", 1));
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code(), ErrorCode::Io);
  EXPECT_NE(files.error().message().find((dir / "none/result.csv").string()), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

/// A folder stands where the second part should, so that the first is finished and it is not.
TEST(MsprobeTableFileTest, PartsWithoutTheOthersAreNotLeft) {
  const ulp::test::TempDir dir;
  std::filesystem::create_directories(dir / "result_part_2.csv/full");
  constexpr std::size_t kRows = 1'000'001;
  const auto files = writeCsvFile(dir / "result.csv", {"title"}, kRows, rowsOf("a", kRows));
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code(), ErrorCode::Io);
  EXPECT_NE(files.error().message().find((dir / "result_part_2.csv").string()), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir / "result_part_1.csv"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST(MsprobeTableFileTest, ASheetOfNoRowsHasItsTitles) {
  const ulp::test::TempDir dir;
  const auto files = writeSheetFile(dir / "result.xlsx", {"a", "b"}, 0, {}, rowsOf("", 0));
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_EQ(ulp::test::readBook(test::contentOf(files->front())), "Sheet1|a|b\n");
}

TEST(MsprobeTableFileTest, BoolsAreBoolsWhereTheSheetHasThemElseTexts) {
  const ulp::test::TempDir dir;
  const auto write = [](TableFile& file) {
    const std::array cells{flagCell(true), flagCell(false), textCell("True"), numberCell(1)};
    file.addRow(cells, Fill::None);
  };
  const std::vector<std::string> titles{"a", "b", "c", "d"};
  const auto flags = writeSheetFile(dir / "1.xlsx", titles, 1, {.hasFlags = true}, write);
  ASSERT_TRUE(flags) << flags.error().message();
  const std::string book = test::contentOf(flags->front());
  EXPECT_EQ(ulp::test::readSheetKinds(book, "Sheet1"),
            "text,text,text,text\r\nflag,flag,text,number\r\n");
  EXPECT_EQ(ulp::test::readSheetValues(book, "Sheet1"), "__fill,a,b,c,d\r\n,True,False,True,1\r\n");
  const auto texts = writeSheetFile(dir / "2.xlsx", titles, 1, {}, write);
  ASSERT_TRUE(texts) << texts.error().message();
  EXPECT_EQ(ulp::test::readSheetKinds(test::contentOf(texts->front()), "Sheet1"),
            "text,text,text,text\r\ntext,text,text,number\r\n");
}

TEST(MsprobeTableFileTest, EveryCellOfARowHasItsColourAndNoOther) {
  const ulp::test::TempDir dir;
  const auto files = writeSheetFile(dir / "result.xlsx", {"a", "b"}, 4, {}, [](TableFile& file) {
    const std::array cells{textCell("x"), textCell("")};
    for (const Fill fill : {Fill::Red, Fill::None, Fill::Yellow, Fill::Red}) {
      file.addRow(cells, fill);
    }
  });
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_EQ(ulp::test::readSheetKinds(test::contentOf(files->front()), "Sheet1"),
            "text,text\r\ntext FF0000,FF0000\r\ntext,\r\ntext FFFF00,FFFF00\r\n"
            "text FF0000,FF0000\r\n");
}

TEST(MsprobeTableFileTest, ACellHoldsSoManyCharactersWhateverTheirBytes) {
  const ulp::test::TempDir dir;
  constexpr std::size_t kCharacters = 32'767;
  std::string text;
  for (std::size_t each = 0; each < kCharacters + 1; ++each) {
    text += "é";
  }
  const auto files = writeSheetFile(dir / "result.xlsx", {"title"}, 1, {}, rowsOf(text, 1));
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_EQ(countOf(ulp::test::readBook(test::contentOf(files->front())), "é"), kCharacters);
}

}  // namespace
}  // namespace ulp::compat::msprobe
