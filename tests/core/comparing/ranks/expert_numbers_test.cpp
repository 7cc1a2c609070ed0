#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/ranks/merged_shards.h"
#include "core/comparing/ranks/renumbered_units.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ExpertNumbersTest, NumbersOfExpertsAreTheWholeModels) {
  const ExpertShare share{.first = 4, .count = 2};
  EXPECT_EQ(withExpertNumber("layers.3.mlp.experts.local_experts.1.linear_fc1", share),
            "layers.3.mlp.experts.local_experts.5.linear_fc1");
  EXPECT_EQ(withExpertNumber("mlp.experts.0.up_proj.weight", share),
            "mlp.experts.4.up_proj.weight");
  EXPECT_EQ(withExpertNumber("mlp.experts.linear_fc1.weight1", share),
            "mlp.experts.linear_fc1.weight5");
  EXPECT_EQ(withExpertNumber("mlp.experts.2.up_proj", share), "mlp.experts.2.up_proj");
}

TEST(ExpertNumbersTest, WhatIsOfAllExpertsHasNoNumber) {
  EXPECT_FALSE(isOfOneExpert("layers.3.mlp.experts"));
  EXPECT_FALSE(isOfOneExpert("mlp.experts.weight1")) << "Megatron's GroupedMLP";
  EXPECT_FALSE(isOfOneExpert("mlp.experts.gate_up_proj"));
  EXPECT_FALSE(isOfOneExpert("mlp.shared_expert.weight0"));
  EXPECT_TRUE(isOfOneExpert("mlp.experts.linear_fc1.bias0"));
}

/// Which experts and tokens a rank has, of four each; a token is a number.
struct Part {
  int firstExpert = 0;
  int experts = 4;
  int firstToken = 1;
  int tokens = 4;
  bool isNumberedFromZero = true;
};

std::vector<float> upFrom(int first, int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(first + i));
  }
  return values;
}

std::shared_ptr<BuiltUnit> unitOf(const Part& part) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("layers.0.mlp.router", "Router");
  unit->tensor(Role::Parameter, "weight", {7});
  unit->tensor(Role::Output, "0", upFrom(part.firstToken, part.tokens));
  const auto number = [&](int expert) {
    return std::to_string(part.isNumberedFromZero ? expert - part.firstExpert : expert);
  };
  for (int expert = part.firstExpert; expert < part.firstExpert + part.experts; ++expert) {
    const std::size_t module =
        unit->module("layers.0.mlp.experts.local_experts." + number(expert), "MLP");
    unit->tensor(Role::Parameter, "weight", {static_cast<float>(expert)});
    unit->tensor(Role::Output, "0", {static_cast<float>(expert + 10)});
    unit->api("Functional.silu", static_cast<std::uint64_t>(expert - part.firstExpert), module);
    unit->tensor(Role::Output, "0", {static_cast<float>(expert + 20)});
  }
  unit->module("layers.0.mlp.experts.linear_fc1", "TEGroupedLinear");
  for (int expert = part.firstExpert; expert < part.firstExpert + part.experts; ++expert) {
    unit->tensor(Role::Parameter, "weight" + number(expert), {static_cast<float>(expert + 30)});
  }
  unit->module("layers.0.mlp.experts", "GroupedMLP");
  unit->tensor(Role::Parameter, "weight1", upFrom(part.firstExpert, part.experts));
  unit->shape({1, part.experts});
  unit->tensor(Role::Output, "0", upFrom(part.firstToken + 100, part.tokens));
  return unit;
}

std::shared_ptr<BuiltDump> dumpOfExperts(const std::vector<Part>& ranks) {
  auto dump = std::make_shared<BuiltDump>();
  dump->path = "dump";
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    dump->add(unitOf(ranks[rank]), {.rank = static_cast<std::int64_t>(rank)});
  }
  return dump;
}

dumps::DumpPtr mergedOf(const std::vector<Part>& ranks, const std::string& yaml) {
  const auto mapping = SiteMapping::parse(yaml, "m.yaml");
  EXPECT_TRUE(mapping) << mapping.error().message();
  const auto merged = mergeShards(dumpOfExperts(ranks), mapping->dumps(), false);
  EXPECT_TRUE(merged) << merged.error().message();
  return *merged;
}

