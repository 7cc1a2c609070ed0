#include "core/comparing/measure/finiteness.h"

#include <cmath>
#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/dump_builder.h"
#include "tests/support/data/shrinking_unit.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Finiteness ofRecorded(const std::vector<double>& values) {
  BuiltUnit unit;
  unit.module("m");
  unit.recorded(Role::Output, "0", values);
  return finitenessOf(unit.rows[0]);
}

TEST(FinitenessTest, StatisticsTellNanFromInfinities) {
  const Finiteness finite = ofRecorded({1, -3});
  EXPECT_TRUE(finite.isKnown && finite.isFinite());
  EXPECT_EQ(finite.largest(), 3);
  const Finiteness nan = ofRecorded({1, kNan});
  EXPECT_TRUE(nan.hasNan);
  EXPECT_FALSE(nan.hasPositive || nan.hasNegative || nan.largest());
  const Finiteness infinite = ofRecorded({1, kInfinity, -kInfinity});
  EXPECT_FALSE(infinite.hasNan) << "their mean is NaN, they are not";
  EXPECT_TRUE(infinite.hasPositive && infinite.hasNegative);
  EXPECT_FALSE(infinite.isLikeMask());
}

TEST(FinitenessTest, AMaskIsMinusInfinityAmongFiniteNumbers) {
  EXPECT_TRUE(ofRecorded({0, -kInfinity}).isLikeMask());
  EXPECT_FALSE(ofRecorded({-kInfinity, -kInfinity}).isLikeMask());
  EXPECT_FALSE(ofRecorded({0, kInfinity}).isLikeMask());
  EXPECT_FALSE(ofRecorded({0, 1}).isLikeMask());
}

TEST(FinitenessTest, ElementsAreReadWhereThereAreNoStatistics) {
  BuiltUnit unit;
  unit.module("m");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  unit.tensor(Role::Input, "0", {1, -7});
  unit.tensor(Role::Output, "0", {nan, 2, -infinity});
  unit.tensor(Role::Output, "1", {nan});
  unit.tensor(Role::Output, "2", {1});
  unit.loseFile(3);
  unit.checksum(Role::Output, "3", "abc");
  const auto known = finitenessOf(unit, {.threads = 3});
  ASSERT_TRUE(known) << known.error().message();
  ASSERT_EQ(known->rows.size(), 5U);
  EXPECT_EQ(known->rows[0].largest(), 7);
  EXPECT_TRUE(known->rows[1].hasNan && known->rows[1].hasNegative);
  EXPECT_EQ(known->rows[1].largest(), 2);
  EXPECT_TRUE(known->rows[2].hasNan);
  EXPECT_FALSE(known->rows[2].largest());
  EXPECT_FALSE(known->rows[3].isKnown);
  EXPECT_FALSE(known->rows[4].isKnown);
  EXPECT_THAT(known->problems, ElementsAre(HasSubstr("output.2: file.pt: no such file")));
  const auto unread = finitenessOf(unit, {.readsElements = false});
  ASSERT_TRUE(unread);
  EXPECT_FALSE(unread->rows[1].isKnown);
  EXPECT_TRUE(unread->problems.empty());
}

TEST(FinitenessTest, OfAFileThatBecameShorterNothingIsKnown) {
  const test::ShrinkingUnit unit;
  const auto known = finitenessOf(unit, {});
  ASSERT_TRUE(known) << known.error().message();
  EXPECT_FALSE(known->rows[0].isKnown);
  EXPECT_FALSE(known->rows[0].hasNan);
  EXPECT_THAT(known->problems, ElementsAre(HasSubstr("the file became shorter")));
}

TEST(FinitenessTest, AStopEndsIt) {
  BuiltUnit unit;
  unit.module("m");
  unit.tensor(Role::Input, "0", {1});
  std::stop_source source;
  source.request_stop();
  const auto known = finitenessOf(unit, {}, source.get_token());
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
