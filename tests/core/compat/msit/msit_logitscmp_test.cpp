#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "tests/core/compat/msit/msit_fixture.h"
#include "tests/core/compat/msit/msit_tables.h"

namespace ulp::compat {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Result<CompareOutcome> compare(const CompareRequest& request) {
  return builtinComparators().find("msit-logitscmp")->compare(request, {}, {});
}

TEST(MsitLogitscmpTest, TheTableIsTheOriginalsButForTheLastBitsOfOneColumn) {
  const test::TempDir dir;
  const auto folder = test::msprobeCase("msit_logitscmp");
  const auto outcome = compare({.target = folder / "my",
                                .golden = folder / "golden",
                                .output = dir.path(),
                                .timestamp = "20260101000000"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes, IsEmpty());
  EXPECT_EQ(outcome->files.front(), dir / "logits_cmp_res_20260101000000.csv");
  const test::Table ours = test::readCsv(outcome->files.front());
  const test::Table theirs = test::readCsv(test::onlyFile(folder / "expected", ".csv"));
  EXPECT_EQ(test::firstDifference(ours, theirs), "");
}

TEST(MsitLogitscmpTest, NumbersBehindALanguageAreSpeltAsInTheName) {
  const test::TempDir dir;
  const auto logits = test::msprobeCase("msit_logitscmp") / "golden" / "logits_cpp_12_3.pth";
  for (const std::string side : {"golden", "my"}) {
    std::filesystem::create_directories(dir / side);
    for (const std::string name : {"a_cpp_010_003.pth", "a_cpp_9_3.pth"}) {
      std::filesystem::copy_file(logits, dir / side / name);
    }
  }
  const auto outcome =
      compare({.target = dir / "my", .golden = dir / "golden", .output = dir / "out"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  const test::Table table = test::readCsv(outcome->files.front());
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[1][1], "cpp/9");
  EXPECT_EQ(table[2][1], "cpp/010");
  EXPECT_EQ(table[2][2], "3");
}

TEST(MsitLogitscmpTest, FoldersWithoutACommonFileAreRefused) {
  const test::TempDir dir;
  dir.write("golden/a_1_0.pth", "");
  dir.write("my/b_1_0.pth", "");
  const auto outcome =
      compare({.target = dir / "my", .golden = dir / "golden", .output = dir / "out"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(outcome.error().message(), HasSubstr("no .pth file has the same name in both"));
}

TEST(MsitLogitscmpTest, WhereNoFileCanBeReadThereIsNoTable) {
  const test::TempDir dir;
  for (const std::string side : {"golden", "my"}) {
    dir.write(side + "/a_1_0.pth", "PK cut off");
  }
  const auto outcome =
      compare({.target = dir / "my", .golden = dir / "golden", .output = dir / "out"});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message(), HasSubstr("a_1_0.pth"));
  EXPECT_FALSE(std::filesystem::exists(dir / "out"));
}

TEST(MsitLogitscmpTest, AFileThatCannotBeReadIsNamedAndTheRestCompared) {
  const test::TempDir dir;
  for (const std::string side : {"golden", "my"}) {
    dir.write(side + "/a_1_0.pth", "PK cut off");
    dir.write(side + "/nokey.pth", "");
  }
  const auto outcome =
      compare({.target = dir / "my", .golden = dir / "golden", .output = dir / "out"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->failures.size(), 1U);
  EXPECT_THAT(outcome->failures.front().message(), HasSubstr("a_1_0.pth"));
  const test::Table table = test::readCsv(outcome->files.front());
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1].back(), "parse_error:invalid logits file name");
}

}  // namespace
}  // namespace ulp::compat
