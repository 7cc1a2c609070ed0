#include "core/analysis/dumps/entry_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/dump_builder.h"

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
  const UnitMatching matching = matchUnits(baseline, candidate);
  ASSERT_EQ(matching.rows.size(), 1U);
  EXPECT_THAT(matching.onlyBaselineEntries, IsEmpty());
  EXPECT_THAT(matching.onlyCandidateEntries, IsEmpty());
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
  const UnitMatching matching = matchUnits(*baseline, *candidate);
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
  const UnitMatching matching = matchUnits(run, dump);
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
  EXPECT_THAT(matchUnits(baseline, candidate).rows, IsEmpty());
  const auto mapping = SiteMapping::make({{R"(mlp\.w2)", "mlp.down_proj"}}, {});
  ASSERT_TRUE(mapping);
  const UnitMatching matching = matchUnits(baseline, candidate, *mapping);
  EXPECT_THAT(pairsOf(matching, baseline, candidate),
              ElementsAre("Module.model.layers.0.mlp.down_proj.Linear.forward.0.output.0 = "
                          "Module.model.layers.0.mlp.w2.Linear.forward.0.output.0"));
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
  const UnitMatching matching = matchUnits(baseline, candidate);
  EXPECT_THAT(
      pairsOf(matching, baseline, candidate),
      ElementsAre("Module.m.Module.forward.0.input.1 = Module.m.Module.forward.0.input.1",
                  "Module.m.Module.forward.0.output.0 = Module.m.Module.forward.0.output.0"));
  EXPECT_THAT(matching.onlyBaselineRows, ElementsAre(0));
  EXPECT_THAT(matching.onlyCandidateRows, ElementsAre(2));
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
  EXPECT_EQ(matchUnits(baseline, candidate).rows.size(), 1U);
  addTensor(candidate, "another");
  const UnitMatching matching = matchUnits(baseline, candidate);
  EXPECT_THAT(matching.rows, IsEmpty());
  EXPECT_THAT(matching.onlyCandidateEntries, ElementsAre(0, 1));
}

}  // namespace
}  // namespace ulp::analysis
