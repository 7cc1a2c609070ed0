#include "core/comparing/align/dump_sides.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/stop_scope.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/core/tensors/formats/hdf5/reader_script.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

namespace fs = std::filesystem;

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

TEST(PairUnitsTest, OneRunIsComparedWithOneOfAnotherName) {
  BuiltDump baseline;
  BuiltDump candidate;
  for (std::int64_t step = 0; step < 2; ++step) {
    baseline.add(layerUnit(1), {.run = "base", .step = step});
    candidate.add(layerUnit(1), {.run = "bf16", .step = step});
  }
  const UnitPairing pairing = pairUnits(baseline, candidate);
  ASSERT_THAT(pairing.pairs, SizeIs(2));
  EXPECT_EQ(pairing.pairs[1].baseline, 1U);
  EXPECT_EQ(pairing.pairs[1].candidate, 1U);
}

TEST(PairUnitsTest, SeveralRunsAreToldApartByTheirNames) {
  BuiltDump baseline;
  BuiltDump candidate;
  baseline.add(layerUnit(1), {.run = "a", .step = 0});
  baseline.add(layerUnit(1), {.run = "b", .step = 0});
  candidate.add(layerUnit(1), {.run = "b", .step = 0});
  candidate.add(layerUnit(1), {.run = "c", .step = 0});
  const UnitPairing pairing = pairUnits(baseline, candidate);
  ASSERT_THAT(pairing.pairs, SizeIs(1));
  EXPECT_EQ(pairing.pairs[0].baseline, 1U);
  EXPECT_EQ(pairing.pairs[0].candidate, 0U);
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

/// A log of Fast-LLM with one tensor of four elements.
std::string tensorLog() {
  tensors::PickleBytes pickle;
  pickle.op("](}(")
      .unicode("name")
      .unicode("Global : x.y")
      .unicode("shape")
      .op("](K\x02K\x02"
          "e");
  pickle.unicode("dtype").unicode("float32");
  pickle.unicode("samples").tensor("0", 4, 0, {4}, {1}).unicode("step").integer(1);
  return tensors::archiveOf(pickle.op("ue").end(), tensors::numbers({1, 2, 3, 4}));
}

void writeLogs(const test::TempDir& dir, const std::string& run) {
  for (const char* step : {"0", "1"}) {
    dir.write(run + "/runs/0/artifacts/0/tensor_logs_" + step + ".pt", tensorLog());
  }
}

TEST(OpenSidesTest, TheOnlyRunOfSeveralStepsIsMeant) {
  const test::TempDir dir;
  writeLogs(dir, "bf16");
  const auto sides =
      openSides({.baseline = {.path = dir.path()}, .candidate = {.path = dir.path()}});
  ASSERT_TRUE(sides) << sides.error().message();
  EXPECT_EQ(sides->origin.candidate.units.run, "bf16");
  EXPECT_THAT(sides->candidate->units, SizeIs(2));
}

TEST(OpenSidesTest, RunsThatAreNamedHaveTheirStepsInCommon) {
  const test::TempDir dir;
  writeLogs(dir, "base");
  writeLogs(dir, "bf16");
  const auto sides = openSides({.baseline = {.path = dir.path(), .units = {.run = "base"}},
                                .candidate = {.path = dir.path(), .units = {.run = "bf16"}}});
  ASSERT_TRUE(sides) << sides.error().message();
  EXPECT_THAT(pairUnits(*sides->baseline, *sides->candidate).pairs, SizeIs(2));
  const auto unclear =
      openSides({.baseline = {.path = dir.path()}, .candidate = {.path = dir.path()}});
  ASSERT_FALSE(unclear);
  EXPECT_THAT(unclear.error().message(), HasSubstr("there are base, bf16"));
}

TEST(OpenSidesTest, AStepIsChosenOfTheSideAloneThatSaysSteps) {
  const test::TempDir dir;
  writeLogs(dir, "bf16");
  const fs::path file = dir / "x.npy";
  test::writeNpy(file, {2}, {1, 2});
  const auto at = [](const fs::path& path, std::int64_t step) {
    return report::DumpSide{.path = path, .units = {.step = step}};
  };
  const auto sides = openSides({.baseline = at(dir / "bf16", 1), .candidate = at(file, 1)});
  ASSERT_TRUE(sides) << sides.error().message();
  ASSERT_THAT(sides->baseline->units, SizeIs(1));
  EXPECT_EQ(sides->baseline->units[0].axes.step, 1);
  EXPECT_THAT(sides->candidate->units, SizeIs(1));
  EXPECT_EQ(sides->origin.candidate.units.step, std::nullopt);
  const auto lacking = openSides({.baseline = at(dir / "bf16", 7), .candidate = at(file, 7)});
  ASSERT_FALSE(lacking);
  EXPECT_THAT(lacking.error().message(), HasSubstr("bf16: there is no step 7"));
  const auto neither = openSides({.baseline = at(file, 1), .candidate = at(file, 1)});
  ASSERT_FALSE(neither);
  EXPECT_THAT(neither.error().message(), HasSubstr("nothing in it says steps"));
}

TEST(OpenSidesTest, AFolderThatIsNamedByDotsIsCalledAfterItself) {
  const test::TempDir dir;
  test::writeNpy(dir / "golden" / "x.npy", {2}, {1, 2});
  const fs::path dotted = dir / "golden/inner/..";
  fs::create_directories(dir / "golden/inner");
  const auto sides = openSides({.baseline = {.path = dotted}, .candidate = {.path = dotted}});
  ASSERT_TRUE(sides) << sides.error().message();
  EXPECT_EQ(dumpNameOf(sides->candidate->path), "golden");
  EXPECT_EQ(sides->candidate->path, sides->origin.candidate.path);
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

TEST(IsDump, TellsADumpFromARunAndFromWhatIsNeither) {
  const test::TempDir dir;
  test::writeNpy(dir / "dump" / "a.npy", {1}, {1});
  test::writeNpy(dir / "run" / "a.npy", {1}, {1});
  const auto report = dir.write("run/precision_report.json", "{}");
  EXPECT_TRUE(isDump(dir / "dump"));
  EXPECT_TRUE(isDump(dir / "dump/a.npy"));
  EXPECT_FALSE(isDump(dir / "run")) << "a folder with a report is a run";
  EXPECT_TRUE(looksLikeDump(dir / "run")) << "whatever else lies in it";
  EXPECT_FALSE(isDump(report));
  EXPECT_FALSE(isDump(dir / "none"));
}

TEST(IsDump, ADumpThatCannotBeOpenedIsOne) {
  const test::TempDir dir;
  dir.write("newer/rank0/index.jsonl", "{\"schema\": \"ulpscope.recording/9\"}\n");
  EXPECT_TRUE(isDump(dir / "newer"));
  EXPECT_FALSE(recogniseDump(dir / "newer"));
}

/// Each of the two waits for a program that comes to no end.
TEST(OpenUnitPairTest, AStopEndsTheReadingOfBothSides) {
  using Clock = std::chrono::steady_clock;
  const test::TempDir dir;
  const fs::path seed = fs::path(ULP_SOURCE_DIR) / "tests/fuzz/corpus/hdf5/plain.h5";
  fs::copy_file(seed, dir / "a.h5");
  fs::copy_file(seed, dir / "b.h5");
  const fs::path begun = dir / "begun";
  const tensors::ReaderScript reader(dir, "echo $$ >>" + begun.string() + "\nsleep 600");
  std::stop_source source;
  const auto sides =
      openSides({.baseline = {.path = dir / "a.h5"}, .candidate = {.path = dir / "b.h5"}},
                source.get_token());
  ASSERT_TRUE(sides) << sides.error().message();
  Clock::time_point stopped;
  std::thread stopping([&] {
    std::string lines;
    while (std::ranges::count(lines, '\n') < 2) {
      std::this_thread::yield();
      lines = fs::exists(begun) ? test::contentOf(begun) : "";
    }
    stopped = Clock::now();
    source.request_stop();
  });
  const StopScope scope(source.get_token());
  const auto pair = openUnitPair(*sides, {}, source.get_token());
  const auto ended = Clock::now();
  stopping.join();
  ASSERT_FALSE(pair);
  EXPECT_EQ(pair.error().code(), ErrorCode::Cancelled);
  EXPECT_LT(ended - stopped, std::chrono::seconds(10)) << "the programs sleep for minutes";
}

TEST(NamedSides, AreThoseOfACompareJson) {
  const test::TempDir dir;
  dir.write("npu/dump.json", "{}");
  dir.write("golden side/dump.json", "{}");
  const auto sides = sidesNamedBy(
      dir.write("compare.json", R"({"npu_path": "npu", "bench_path": "golden side"})"));
  ASSERT_TRUE(sides && *sides);
  EXPECT_TRUE(std::filesystem::equivalent((*sides)->baseline, dir / "golden side"));
  EXPECT_TRUE(std::filesystem::equivalent((*sides)->candidate, dir / "npu"));
  const auto none = sidesNamedBy(dir.write("other.json", "{}"));
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  EXPECT_FALSE(
      sidesNamedBy(dir.write("gone.json", R"({"npu_path": "npu", "bench_path": "gone"})")));
}

}  // namespace

}  // namespace ulp::analysis
