#include "core/analysis/dumps/dump_sides.h"

#include <filesystem>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/dump_builder.h"
#include "tests/support/temp_dir.h"

namespace ulp::analysis {
namespace {

namespace fs = std::filesystem;

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::shared_ptr<BuiltUnit> layerUnit(double value) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("model.layers.0", "Layer");
  unit->recorded(Role::Output, "0", {value, 2});
  return unit;
}

TEST(PairUnitsTest, UnitsOfEqualAxesBelongTogetherAndTheRestIsListed) {
  BuiltDump baseline;
  baseline.add(layerUnit(1), {.step = 0, .rank = 0});
  baseline.add(layerUnit(1), {.step = 0, .rank = 1});
  BuiltDump candidate;
  candidate.add(layerUnit(1), {.step = 0, .rank = 1});
  candidate.add(layerUnit(1), {.step = 1, .rank = 1});
  const UnitPairing pairing = pairUnits(baseline, candidate);
  ASSERT_THAT(pairing.pairs, SizeIs(1));
  EXPECT_EQ(pairing.pairs[0].baseline, 1U);
  EXPECT_EQ(pairing.pairs[0].candidate, 0U);
  EXPECT_THAT(pairing.onlyBaseline, ElementsAre(0));
  EXPECT_THAT(pairing.onlyCandidate, ElementsAre(1));
}

TEST(PairUnitsTest, AnAxisThatOneSideDoesNotHaveLeavesNoChoice) {
  BuiltDump baseline;
  baseline.add(layerUnit(1), {.step = 0});
  baseline.add(layerUnit(1), {.step = 1});
  BuiltDump candidate;
  candidate.add(layerUnit(1), {.step = 0, .rank = 0});
  candidate.add(layerUnit(1), {.step = 1, .rank = 0});
  EXPECT_THAT(pairUnits(baseline, candidate).pairs, SizeIs(2));
}

TEST(PairUnitsTest, TwoSingleUnitsBelongTogetherWhateverTheyAreCalled) {
  BuiltDump baseline;
  baseline.add(layerUnit(1), {.step = 3});
  BuiltDump candidate;
  candidate.add(layerUnit(1), {.step = 7});
  EXPECT_THAT(pairUnits(baseline, candidate).pairs, SizeIs(1));
}

TEST(ParseSideTest, ARunIsNamedBehindAHashUnlessAFileIsCalledSo) {
  EXPECT_EQ(parseSide("runs/today#bf16"),
            (report::DumpSide{.path = "runs/today", .units = {.run = "bf16"}}));
  EXPECT_EQ(parseSide("runs/today"), (report::DumpSide{.path = "runs/today"}));
  const test::TempDir folder;
  const fs::path file = folder.path() / "take#2";
  fs::create_directory(file);
  EXPECT_EQ(parseSide(file.string()), (report::DumpSide{.path = file}));
}

TEST(OpenSidesTest, ASideThatIsNotThereIsNamed) {
  const auto sides = openSides(
      {.baseline = {.path = "no/such/dump"}, .candidate = {.path = "no/such/dump/either"}});
  ASSERT_FALSE(sides);
  EXPECT_EQ(sides.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(sides.error().message(), HasSubstr("no/such/dump"));
}

TEST(OpenSidesTest, AMappingThatCannotBeReadIsRefusedBeforeADumpIsOpened) {
  const auto sides = openSides({.baseline = {.path = "no/such/dump"},
                                .candidate = {.path = "no/such/dump"},
                                .mapping = "rules: 3"});
  ASSERT_FALSE(sides);
  EXPECT_EQ(sides.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(sides.error().message(), HasSubstr("mapping:1:"));
}

TEST(PlaceOfTest, WhatOneSideLacksIsTheOthers) {
  EXPECT_EQ(placeOf({.run = "reference", .step = 3}, {.step = 7, .rank = 1}),
            (UnitAxes{.step = 3, .rank = 1}));
  EXPECT_TRUE(placeOf({.run = "reference"}, {.run = "bf16"}).isEmpty());
}

TEST(LabelOfTest, SaysBothPlacesWhereTheyDiffer) {
  EXPECT_EQ(labelOf({.step = 0}, {.step = 0}), "step 0");
  EXPECT_EQ(labelOf({.step = 0}, {}), "step 0");
  EXPECT_EQ(labelOf({}, {.rank = 1}), "rank 1");
  EXPECT_EQ(labelOf({.step = 3}, {.step = 7}), "step 3 / step 7");
}

}  // namespace
}  // namespace ulp::analysis
