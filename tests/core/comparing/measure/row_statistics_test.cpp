#include "core/comparing/measure/row_statistics.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/dump_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltUnit;
using test::kFloatNan;
using test::kInfinity;
using test::kNan;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(RowStatisticsTest, WhatWasRecordedIsTakenAsItIs) {
  BuiltUnit unit;
  unit.module("m");
  unit.recorded(Role::Output, "0", {3, -4});
  const RowStatistics known = recordedStatisticsOf(unit.rows[0]);
  EXPECT_EQ(known.numbers.max, 3);
  EXPECT_EQ(known.numbers.norm, 5);
  EXPECT_TRUE(known.isCounted);
  EXPECT_EQ(known.nonFinite.total(), 0U);
}

TEST(RowStatisticsTest, RecordedNumbersTellThatThereAreNanAndInfinitiesAndNotHowMany) {
  BuiltUnit unit;
  unit.module("m");
  unit.recorded(Role::Output, "0", {3, kNan});
  unit.recorded(Role::Output, "1", {kInfinity, -kInfinity});
  const RowStatistics nan = recordedStatisticsOf(unit.rows[0]);
  EXPECT_EQ(nan.nonFinite.nan, 1U);
  EXPECT_FALSE(nan.isCounted);
  const RowStatistics infinite = recordedStatisticsOf(unit.rows[1]);
  EXPECT_EQ(infinite.nonFinite.nan, 0U) << "their mean is NaN, they are not";
  EXPECT_EQ(infinite.nonFinite.positiveInfinity, 1U);
  EXPECT_EQ(infinite.nonFinite.negativeInfinity, 1U);
}

TEST(RowStatisticsTest, AMeanOrANormThatIsNanProvesNanOnlyAmongFiniteExtremes) {
  const auto nanOf = [](const dumps::Statistics& numbers) {
    return recordedStatisticsOf({.statistics = numbers}).nonFinite.nan;
  };
  EXPECT_EQ(nanOf({.max = 3, .min = -4, .mean = kNan, .norm = 5}), 1U);
  EXPECT_EQ(nanOf({.max = 3, .min = -4, .mean = 0, .norm = kNan}), 1U);
  EXPECT_EQ(nanOf({.max = kInfinity, .min = 3, .mean = kNan, .norm = kNan}), 0U);
  EXPECT_EQ(nanOf({.max = 3, .min = -kInfinity, .mean = kNan, .norm = kNan}), 0U);
  EXPECT_EQ(nanOf({.max = 3, .min = -4, .mean = 0, .norm = kInfinity}), 0U);
}

TEST(RowStatisticsTest, OfNothingRecordedNothingIsKnown) {
  BuiltUnit unit;
  unit.module("m");
  unit.checksum(Role::Output, "0", "abc");
  const RowStatistics known = recordedStatisticsOf(unit.rows[0]);
  EXPECT_FALSE(known.isKnown());
  EXPECT_FALSE(known.isCounted);
}

TEST(RowStatisticsTest, ElementsAreReadWhereNumbersAreMissingOrNotFinite) {
  BuiltUnit unit;
  unit.module("m");
  unit.tensor(Role::Output, "0", {3, -4, 0});
  unit.tensor(Role::Output, "1", {3, kFloatNan, kFloatNan, -4});
  unit.rows.back().statistics = {.max = kNan, .min = kNan, .mean = kNan, .norm = kNan};
  unit.tensor(Role::Output, "2", {1});
  unit.rows.back().statistics = {.max = 7, .min = 7, .mean = 7, .norm = 7};
  const auto known = statisticsOf(unit, {.threads = 2});
  ASSERT_TRUE(known) << known.error().message();
  EXPECT_EQ(known->rows[0].numbers.max, 3);
  EXPECT_EQ(known->rows[0].numbers.min, -4);
  EXPECT_DOUBLE_EQ(*known->rows[0].numbers.norm, 5);
  EXPECT_NEAR(*known->rows[0].numbers.mean, -1.0 / 3, 1e-12);
  EXPECT_TRUE(known->rows[0].isRead && known->rows[0].isCounted);
  EXPECT_EQ(known->rows[1].nonFinite.nan, 2U) << "counted, where the dump says no more than NaN";
  EXPECT_DOUBLE_EQ(*known->rows[1].numbers.norm, 5) << "of the finite ones";
  EXPECT_EQ(known->rows[2].numbers.max, 7) << "what was recorded is not read again";
  EXPECT_FALSE(known->rows[2].isRead);
  EXPECT_TRUE(known->problems.empty());
}

TEST(RowStatisticsTest, WithoutElementsNothingIsRead) {
  BuiltUnit unit;
  unit.module("m");
  unit.tensor(Role::Output, "0", {3});
  const auto known = statisticsOf(unit, {.readsElements = false});
  ASSERT_TRUE(known);
  EXPECT_FALSE(known->rows[0].isKnown());
}

TEST(RowStatisticsTest, AFileThatIsGoneIsAProblemAndTheRestIsKnown) {
  BuiltUnit unit;
  unit.module("m");
  unit.tensor(Role::Output, "0", {3});
  unit.tensor(Role::Output, "1", {4});
  unit.loseFile(0);
  const auto known = statisticsOf(unit, {});
  ASSERT_TRUE(known);
  EXPECT_FALSE(known->rows[0].isKnown());
  EXPECT_EQ(known->rows[1].numbers.max, 4);
  EXPECT_THAT(known->problems, ElementsAre(HasSubstr("output.0: file.pt: no such file")));
}

TEST(RowStatisticsTest, AStopEndsIt) {
  BuiltUnit unit;
  unit.module("m");
  unit.tensor(Role::Output, "0", {3});
  std::stop_source source;
  source.request_stop();
  const auto known = statisticsOf(unit, {}, source.get_token());
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
