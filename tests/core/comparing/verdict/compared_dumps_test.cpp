#include "core/comparing/verdict/compared_dumps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/tensors/tensor_pair.h"
#include "tests/support/data/compared_report.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/data/elements_of.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ComparedDumpsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* side : {"golden", "target"}) {
      const float last = side == std::string("golden") ? 4 : 5;
      test::writeNpy(m_dir / side / "a.npy", {2, 2}, {1, 2, 3, last});
      test::writeNpy(m_dir / side / "b.npy", {2}, {7, last});
    }
  }
  [[nodiscard]] report::DumpOrigin origin() const {
    return {.baseline = {.path = m_dir / "golden"}, .candidate = {.path = m_dir / "target"}};
  }

  test::TempDir m_dir;
};

TEST_F(ComparedDumpsTest, EveryRowOfTheReportIsFoundWithItsElements) {
  const report::Report report = test::comparedReport(origin());
  ASSERT_EQ(report.runs.size(), 2U);
  ASSERT_EQ(report.runs[1].comparisons.size(), 2U);
  ComparedDumps dumps(*report.dumps);
  for (const report::Comparison& row : report.runs[1].comparisons) {
    const auto found = dumps.find(report.runs[1].name, row.site);
    ASSERT_TRUE(found) << found.error().message();
    ASSERT_TRUE(found->has_value()) << row.site.name;
    EXPECT_EQ((*found)->baseline().shape, row.shape);
    const auto tensor = (*found)->units.candidate->read((*found)->candidateRow);
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_EQ(test::elementsOf(*tensor).back(), 5);
  }
  EXPECT_FALSE(dumps.find(report.runs[1].name, {.name = "nothing of this name"})->has_value());
  const auto unknown = dumps.find("step 9", report.runs[1].comparisons[0].site);
  EXPECT_EQ(unknown.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(unknown.error().message(), HasSubstr("'step 9'"));
}

TEST_F(ComparedDumpsTest, AMappingAndTheChoiceOfUnitsArePartOfTheWay) {
  std::filesystem::rename(m_dir / "target" / "a.npy", m_dir / "target" / "c.npy");
  report::DumpOrigin mapped = origin();
  mapped.mapping = "pairs: {c: a}\n";
  const report::Report report = test::comparedReport(mapped);
  ASSERT_EQ(report.runs[1].comparisons.size(), 2U);
  ComparedDumps dumps(*report.dumps);
  const auto found = dumps.find(report.runs[1].name, report.runs[1].comparisons[0].site);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->baseline().name, "a");
  EXPECT_EQ((*found)->candidate().name, "c");
}

TEST_F(ComparedDumpsTest, ADumpThatWasMovedAwayIsAskedForAgainNextTime) {
  const report::Report report = test::comparedReport(origin());
  ComparedDumps dumps(*report.dumps);
  const Site site = report.runs[1].comparisons[0].site;
  std::filesystem::rename(m_dir / "golden", m_dir / "elsewhere");
  const auto gone = dumps.find(report.runs[1].name, site);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(gone.error().message(), HasSubstr((m_dir / "golden").string()));
  std::filesystem::rename(m_dir / "elsewhere", m_dir / "golden");
  EXPECT_TRUE(dumps.find(report.runs[1].name, site)->has_value());
}

TEST_F(ComparedDumpsTest, UnitsAreFoundByTheNamesOfRunsWithStatisticsStackAndCalls) {
  for (int step = 0; step < 3; ++step) {
    for (const char* side : {"one", "two"}) {
      test::writeStatisticsDump(
          m_dir / side / fmt::format("step{}", step) / "rank0",
          {{"model.layers.0", 1.0 + step}, {"model.layers.1", side[0] == 'o' ? 1.0 : 3.0}});
    }
  }
  const report::Report report = test::comparedReport(
      {.baseline = {.path = m_dir / "one"}, .candidate = {.path = m_dir / "two"}});
  ASSERT_EQ(report.runs.size(), 4U);
  ComparedDumps dumps(*report.dumps);
  for (int step = 0; step < 3; ++step) {
    const report::Run& run = report.runs[static_cast<std::size_t>(step) + 1];
    EXPECT_THAT(run.name, HasSubstr(fmt::format("step {}", step)));
    const auto first = dumps.find(run.name, run.comparisons[0].site);
    ASSERT_TRUE(first && *first) << run.name;
    EXPECT_EQ((*first)->baseline().statistics.max, 1.0 + step);
    const auto second = dumps.find(run.name, run.comparisons[1].site);
    ASSERT_TRUE(second && *second);
    EXPECT_EQ((*second)->baseline().statistics.max, 1.0);
    EXPECT_EQ((*second)->candidate().statistics.max, 3.0);
    EXPECT_FALSE((*second)->baseline().hasElements);
    const dumps::DumpUnit& unit = *(*second)->units.candidate;
    EXPECT_THAT(enclosingCalls(**second), ElementsAre("Module.model.Model.forward.0"));
    const std::size_t stack = unit.entries[(*second)->candidateEntry].stack;
    ASSERT_NE(stack, dumps::kNone);
    EXPECT_THAT(unit.stacks[stack], ElementsAre(HasSubstr("model.py"), HasSubstr("train.py")));
  }
}

/// Of real dumps, whose names repeat and whose calls nest.
TEST(ComparedDumpsFixtures, EveryRowOfARealComparisonIsFoundAgain) {
  for (const char* name : {"v26_stat_w", "v26_tensor_L0_w", "v83_tensor_L0_w", "v26_md5_w"}) {
    const std::filesystem::path folder = test::msprobeCase(name);
    const report::Report report = test::comparedReport(
        {.baseline = {.path = folder / "golden"}, .candidate = {.path = folder / "target"}});
    ComparedDumps dumps(*report.dumps);
    std::size_t rows = 0;
    for (const report::Run& run : report.runs) {
      for (const report::Comparison& row : run.comparisons) {
        const auto found = dumps.find(run.name, row.site);
        ASSERT_TRUE(found) << found.error().message();
        ASSERT_TRUE(found->has_value()) << name << ": " << row.site.name;
        EXPECT_EQ((*found)->baseline().shape, row.shape) << row.site.name;
        ++rows;
      }
    }
    EXPECT_GT(rows, 20U) << name;
  }
}

}  // namespace
}  // namespace ulp::analysis
