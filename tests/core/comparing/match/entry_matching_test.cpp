#include "core/comparing/match/entry_matching.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/stop_scope.h"
#include "core/comparing/match/entry_keys.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> pairsOf(const UnitMatching& matching,
                                 const BuiltUnit& baseline,
                                 const BuiltUnit& candidate) {
  std::vector<std::string> pairs;
  for (const RowPair& pair : matching.rows) {
    pairs.push_back(baseline.rows[pair.baseline].name + " = " +
                    candidate.rows[pair.candidate].name);
  }
  return pairs;
}

TEST(MatchUnitsTest, AnotherClassOfTheSameModuleIsTheSameModule) {
  BuiltUnit baseline;
  baseline.module("model.norm", "LlamaRMSNorm");
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  candidate.module("model.norm", "FusedNorm");
  candidate.recorded(Role::Output, "0", {1});
  const UnitMatching matching = *matchUnits(baseline, candidate);
  ASSERT_EQ(matching.rows.size(), 1U);
  EXPECT_THAT(matching.onlyBaselineEntries, IsEmpty());
  EXPECT_THAT(matching.onlyCandidateEntries, IsEmpty());
}

TEST(MatchUnitsTest, AStopEndsTheMatchingOfManyCallsAndOfManyRows) {
  BuiltUnit calls;
  BuiltUnit rows;
  rows.module("model.norm");
  for (int i = 0; i < 10'000; ++i) {
    calls.module("model.layers." + std::to_string(i));
    calls.recorded(Role::Output, "0", {1});
    rows.recorded(Role::Output, std::to_string(i), {1});
  }
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  for (const BuiltUnit* unit : {&calls, &rows}) {
    const auto matching = matchUnits(*unit, *unit);
    ASSERT_FALSE(matching);
    EXPECT_EQ(matching.error().code(), ErrorCode::Cancelled);
  }
}

TEST(MatchUnitsTest, ACallThatOneSideLacksShiftsNothingOutsideItsModule) {
  const auto build = [](bool hasExtra) {
    auto unit = std::make_shared<BuiltUnit>();
    const std::size_t first = unit->module("model.layers.0");
    unit->recorded(Role::Output, "0", {1});
    const std::size_t second = unit->module("model.layers.1");
    unit->recorded(Role::Output, "0", {1});
    std::uint64_t call = 0;
    if (hasExtra) {
      unit->api("Tensor.add", call++, first);
      unit->recorded(Role::Output, "0", {1});
    }
    unit->api("Tensor.add", call++, second);
    unit->recorded(Role::Output, "0", {1});
    return unit;
  };
  const auto baseline = build(true);
  const auto candidate = build(false);
  const UnitMatching matching = *matchUnits(*baseline, *candidate);
  EXPECT_THAT(matching.onlyBaselineEntries, ElementsAre(2));
  ASSERT_EQ(matching.entries.size(), 3U);
  EXPECT_EQ(baseline->entries[matching.entries[2].baseline].name, "Tensor.add.1.forward");
  EXPECT_EQ(candidate->entries[matching.entries[2].candidate].name, "Tensor.add.0.forward");
}

TEST(MatchUnitsTest, ToolsThatNameRowsDifferentlyMeetByTheSite) {
  BuiltUnit run;
  run.entry({.name = "model.layers.0", .kind = EntryKind::Module, .module = "model.layers.0"});
  run.recorded(Role::Output, "", {1});
  BuiltUnit dump;
  dump.module("model.layers.0", "LlamaDecoderLayer");
  dump.recorded(Role::Input, "0", {1});
  dump.recorded(Role::Output, "0", {1});
  const UnitMatching matching = *matchUnits(run, dump);
  ASSERT_EQ(matching.rows.size(), 1U);
  EXPECT_EQ(matching.rows[0].candidate, 1U);
  EXPECT_THAT(matching.onlyCandidateRows, ElementsAre(0)) << "the input is listed, not dropped";
}

