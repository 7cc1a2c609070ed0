#include "core/comparing/origin/overflow_origin.h"

#include <cmath>
#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/data/shrinking_unit.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using test::kInfinity;
using test::kNan;

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

OverflowSearch searchIn(const dumps::DumpUnit& unit) {
  const auto known = finitenessOf(unit, {});
  EXPECT_TRUE(known);
  return findOverflow(unit, *known);
}

/// One call of an operation with one input and one output.
void addCall(BuiltUnit& unit,
             const std::string& operation,
             const std::vector<double>& input,
             const std::vector<double>& output,
             std::size_t parent = dumps::kNone,
             std::uint64_t call = 0) {
  unit.api(operation, call, parent);
  unit.recorded(Role::Input, "0", input);
  unit.recorded(Role::Output, "0", output);
}

TEST(OverflowOriginTest, FiniteUnitsHaveNone) {
  BuiltUnit unit;
  addCall(unit, "Functional.silu", {1, 2}, {3, 4});
  const OverflowSearch search = searchIn(unit);
  EXPECT_THAT(search.origins, IsEmpty());
  EXPECT_EQ(search.knownTensors, 2U);
  EXPECT_EQ(search.brokenTensors, 0U);
}

TEST(OverflowOriginTest, AnOverflowNamesTheFormatAndWhatCarriesItOn) {
  BuiltUnit unit;
  const std::size_t layer = unit.module("model.layers.3.mlp", "MLP");
  addCall(unit, "Torch.mul", {300, -412}, {kInfinity, 4}, layer);
  unit.rows.back().dtype = "torch.float16";
  addCall(unit, "Functional.silu", {kInfinity, 4}, {kInfinity, 4});
  addCall(unit, "Torch.sub", {kInfinity, 4}, {kNan, 4});
  const OverflowSearch search = searchIn(unit);
  ASSERT_THAT(search.origins, SizeIs(1));
  const OverflowOrigin& origin = search.origins[0];
  EXPECT_EQ(origin.kind, OverflowKind::Overflow);
  EXPECT_EQ(origin.name, "Torch.mul.0.forward");
  EXPECT_EQ(origin.dtype, "float16");
  EXPECT_EQ(origin.limit, 65504);
  EXPECT_EQ(origin.largestInput, 412);
  EXPECT_EQ(origin.site.layer, 3);
  EXPECT_THAT(origin.reason.text(),
              HasSubstr("a result beyond 65504, the largest float16; the largest number that it "
                        "read is 412"));
  EXPECT_THAT(origin.enclosing, ElementsAre("Module.model.layers.3.mlp.MLP.forward.0"));
  EXPECT_THAT(search.carriersOf(origin),
              ElementsAre("Functional.silu.0.forward", "Torch.sub.0.forward"));
  EXPECT_EQ(search.brokenTensors, 5U);
}

TEST(OverflowOriginTest, ABrokenParameterIsGivenAndToldOnce) {
  BuiltUnit unit;
  unit.entry({.name = "Functional.linear.0.forward",
              .kind = EntryKind::Api,
              .module = "model.up",
              .operation = "Functional.linear",
              .parent = 1});
  unit.recorded(Role::Input, "0", {1, 2});
  unit.recorded(Role::Input, "1", {kNan, 2});
  unit.recorded(Role::Output, "0", {kNan, kNan});
  unit.module("model.up", "Linear");
  unit.recorded(Role::Input, "0", {1, 2});
  unit.recorded(Role::Parameter, "weight", {kNan, 2});
  unit.recorded(Role::Output, "0", {kNan, kNan});
  const OverflowSearch search = searchIn(unit);
  ASSERT_THAT(search.origins, SizeIs(1));
  EXPECT_EQ(search.origins[0].kind, OverflowKind::Given);
  EXPECT_EQ(search.origins[0].rowName, "Functional.linear.0.forward.input.1");
  EXPECT_THAT(search.origins[0].reason.text(), HasSubstr("its parameter"));
  EXPECT_THAT(search.origins[0].reason.text(),
              HasSubstr("holds NaN, and nothing recorded has made it"));
}

