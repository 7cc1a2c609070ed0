#include "core/compat/msprobe/table_file.h"

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
  const auto file = makeCsvFile(dir / "result.csv", {"title"}, kRows);
  const std::array cells{textCell("a")};
  for (std::size_t row = 0; row < kRows; ++row) {
    file->addRow(cells, Fill::None);
  }
  const auto files = file->finish();
  ASSERT_TRUE(files) << files.error().message();
  ASSERT_EQ(*files, (std::vector{dir / "result_part_1.csv", dir / "result_part_2.csv"}));
  EXPECT_EQ(std::filesystem::file_size(files->front()), std::string("title\n").size() + 2'000'000);
  EXPECT_EQ(test::readFile(files->back()), "title\na\n");
}

TEST(MsprobeTableFileTest, WhatCannotBeWrittenNamesTheFileAndLeavesNothing) {
  const ulp::test::TempDir dir;
  const auto file = makeCsvFile(dir / "none/result.csv", {"title"}, 1);
  const std::array cells{textCell("a")};
  file->addRow(cells, Fill::None);
  const auto files = file->finish();
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code(), ErrorCode::Io);
  EXPECT_NE(files.error().message().find((dir / "none/result.csv").string()), std::string::npos);
  (void)makeCsvFile(dir / "dropped.csv", {"title"}, 1);
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(MsprobeTableFileTest, ACellHoldsSoManyCharactersWhateverTheirBytes) {
  const ulp::test::TempDir dir;
  constexpr std::size_t kCharacters = 32'767;
  std::string text;
  for (std::size_t each = 0; each < kCharacters + 1; ++each) {
    text += "é";
  }
  const auto file = makeSheetFile(dir / "result.xlsx", {"title"}, 1, {});
  const std::array cells{textCell(text)};
  file->addRow(cells, Fill::None);
  const auto files = file->finish();
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_EQ(countOf(ulp::test::readBook(test::readFile(files->front())), "é"), kCharacters);
}

}  // namespace
}  // namespace ulp::compat::msprobe