TEST(MatchUnitsTest, AMappingRewritesTheCandidatesModules) {
  BuiltUnit baseline;
  baseline.module("model.layers.0.mlp.down_proj", "Linear");
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  candidate.module("model.layers.0.mlp.w2", "Linear");
  candidate.recorded(Role::Output, "0", {1});
  EXPECT_THAT(matchUnits(baseline, candidate)->rows, IsEmpty());
  const auto mapping = SiteMapping::make({{R"(mlp\.w2)", "mlp.down_proj"}}, {});
  ASSERT_TRUE(mapping);
  const UnitMatching matching = *matchUnits(baseline, candidate, *mapping);
  EXPECT_THAT(pairsOf(matching, baseline, candidate),
              ElementsAre("Module.model.layers.0.mlp.down_proj.Linear.forward.0.output.0 = "
                          "Module.model.layers.0.mlp.w2.Linear.forward.0.output.0"));
}

/// Neither a module nor a row that a rule could not be tried on counts as not matched by it.
TEST(MatchUnitsTest, ARuleThatTakesTooManyStepsIsAnError) {
  const auto mapping = SiteMapping::make({{"^(a+)+$", "model"}}, {});
  ASSERT_TRUE(mapping);
  BuiltUnit baseline;
  baseline.module("model");
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  candidate.module(std::string(60, 'a') + "!");
  candidate.recorded(Role::Output, "0", {1});
  const auto matching = matchUnits(baseline, candidate, *mapping);
  ASSERT_FALSE(matching);
  EXPECT_EQ(matching.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(matching.error().message(), testing::StartsWith("mapping: regular expression "));
}

TEST(MatchUnitsTest, RowsArePairedByRoleAndIndexAndTheRestIsListed) {
  BuiltUnit baseline;
  baseline.module("m");
  baseline.recorded(Role::Input, "0", {1});
  baseline.recorded(Role::Input, "1", {1});
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  candidate.module("m");
  candidate.recorded(Role::Input, "1", {1});
  candidate.recorded(Role::Output, "0", {1});
  candidate.recorded(Role::Output, "1", {1});
  const UnitMatching matching = *matchUnits(baseline, candidate);
  EXPECT_THAT(
      pairsOf(matching, baseline, candidate),
      ElementsAre("Module.m.Module.forward.0.input.1 = Module.m.Module.forward.0.input.1",
                  "Module.m.Module.forward.0.output.0 = Module.m.Module.forward.0.output.0"));
  EXPECT_THAT(matching.onlyBaselineRows, ElementsAre(0));
  EXPECT_THAT(matching.onlyCandidateRows, ElementsAre(2));
}

TEST(MatchUnitsTest, ADumpMeetsTheTensorsThatWereExportedOfIt) {
  BuiltUnit dump;
  dump.module("model.a", "A");
  dump.tensor(Role::Input, "0", {1});
  dump.tensor(Role::Output, "0", {2});
  BuiltUnit files;
  for (const std::size_t row : {std::size_t{1}, std::size_t{0}}) {
    files.entry({.name = dump.rows[row].name, .kind = EntryKind::Tensor});
    files.tensor(Role::Value, "", {1});
    files.rows.back().name = dump.rows[row].name;
  }
  for (const UnitMatching& matching : {*matchUnits(dump, files), *matchUnits(files, dump)}) {
    ASSERT_EQ(matching.rows.size(), 2U);
    EXPECT_EQ(matching.rows[0].baseline, 0U);
    EXPECT_EQ(matching.rows[0].candidate, 1U);
    EXPECT_EQ(matching.rows[1].baseline, 1U);
    EXPECT_EQ(matching.rows[1].candidate, 0U);
    EXPECT_TRUE(matching.onlyBaselineEntries.empty());
    EXPECT_TRUE(matching.onlyCandidateEntries.empty());
    EXPECT_TRUE(matching.onlyBaselineRows.empty());
    EXPECT_TRUE(matching.onlyCandidateRows.empty());
  }
}

TEST(MatchUnitsTest, TwoFilesOfOneTensorArePairedWhateverTheyAreCalled) {
  const auto addTensor = [](BuiltUnit& unit, const std::string& name) {
    unit.entry({.name = name, .kind = EntryKind::Tensor});
    unit.tensor(Role::Value, "", {1, 2});
  };
  BuiltUnit baseline;
  addTensor(baseline, "before");
  BuiltUnit candidate;
  addTensor(candidate, "after");
  EXPECT_EQ(matchUnits(baseline, candidate)->rows.size(), 1U);
  addTensor(candidate, "another");
  const UnitMatching matching = *matchUnits(baseline, candidate);
  EXPECT_THAT(matching.rows, IsEmpty());
  EXPECT_THAT(matching.onlyCandidateEntries, ElementsAre(0, 1));
}

/// How a step with activation checkpointing names what it runs again.
enum class Again { No, ByStack, ByOrder, ByMark };

/// Two layers that a head follows, forward and backward, as tools record them.
std::shared_ptr<BuiltUnit> trainingStep(Again again) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->stacks = {
      {"File train.py, line 3, in step, \n loss.backward()"},
      {"File model.py, line 7, in forward, \n return self.mlp(x)",
       "File /lib/torch/utils/checkpoint.py, line 1400, in recompute_fn, \n fn(*args)"}};
  std::uint64_t call = 0;
  const auto forward = [&](const std::string& path, std::uint64_t number, bool isAgain) {
    const std::size_t module = unit->entry(
        {.name = "Module." + path + ".Layer.forward." + std::to_string(number) +
                 (isAgain && again == Again::ByMark ? ".recomputed" : ""),
         .kind = EntryKind::Module,
         .module = path,
         .operation = "Layer",
         .call = again == Again::ByMark ? 0 : number,
         .stack = isAgain && again == Again::ByStack ? std::size_t{1} : std::size_t{0}});
    unit->recorded(Role::Output, "0", {1, 2});
    unit->api("Functional.linear", call++, module);
    unit->recorded(Role::Output, "0", {1, 2});
  };
  const auto backward = [&](const std::string& path, std::uint64_t number) {
    unit->entry({.name = "Module." + path + ".Layer.backward." + std::to_string(number),
                 .kind = EntryKind::Module,
                 .pass = Pass::Backward,
                 .module = path,
                 .operation = "Layer",
                 .call = again == Again::ByMark ? 0 : number});
    unit->recorded(Role::InputGradient, "0", {1, 2});
  };
  for (const char* path : {"layers.0", "layers.1", "head"}) {
    forward(path, 0, false);
  }
  backward("head", 0);
  for (const char* path : {"layers.1", "layers.0"}) {
    if (again != Again::No) {
      forward(path, 1, true);
    }
    backward(path, again == Again::No ? 0 : 1);
  }
  return unit;
}

