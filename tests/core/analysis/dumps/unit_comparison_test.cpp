#include "core/analysis/dumps/unit_comparison.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/numerics/metrics/metric.h"
#include "tests/support/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::HasSubstr;

double metricOf(const report::Comparison& row, std::string_view id) {
  return row.metrics.at(*numerics::builtinMetrics().indexOf(id));
}

std::shared_ptr<BuiltUnit> twoTensors(float second) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("model.layers.0");
  unit->tensor(Role::Output, "0", {3, second});
  unit->module("model.norm");
  unit->recorded(Role::Output, "0", {1, second});
  return unit;
}

TEST(CompareUnitsTest, ElementsAreComparedWhereThereAreAnyAndStatisticsElsewhere) {
  const auto compared = compareUnits(twoTensors(4), twoTensors(5), {});
  ASSERT_TRUE(compared) << compared.error().message();
  ASSERT_EQ(compared->comparisons.size(), 2U);
  EXPECT_EQ(compared->rows[0].basis, Basis::Elements);
  EXPECT_DOUBLE_EQ(metricOf(compared->comparisons[0], "rms_rel"), 0.2);
  EXPECT_EQ(compared->comparisons[0].site.name, "decoder.0");
  EXPECT_EQ(compared->rows[1].basis, Basis::Statistics);
  EXPECT_TRUE(std::isnan(metricOf(compared->comparisons[1], "rms_rel")));
  EXPECT_DOUBLE_EQ(metricOf(compared->comparisons[1], "stat.max_diff"), 1);
  EXPECT_EQ(compared->comparisons[1].referenceDType, "float32");
}

TEST(CompareUnitsTest, WithoutElementsNothingIsRead) {
  const auto compared = compareUnits(twoTensors(4), twoTensors(4), {.readsElements = false});
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->rows[0].basis, Basis::Nothing) << "this row has no statistics";
  EXPECT_EQ(compared->comparisons.size(), 1U);
}

TEST(CompareUnitsTest, AFileThatCannotBeReadIsAProblemAndTheRestIsCompared) {
  const auto candidate = twoTensors(4);
  candidate->loseFile(0);
  const auto compared = compareUnits(twoTensors(4), candidate, {});
  ASSERT_TRUE(compared);
  EXPECT_THAT(compared->problems, ElementsAre(HasSubstr("file.pt: no such file")));
  EXPECT_TRUE(compared->rows[1].isEqual);
}

TEST(CompareUnitsTest, EqualChecksumsProveEqualityWithoutReadingAFile) {
  const auto left = twoTensors(4);
  const auto right = twoTensors(4);
  left->rows[0].checksum = right->rows[0].checksum = "abc";
  right->loseFile(0);
  const auto compared = compareUnits(left, right, {.hasChecksums = true});
  ASSERT_TRUE(compared);
  EXPECT_TRUE(compared->problems.empty());
  EXPECT_TRUE(compared->rows[0].isEqual);
  EXPECT_DOUBLE_EQ(metricOf(compared->comparisons[0], "checksum_equal"), 1);
}

TEST(CompareUnitsTest, DimensionsOfSizeOneDoNotMatter) {
  const auto left = std::make_shared<BuiltUnit>();
  left->module("m");
  left->tensor(Role::Output, "0", {1, 2});
  const auto right = std::make_shared<BuiltUnit>();
  right->module("m");
  right->tensor(Role::Output, "0", {1, 2});
  right->rows[0].shape = {1, 2, 1};
  const auto compared = compareUnits(left, right, {});
  ASSERT_TRUE(compared);
  EXPECT_TRUE(compared->rows[0].isEqual);
  EXPECT_FALSE(compared->rows[0].isShapeDifferent);
}

TEST(CompareUnitsTest, ManyRowsGiveTheSameWithAnyNumberOfThreads) {
  const auto build = [](float offset) {
    auto unit = std::make_shared<BuiltUnit>();
    for (int i = 0; i < 500; ++i) {
      unit->module("model.layers." + std::to_string(i));
      unit->tensor(Role::Output, "0", {1.0F + static_cast<float>(i) * offset, 2, 3});
    }
    return unit;
  };
  const auto one = compareUnits(build(0), build(0.01F), {.threads = 1});
  const auto four = compareUnits(build(0), build(0.01F), {.threads = 4});
  ASSERT_TRUE(one && four);
  ASSERT_EQ(one->comparisons.size(), 500U);
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(one->comparisons[i].site, four->comparisons[i].site);
    EXPECT_EQ(metricOf(one->comparisons[i], "rms_rel"), metricOf(four->comparisons[i], "rms_rel"));
  }
}

TEST(CompareUnitsTest, AStopEndsIt) {
  std::stop_source source;
  source.request_stop();
  const auto compared = compareUnits(twoTensors(4), twoTensors(4), {}, source.get_token());
  ASSERT_FALSE(compared);
  EXPECT_EQ(compared.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