void expectWhole(const std::vector<Part>& ranks, const std::string& yaml) {
  const auto merged = mergedOf(ranks, yaml);
  const auto comparison = compareDumps(*dumpOfExperts({Part()}), *merged, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  const UnitOutcome& outcome = comparison->units.front();
  EXPECT_THAT(outcome.onlyBaseline, IsEmpty());
  EXPECT_THAT(outcome.onlyCandidate, IsEmpty());
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_THAT(outcome.problems, IsEmpty());
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
  EXPECT_TRUE(outcome.replicas.empty());
  // Router 2, of each expert 3 and its piece of the grouped layer, GroupedMLP 2.
  EXPECT_EQ(outcome.pairedRows, 2U + 4U * 4U + 2U);
  EXPECT_EQ(outcome.equalRows, outcome.pairedRows);
}

TEST(ExpertParallelTest, RanksWithDifferentExpertsAreTheWholeModel) {
  expectWhole({{0, 2, 1, 2}, {2, 2, 3, 2}},
              "ranks: {data: 2, expert: 2, experts: 4}\n"
              "shards: experts\n");
}

TEST(ExpertParallelTest, ExpertsThatCountForTheWholeModelNeedNoNumber) {
  expectWhole({{0, 2, 1, 2, false}, {2, 2, 3, 2, false}},
              "ranks: {data: 2, expert: 2}\n"
              "shards: experts\n");
}

TEST(ExpertParallelTest, RanksOfTheSameExpertsAreReplicas) {
  const auto merged = mergedOf({{0, 2, 1, 1}, {2, 2, 2, 1}, {0, 2, 3, 1}, {2, 2, 4, 1}},
                               "ranks: {data: 4, expert: 2, experts: 4}\n"
                               "shards: experts\n");
  const auto unit = merged->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(textsOf((*unit)->notes), IsEmpty());
  const auto found = std::find_if((*unit)->rows.begin(), (*unit)->rows.end(), [](const auto& row) {
    return row.index == "weight1" && row.name.find("GroupedMLP") != std::string::npos;
  });
  ASSERT_NE(found, (*unit)->rows.end());
  EXPECT_THAT(found->shape, ElementsAre(1, 4));
  const auto tensor = (*unit)->read(static_cast<std::size_t>(found - (*unit)->rows.begin()));
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(numerics::elementAt(tensor->view, 3), 3);
}

TEST(ExpertParallelTest, ExpertsOfOtherRanksStandAmongTheirCalls) {
  const auto merged = mergedOf({{0, 2, 1, 2}, {2, 2, 3, 2}},
                               "ranks: {data: 2, expert: 2, experts: 4}\n"
                               "shards: experts\n");
  const auto unit = merged->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  std::vector<std::string> modules;
  for (const dumps::DumpEntry& entry : (*unit)->entries) {
    if (entry.kind == dumps::EntryKind::Module) {
      modules.push_back(entry.module);
    } else {
      EXPECT_EQ((*unit)->entries[entry.parent].module, entry.module);
    }
  }
  EXPECT_THAT(modules,
              ElementsAre("layers.0.mlp.router",
                          "layers.0.mlp.experts.local_experts.0",
                          "layers.0.mlp.experts.local_experts.1",
                          "layers.0.mlp.experts.local_experts.2",
                          "layers.0.mlp.experts.local_experts.3",
                          "layers.0.mlp.experts.linear_fc1",
                          "layers.0.mlp.experts"));
}

TEST(ExpertParallelTest, NumbersBeyondARanksOwnAreNoted) {
  const auto merged = mergedOf({{0, 2, 1, 2, false}, {2, 2, 3, 2, false}},
                               "ranks: {data: 2, expert: 2, experts: 4}\n"
                               "shards: experts\n");
  const auto unit = merged->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(textsOf((*unit)->notes),
              Contains(HasSubstr("rank 1: has experts with numbers from 2 up")));
}

}  // namespace
}  // namespace ulp::analysis
