#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "tests/core/compat/msit/msit_fixture.h"

namespace ulp::compat {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Result<CompareOutcome> compare(const CompareRequest& request) {
  return builtinComparators().find("msit-logitscmp")->compare(request, {}, {});
}

TEST(MsitLogitscmpTest, TheTableIsTheOriginalsByteForByteButForNoiseInOneCell) {
  const auto root = test::msitFixtures();
  if (!root) {
    GTEST_SKIP() << "ULP_FIXTURES is not set";
  }
  const test::TempDir dir;
  const auto folder = *root / "msit_logitscmp";
  const auto outcome = compare({.target = folder / "my",
                                .golden = folder / "golden",
                                .output = dir.path(),
                                .timestamp = "20260101000000"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes, IsEmpty());
  EXPECT_EQ(outcome->files.front(), dir / "logits_cmp_res_20260101000000.csv");
  const test::Table ours = test::readCsv(outcome->files.front());
  const test::Table theirs = test::readCsv(test::onlyFile(folder / "expected", ".csv"));
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t row = 0; row < ours.size(); ++row) {
    for (std::size_t i = 0; i < theirs[row].size(); ++i) {
      const bool isNumber = theirs.front()[i] == "kl_divergence" && row > 0 &&
                            theirs[row][i] != "NA" && theirs[row][i] != ours[row][i];
      if (isNumber) {
        EXPECT_NEAR(std::stod(ours[row][i]), std::stod(theirs[row][i]), 5e-7) << "row " << row;
      } else {
        EXPECT_EQ(ours[row][i], theirs[row][i]) << "row " << row << ", " << theirs.front()[i];
      }
    }
  }
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

TEST(MsitLogitscmpTest, AFileThatCannotBeReadIsNotedAndTheRestCompared) {
  const test::TempDir dir;
  for (const std::string side : {"golden", "my"}) {
    dir.write(side + "/a_1_0.pth", "PK cut off");
    dir.write(side + "/nokey.pth", "");
  }
  const auto outcome =
      compare({.target = dir / "my", .golden = dir / "golden", .output = dir / "out"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->notes.size(), 1U);
  EXPECT_THAT(outcome->notes.front(), HasSubstr("a_1_0.pth"));
  const test::Table table = test::readCsv(outcome->files.front());
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1].back(), "parse_error:invalid logits file name");
}

}  // namespace
}  // namespace ulp::compat