class RecomputingRun : public testing::TestWithParam<Again> {};

TEST_P(RecomputingRun, MeetsARunThatKeepsEverything) {
  const auto plain = trainingStep(Again::No);
  const auto again = trainingStep(GetParam());
  const UnitMatching matching = *matchUnits(*plain, *again);
  EXPECT_THAT(matching.onlyBaselineEntries, IsEmpty());
  ASSERT_EQ(matching.entries.size(), 9U);
  EXPECT_EQ(again->entries[matching.entries[2].candidate].name, "Module.layers.1.Layer.forward.0");
  EXPECT_THAT(again->entries[matching.entries[7].candidate].name,
              testing::StartsWith("Module.layers.1.Layer.backward."));
  // The two layers that ran again, with the function inside.
  ASSERT_EQ(matching.onlyCandidateEntries.size(), 4U);
  EXPECT_THAT(matching.candidateReasons.at(matching.onlyCandidateEntries[0]),
              testing::StartsWith("runs again what activation checkpointing did not keep"));
  EXPECT_THAT(matchUnits(*again, *plain)->onlyCandidateEntries, IsEmpty());
}

TEST_P(RecomputingRun, MeetsAnotherOneInBothOfItsRuns) {
  const auto again = trainingStep(GetParam());
  const UnitMatching matching = *matchUnits(*again, *again);
  EXPECT_EQ(matching.entries.size(), 13U);
  for (const EntryPair& pair : matching.entries) {
    EXPECT_EQ(pair.baseline, pair.candidate);
  }
}