TEST(OverflowOriginTest, AModuleThatStandsBeforeItsCallsIsNotToldAgain) {
  BuiltUnit unit;
  const std::size_t module = unit.module("model.up", "Linear");
  unit.recorded(Role::Input, "0", {1, 2});
  unit.recorded(Role::Output, "0", {kInfinity, 2});
  addCall(unit, "Torch.matmul", {1, 2}, {kInfinity, 2}, module);
  const OverflowSearch search = searchIn(unit);
  ASSERT_THAT(search.origins, SizeIs(1));
  EXPECT_EQ(search.origins[0].name, "Torch.matmul.0.forward");
}

TEST(OverflowOriginTest, MasksAreMeant) {
  BuiltUnit unit;
  addCall(unit, "Torch.where", {0, 1}, {0, -kInfinity});
  unit.api("Tensor.__add__", 0);
  unit.recorded(Role::Input, "0", {3, 4});
  unit.recorded(Role::Input, "1", {0, -kInfinity});
  unit.recorded(Role::Output, "0", {3, -kInfinity});
  addCall(unit, "Functional.softmax", {3, -kInfinity}, {1, 0});
  EXPECT_THAT(searchIn(unit).origins, IsEmpty());
  addCall(unit, "Functional.softmax", {3, -kInfinity}, {1, kNan}, dumps::kNone, 1);
  const OverflowSearch search = searchIn(unit);
  ASSERT_THAT(search.origins, SizeIs(1));
  EXPECT_EQ(search.origins[0].kind, OverflowKind::NanOfInfinity);
  EXPECT_THAT(search.origins[0].reason.text(), HasSubstr("a row that is masked as a whole"));
  EXPECT_EQ(search.brokenTensors, 1U) << "masks do not count";
}

TEST(OverflowOriginTest, MinusInfinityOfAnOperationIsNoMask) {
  BuiltUnit unit;
  addCall(unit, "Torch.mul", {-300, 300}, {-kInfinity, 4});
  unit.rows.back().dtype = "torch.float16";
  addCall(unit, "Functional.relu", {-kInfinity, 4}, {0, 4});
  addCall(unit, "Torch.sub", {-kInfinity, 4}, {kNan, 4});
  const OverflowSearch search = searchIn(unit);
  ASSERT_THAT(search.origins, SizeIs(1));
  EXPECT_EQ(search.origins[0].name, "Torch.mul.0.forward");
}

TEST(OverflowOriginTest, WhatAnOperationCannotTakeIsSaid) {
  const auto reasonOf = [](const std::string& operation, double lowest, double result) {
    BuiltUnit unit;
    addCall(unit, operation, {lowest, 4}, {result, 4});
    const OverflowSearch search = searchIn(unit);
    return search.origins.empty() ? "" : search.origins[0].reason.text();
  };
  EXPECT_THAT(
      reasonOf("Torch.sqrt", -2, kNan),
      HasSubstr("the root of a negative number; Torch.sqrt.0.forward.input.0 holds -2.00 to 4.00"));
  EXPECT_THAT(reasonOf("Torch.log", -2, kNan), HasSubstr("the logarithm of a negative number"));
  EXPECT_THAT(reasonOf("Torch.log", 0, -kInfinity), HasSubstr("log of 0"));
  EXPECT_THAT(reasonOf("Torch.rsqrt", 0, kInfinity), HasSubstr("rsqrt of 0"));
  EXPECT_THAT(reasonOf("Torch.reciprocal", -1, kInfinity),
              HasSubstr("a division by 0 or by a number near it; "));
  EXPECT_THAT(reasonOf("Torch.reciprocal", 0, kInfinity), HasSubstr("a division by 0; "));
  EXPECT_THAT(reasonOf("Torch.sqrt", 1, kNan), HasSubstr("0 / 0, or memory that nobody wrote"));
}

