#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "tests/core/compat/msit/msit_fixture.h"
#include "tests/core/compat/msit/msit_tables.h"
#include "tests/core/report/xlsx_reader.h"

namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const Comparator& msit() {
  static const ComparatorRegistry kRegistry = builtinComparators();
  return *kRegistry.find("msit");
}

/// msit's order of the tokens is that of a set, and that of files the file system's; ours is by
/// number and by name.
void sortAsOurs(test::Table& table) {
  const test::Table original = table;
  std::vector<std::size_t> order;
  for (std::size_t row = 1; row < table.size(); ++row) {
    order.push_back(row);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return std::stoi(original[one].front()) < std::stoi(original[other].front());
  });
  const auto isOneGroup = [&](std::size_t one, std::size_t other) {
    return test::isEachWithEach(original, one) &&
           original[one].front() == original[other].front() &&
           test::cell(original, one, "golden_data_path") ==
               test::cell(original, other, "golden_data_path") &&
           fs::path(test::cell(original, one, "my_data_path")).parent_path() ==
               fs::path(test::cell(original, other, "my_data_path")).parent_path();
  };
  for (auto first = order.begin(); first != order.end();) {
    const auto end = std::find_if(first, order.end(), [&](std::size_t row) {
      return row != *first && !isOneGroup(*first, row);
    });
    std::sort(first, end, [&](std::size_t one, std::size_t other) {
      return test::cell(original, one, "my_data_path") <
             test::cell(original, other, "my_data_path");
    });
    first = end;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    table[i + 1] = original[order[i]];
  }
}

class MsitCompareTest : public testing::Test {
 protected:
  test::Table compared(const fs::path& folder, const std::string& level) const {
    const auto outcome = msit().compare({.target = folder / "my",
                                         .golden = folder / "golden",
                                         .output = m_dir / "out",
                                         .level = level,
                                         .timestamp = "20260101000000"},
                                        {},
                                        {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    if (!outcome) {
      return {};
    }
    EXPECT_THAT(outcome->notes, testing::IsEmpty());
    EXPECT_TRUE(outcome->failures.empty());
    EXPECT_EQ(outcome->files.front(), m_dir / "out/msit_cmp_report_20260101000000.csv");
    return test::readCsv(outcome->files.front());
  }

  void expectEqual(const fs::path& folder, const std::string& expected, const std::string& level) {
    const test::Table ours = compared(folder, level);
    test::Table theirs = test::readCsv(test::onlyFile(folder / expected, ".csv"));
    sortAsOurs(theirs);
    EXPECT_EQ(test::firstDifference(ours, theirs), "") << level;
  }

  test::TempDir m_dir;
};

TEST_F(MsitCompareTest, LogitsAreComparedAsTheOriginalDoes) {
  expectEqual(test::msprobeCase("msit_logits"), "expected", "logits");
}

TEST_F(MsitCompareTest, AWholeModelIsComparedAsTheOriginalDoesAtEveryLevel) {
  const fs::path folder = test::msprobeCase("msit_full");
  expectEqual(folder, "expected_layer", "layer");
  expectEqual(folder, "expected_module", "module");
  expectEqual(folder, "expected_api", "api");
  expectEqual(folder, "expected_logits", "logits");
}

TEST_F(MsitCompareTest, OptionsThatTheOriginalDoesNotHaveAreRefused) {
  const fs::path folder = test::msprobeCase("msit_logits");
  const auto outcome = msit().compare({.target = folder / "my",
                                       .golden = folder / "golden",
                                       .output = m_dir.path(),
                                       .level = "operator"},
                                      {},
                                      {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(outcome.error().message(), HasSubstr("layer, module, api and logits"));
}

TEST_F(MsitCompareTest, AFileThatWasCutOffIsNamedAndItsRowsLeftOut) {
  const fs::path folder = m_dir / "copy";
  fs::copy(test::msprobeCase("msit_logits"), folder, fs::copy_options::recursive);
  const fs::path file =
      folder / "my/msit_dump_20261121_080000/tensors/0_4242/1/14_LmHead/after/outtensor0.bin";
  fs::permissions(file, fs::perms::owner_all);
  fs::resize_file(file, fs::file_size(file) - 1);
  const auto outcome = msit().compare({.target = folder / "my",
                                       .golden = folder / "golden",
                                       .output = m_dir / "out",
                                       .level = "logits"},
                                      {},
                                      {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->failures.size(), 1U);
  EXPECT_THAT(outcome->failures.front().message(), HasSubstr("14_LmHead/after/outtensor0.bin"));
  EXPECT_EQ(test::readCsv(outcome->files.front()).size(), 6U);
  const auto all = msit().compare(
      {.target = folder / "my", .golden = folder / "golden", .output = m_dir / "all"}, {}, {});
  ASSERT_TRUE(all) << all.error().message();
  EXPECT_EQ(all->failures.size(), 1U) << "whatever meets in the file, its reason is told once";
}

TEST_F(MsitCompareTest, DifferentTokensAreComparedOnlyWhereBothAreNamed) {
  const fs::path logits = test::msprobeCase("msit_logits");
  const fs::path golden = logits / "golden/msit_dump_20261121_073010/torch_tensors/cpu_22230";
  const fs::path my = logits / "my/msit_dump_20261121_080000/tensors/0_4242";
  const auto named = msit().compare(
      {.target = my / "1", .golden = golden / "0", .output = m_dir / "out", .level = "logits"},
      {},
      {});
  ASSERT_TRUE(named) << named.error().message();
  const test::Table table = test::readCsv(named->files.front());
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[1].front(), "1");
  const auto other = msit().compare(
      {.target = my, .golden = m_dir.path(), .output = m_dir / "out", .level = "logits"}, {}, {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(other.error().message(), HasSubstr("neither a dump of ATB nor one of PyTorch"));
}

TEST_F(MsitCompareTest, WithoutALevelAWorkbookOfAllIsWrittenAsTheOriginalDoes) {
  const fs::path folder = test::msprobeCase("msit_full");
  const auto outcome = msit().compare({.target = folder / "my",
                                       .golden = folder / "golden",
                                       .output = m_dir / "out",
                                       .timestamp = "20260101000000"},
                                      {},
                                      {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->files.front(), m_dir / "out/msit_cmp_report_20260101000000.xlsx");
  const std::string book = test::contentOf(outcome->files.front());
  for (const std::string level : {"layer", "module", "api"}) {
    const fs::path expected = test::onlyFile(folder / "expected_all", "." + level + ".xlsx.csv");
    test::Table theirs = test::parseCsv(test::contentOf(expected));
    test::Table ours = test::parseCsv(ulp::test::readSheetValues(book, level));
    for (test::Table* table : {&theirs, &ours}) {
      for (std::vector<std::string>& row : *table) {
        ASSERT_FALSE(row.empty());
        row.erase(row.begin());  // the column of colours
      }
    }
    sortAsOurs(theirs);
    EXPECT_EQ(test::firstDifference(ours, theirs), "") << level;
  }
}

}  // namespace
}  // namespace ulp::compat