INSTANTIATE_TEST_SUITE_P(MatchUnits,
                         RecomputingRun,
                         testing::Values(Again::ByStack, Again::ByOrder, Again::ByMark),
                         [](const auto& one) {
                           return one.param == Again::ByStack   ? "by_stack"
                                  : one.param == Again::ByOrder ? "by_order"
                                                                : "by_mark";
                         });

TEST(MatchUnitsTest, MicroBatchesAreNotTakenForRecomputation) {
  const auto build = [] {
    auto unit = std::make_shared<BuiltUnit>();
    for (std::uint64_t batch = 0; batch < 2; ++batch) {
      for (const Pass pass : {Pass::Forward, Pass::Backward}) {
        unit->entry(
            {.name = "Module.m.Layer." + std::string(toString(pass)) + "." + std::to_string(batch),
             .kind = EntryKind::Module,
             .pass = pass,
             .module = "m",
             .operation = "Layer",
             .call = batch});
        unit->recorded(pass == Pass::Forward ? Role::Output : Role::InputGradient, "0", {1});
      }
    }
    return unit;
  };
  const auto unit = build();
  EXPECT_THAT(recomputedCalls(*unit), IsEmpty());
  EXPECT_EQ(matchUnits(*unit, *build())->entries.size(), 4U);
}

/// Calls of functions in a dump that does not say which modules enclose them.
std::shared_ptr<BuiltUnit> callsOf(const std::vector<std::string>& operations) {
  auto unit = std::make_shared<BuiltUnit>();
  std::map<std::string, std::uint64_t> calls;
  for (const std::string& operation : operations) {
    unit->api(operation, calls[operation]++);
    unit->recorded(Role::Output, "0", {1});
  }
  return unit;
}

TEST(MatchUnitsTest, FuzzyPairsCallsInOrderWhateverTheirNumbers) {
  const auto baseline = callsOf({"a", "x", "b", "x", "c", "x", "d"});
  const auto candidate = callsOf({"a", "b", "x", "c", "x", "d"});
  const auto mapping = SiteMapping::parse("fuzzy: true", "m.yaml");
  ASSERT_TRUE(mapping);
  const UnitMatching exact = *matchUnits(*baseline, *candidate);
  EXPECT_THAT(exact.onlyBaselineEntries, ElementsAre(5)) << "the third x, as there are but two";
  EXPECT_EQ(exact.baselineReasons.at(5), "there are 3 such calls here, 2 on the other side");
  const UnitMatching fuzzy = *matchUnits(*baseline, *candidate, *mapping);
  EXPECT_THAT(fuzzy.onlyBaselineEntries, ElementsAre(1)) << "the x that is really missing";
  EXPECT_THAT(fuzzy.onlyCandidateEntries, IsEmpty());
  EXPECT_EQ(fuzzy.entries[2].baseline, 3U);
  EXPECT_EQ(fuzzy.entries[2].candidate, 2U);
}

UnitMatching matchWith(const BuiltUnit& baseline, const BuiltUnit& candidate, const char* yaml) {
  const auto mapping = SiteMapping::parse(yaml, "m.yaml");
  EXPECT_TRUE(mapping) << mapping.error().message();
  return *matchUnits(baseline, candidate, *mapping);
}