TEST(OverflowOriginTest, GradientsOfABrokenForwardCallAreItsOwn) {
  const auto build = [](double forward) {
    auto unit = std::make_shared<BuiltUnit>();
    addCall(*unit, "Torch.exp", {1, 2}, {forward, 3});
    unit->entry({.name = "Torch.exp.0.backward",
                 .kind = EntryKind::Api,
                 .pass = Pass::Backward,
                 .operation = "Torch.exp"});
    unit->recorded(Role::OutputGradient, "0", {1, 1});
    unit->recorded(Role::InputGradient, "0", {kInfinity, 3});
    return unit;
  };
  const OverflowSearch both = searchIn(*build(kInfinity));
  ASSERT_THAT(both.origins, SizeIs(1));
  EXPECT_EQ(both.origins[0].site.pass, Pass::Forward);
  const OverflowSearch backward = searchIn(*build(2));
  ASSERT_THAT(backward.origins, SizeIs(1));
  EXPECT_EQ(backward.origins[0].name, "Torch.exp.0.backward");
}

TEST(OverflowOriginTest, WithoutRecordedInputsOnlyTheFirstIsKnown) {
  BuiltUnit unit;
  unit.module("a");
  unit.recorded(Role::Output, "0", {kInfinity, 1});
  unit.module("b");
  unit.recorded(Role::Output, "0", {kInfinity, 1});
  const OverflowSearch search = searchIn(unit);
  ASSERT_THAT(search.origins, SizeIs(1));
  EXPECT_EQ(search.origins[0].site.module, "a");
}

TEST(OverflowOriginTest, ElementsTellAsStatisticsDo) {
  BuiltUnit unit;
  const float infinity = std::numeric_limits<float>::infinity();
  unit.api("Torch.mul", 0);
  unit.tensor(Role::Input, "0", {2, 3});
  unit.tensor(Role::Output, "0", {infinity, 3});
  const OverflowSearch search = searchIn(unit);
  ASSERT_THAT(search.origins, SizeIs(1));
  EXPECT_EQ(search.origins[0].largestInput, 3);
}

struct FixtureCase {
  std::string name;
  std::string side;
  std::string row;  ///< empty: all is finite
};

class OverflowOfFixture : public testing::TestWithParam<FixtureCase> {};

TEST_P(OverflowOfFixture, IsTheTrueOrigin) {
  const auto dump = dumps::openDump(test::msprobeCase(GetParam().name) / GetParam().side);
  ASSERT_TRUE(dump) << dump.error().message();
  for (std::size_t i = 0; i < (*dump)->units.size(); ++i) {
    const auto unit = (*dump)->openUnit(i);
    ASSERT_TRUE(unit);
    const OverflowSearch search = searchIn(**unit);
    EXPECT_GT(search.knownTensors, 0U);
    std::string all;
    for (const OverflowOrigin& origin : search.origins) {
      all += origin.name + ": " + origin.reason.text() + "\n";
    }
    if (GetParam().row.empty()) {
      EXPECT_EQ(all, "");
      continue;
    }
    ASSERT_THAT(search.origins, SizeIs(1)) << all;
    EXPECT_EQ(search.origins[0].rowName, GetParam().row);
    EXPECT_EQ(search.origins[0].kind, OverflowKind::Given);
    EXPECT_FALSE(search.carriersOf(search.origins[0]).empty());
  }
}

std::string nameOfFixture(const testing::TestParamInfo<FixtureCase>& tested) {
  return tested.param.name + "_" + tested.param.side;
}

INSTANTIATE_TEST_SUITE_P(
    Msprobe,
    OverflowOfFixture,
    testing::Values(FixtureCase{"v26_stat_nan", "target", "Functional.linear.12.forward.input.1"},
                    FixtureCase{"v26_stat_inf", "target", "Functional.linear.12.forward.input.1"},
                    FixtureCase{"v83_stat_nan", "target", "Functional.linear.12.forward.input.1"},
                    FixtureCase{
                        "v26_tensor_L0_nan",
                        "target",
                        "Module.model.layers.1.mlp.up_proj.Linear.forward.0.parameters.weight"},
                    FixtureCase{"v26_stat_w", "golden", ""},
                    FixtureCase{"v26_stat_bf16", "target", ""},
                    FixtureCase{"v26_tensor_L0_w", "golden", ""},
                    FixtureCase{"v26_tensor_mix_w", "golden", ""},
                    FixtureCase{"v26_multirank", "target", ""},
                    FixtureCase{"v83_stat_w", "golden", ""}),
    nameOfFixture);

}  // namespace

}  // namespace ulp::analysis