TEST(MatchUnitsTest, RowsThatAMappingNamesArePairedWhereverTheyStand) {
  BuiltUnit baseline;
  baseline.module("m.gate");
  baseline.recorded(Role::Output, "0", {1});
  baseline.recorded(Role::Output, "1", {1});
  baseline.module("m.up");
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  candidate.module("m.w1");
  candidate.recorded(Role::Output, "0", {1});
  candidate.recorded(Role::Output, "1", {1});
  candidate.module("m.up");
  candidate.recorded(Role::Output, "0", {1});
  const UnitMatching matching =
      matchWith(baseline,
                candidate,
                "Module.m.w1.Module.forward.0.output.0: Module.m.gate.Module.forward.0.output.0\n"
                "Module.m.w1.Module.forward.0.output.1: Module.m.up.Module.forward.0.output.0\n");
  EXPECT_THAT(pairsOf(matching, baseline, candidate),
              ElementsAre("Module.m.gate.Module.forward.0.output.0 = "
                          "Module.m.w1.Module.forward.0.output.0",
                          "Module.m.up.Module.forward.0.output.0 = "
                          "Module.m.w1.Module.forward.0.output.1"));
  EXPECT_THAT(matching.onlyBaselineRows, ElementsAre(1));
  EXPECT_THAT(matching.onlyCandidateRows, ElementsAre(2));
  EXPECT_THAT(matching.onlyBaselineEntries, IsEmpty());
}

TEST(MatchUnitsTest, CellsAreMappedByPathAndClass) {
  BuiltUnit baseline;
  baseline.module("model.layers.0.mlp", "LlamaMLP");
  baseline.recorded(Role::Output, "0", {1});
  const std::size_t gate = baseline.module("model.layers.0.mlp.gate_proj", "Linear");
  baseline.recorded(Role::Output, "0", {1});
  baseline.api("Functional.linear", 0, gate);
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  candidate.module("net.layers.0.mlp", "MyMLP");
  candidate.recorded(Role::Output, "0", {1});
  const std::size_t first = candidate.module("net.layers.0.mlp.w1", "Linear");
  candidate.recorded(Role::Output, "0", {1});
  candidate.api("Functional.linear", 0, first);
  candidate.recorded(Role::Output, "0", {1});
  const UnitMatching matching =
      matchWith(baseline,
                candidate,
                "net.layers.0.mlp.MyMLP: model.layers.0.mlp.LlamaMLP\nw1.Linear: gate_proj.Linear\n"
                "net.layers: model.layers\n");
  EXPECT_EQ(matching.entries.size(), 3U);
  EXPECT_THAT(matching.onlyCandidateEntries, IsEmpty());
}

TEST(MatchUnitsTest, LayersAreMappedFromTheTopByTheClassOfTheParent) {
  BuiltUnit baseline;
  for (const char* path :
       {"module.decoder.self_attention.query_key_value", "module.decoder.mlp.dense_h_to_4h"}) {
    baseline.module(path, "Linear");
    baseline.recorded(Role::Output, "0", {1});
  }
  BuiltUnit candidate;
  candidate.module("network", "Net");
  candidate.recorded(Role::Output, "0", {1});
  candidate.module("network.transformer", "Transformer");
  candidate.recorded(Role::Output, "0", {1});
  for (const char* path :
       {"network.transformer.core.attention.qkv", "network.transformer.mlp.mapping"}) {
    candidate.module(path, "Dense");
    candidate.recorded(Role::Output, "0", {1});
  }
  const UnitMatching matching = matchWith(baseline,
                                          candidate,
                                          "TopLayer:\n  network: module\n"
                                          "Net:\n  transformer: decoder\n"
                                          "Transformer:\n  core.attention: self_attention\n"
                                          "  mlp: mlp\n"
                                          "attention:\n  qkv: query_key_value\n"
                                          "mlp:\n  mapping: dense_h_to_4h(ColumnParallel)\n");
  EXPECT_EQ(matching.entries.size(), 2U);
  EXPECT_THAT(matching.onlyBaselineEntries, IsEmpty());
}

}  // namespace
}  // namespace ulp::analysis
