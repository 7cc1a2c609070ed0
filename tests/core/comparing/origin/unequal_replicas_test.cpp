#include "core/comparing/origin/unequal_replicas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/ranks/merged_shards.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/report/model/finding.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

struct Values {
  std::vector<float> first{1, 2};
  std::vector<float> second{3, 4};
  std::vector<float> gradient{5, 6};
};

std::shared_ptr<BuiltUnit> unitOf(const Values& values, bool isRecorded) {
  auto unit = std::make_shared<BuiltUnit>();
  const auto add = [&](Role role, const std::string& index, const std::vector<float>& elements) {
    if (isRecorded) {
      unit->recorded(role, index, {elements.begin(), elements.end()});
    } else {
      unit->tensor(role, index, elements);
    }
  };
  // Gradients stand beside the forward call, as msprobe 8.x writes them.
  unit->entry({.name = "Module.a.Norm.parameters_grad",
               .kind = EntryKind::Gradient,
               .pass = Pass::ParameterGradient,
               .module = "a",
               .operation = "Norm"});
  add(Role::ParameterGradient, "weight", values.gradient);
  unit->module("a", "Norm");
  add(Role::Output, "0", values.first);
  unit->module("b", "Norm");
  add(Role::Output, "0", values.second);
  return unit;
}

using UnitPtr = std::shared_ptr<BuiltUnit>;

dumps::DumpPtr merged(const UnitPtr& rank0, const UnitPtr& rank1, const std::string& ranks) {
  auto dump = std::make_shared<BuiltDump>();
  dump->path = "bad";
  dump->add(rank0, {.rank = 0});
  dump->add(rank1, {.rank = 1});
  const auto mapping = SiteMapping::parse("ranks: " + ranks, "m.yaml");
  EXPECT_TRUE(mapping);
  const auto whole = mergeShards(dump, mapping->dumps(), false);
  EXPECT_TRUE(whole);
  return *whole;
}

DumpComparison comparisonOf(const UnitPtr& undivided, const UnitPtr& rank0, const UnitPtr& rank1) {
  BuiltDump baseline;
  baseline.path = "good";
  baseline.add(undivided);
  auto comparison = compareDumps(baseline, *merged(rank0, rank1, "{tensor: 2}"), {});
  EXPECT_TRUE(comparison);
  return std::move(*comparison);
}

DumpComparison comparisonOf(const Values& rank1, bool isRecorded) {
  return comparisonOf(unitOf({}, isRecorded), unitOf({}, isRecorded), unitOf(rank1, isRecorded));
}

TEST(UnequalReplicasTest, TheFirstInOrderOfExecutionIsNamed) {
  const DumpComparison comparison =
      comparisonOf({.first = {1, 3}, .second = {3, 5}, .gradient = {5, 7}}, true);
  const UnitOutcome& unit = comparison.units.front();
  ASSERT_THAT(unit.replicas, SizeIs(1));
  const UnequalReplicas& found = unit.replicas.front();
  EXPECT_FALSE(found.isBaseline);
  EXPECT_EQ(found.tensors, 3U);
  EXPECT_EQ(found.row, "Module.a.Norm.forward.0.output.0");
  EXPECT_EQ(found.site.module, "a");
  EXPECT_THAT(found.difference.text(), StartsWith("rank 1: norm 3.16"));
  EXPECT_EQ(found.expected, 1U) << "the gradient";
  EXPECT_FALSE(found.isExpected());
}

TEST(UnequalReplicasTest, ElementsThatDifferAreFoundWhenTheyAreRead) {
  const DumpComparison comparison = comparisonOf({.second = {3, 5}}, false);
  const UnitOutcome& unit = comparison.units.front();
  ASSERT_THAT(unit.replicas, SizeIs(1));
  EXPECT_EQ(unit.replicas.front().tensors, 1U);
  EXPECT_EQ(unit.replicas.front().row, "Module.b.Norm.forward.0.output.0");
  EXPECT_EQ(unit.replicas.front().difference.text(),
            "rank 1: 1 of 2 elements differ from those of rank 0");
  EXPECT_FALSE(unit.isIdentical());
}

TEST(UnequalReplicasTest, EqualReplicasAreNoFinding) {
  const DumpComparison comparison = comparisonOf({}, false);
  EXPECT_THAT(comparison.units.front().replicas, IsEmpty());
  EXPECT_TRUE(comparison.isIdentical());
}

report::Finding replicasFinding(DumpComparison comparison) {
  const report::Report report = toReport(std::move(comparison));
  const auto findings = report::readFindings(report);
  EXPECT_TRUE(findings);
  for (const report::Finding& finding : *findings) {
    if (finding.rule == "replicas") {
      return finding;
    }
  }
  ADD_FAILURE() << "no such finding";
  return {};
}

TEST(UnequalReplicasTest, TheReportHasAFindingAtThePlace) {
  const report::Finding finding = replicasFinding(comparisonOf({.second = {3, 5}}, false));
  EXPECT_EQ(finding.severity, report::FindingSeverity::Look);
  EXPECT_THAT(finding.title.text(), StartsWith("Module.b.Norm.forward.0.output.0: not equal"));
  EXPECT_THAT(finding.explanation.text(), HasSubstr("rank 1: 1 of 2 elements differ"));
  EXPECT_THAT(finding.explanation.text(), HasSubstr("a rule of 'shards' says so"));
  ASSERT_THAT(finding.sites, SizeIs(1));
  EXPECT_EQ(finding.sites.front().module, "b");
  EXPECT_THAT(finding.numbers, Contains(report::FindingNumber{"tensors that differ", 1.0, false}));
}

/// The gradients of two parameters on each of two ranks that say that they are data-parallel.
UnitOutcome outcomeOfGradients(const std::vector<std::vector<double>>& rank0,
                               const std::vector<std::vector<double>>& rank1,
                               bool isBaseline = false) {
  const auto build = [](const std::vector<std::vector<double>>& gradients) {
    auto unit = std::make_shared<BuiltUnit>();
    for (const char* const name : {"a", "b"}) {
      unit->entry({.name = std::string(name) + ".parameter_gradient",
                   .kind = EntryKind::Gradient,
                   .pass = Pass::ParameterGradient,
                   .module = name,
                   .operation = "Linear"});
      unit->recorded(
          Role::ParameterGradient, "weight", gradients[std::string(name) == "a" ? 0 : 1]);
    }
    return unit;
  };
  auto one = std::make_shared<BuiltDump>();
  one->add(build(rank0));
  auto two = std::make_shared<BuiltDump>();
  two->path = "two";
  two->add(build(rank0), {.rank = 0});
  two->add(build(rank1), {.rank = 1});
  DumpRules rules;
  rules.candidateRanks = RankLayout{.data = {{0, 1}}, .gradientDivisor = 2};
  const auto merged = mergeShards(two, rules, false);
  EXPECT_TRUE(merged);
  auto comparison =
      isBaseline ? compareDumps(**merged, *one, {}) : compareDumps(*one, **merged, {});
  EXPECT_TRUE(comparison);
  return std::move(comparison->units.front());
}

TEST(UnequalReplicasTest, AGradientThatOneRankChangedBehindTheSumIsWhereTheErrorStarts) {
  for (const bool isBaseline : {false, true}) {
    const UnitOutcome unit = outcomeOfGradients({{1, 2}, {3, 4}}, {{1, 2}, {4.5, 6}}, isBaseline);
    ASSERT_THAT(unit.replicas, SizeIs(1));
    EXPECT_FALSE(unit.replicas[0].isExpected());
    ASSERT_THAT(unit.verdict.culprits, SizeIs(1));
    const Culprit& culprit = unit.verdict.culprits.front();
    EXPECT_EQ(toString(culprit.kind), "unequal");
    EXPECT_EQ(culprit.name, "b.parameter_gradient");
    EXPECT_THAT(
        culprit.reason.text(),
        StartsWith(std::string("parameter_gradient.weight is not equal on all ranks of the ") +
                   (isBaseline ? "baseline" : "candidate") + ": rank 1: norm 7.5 instead of 5"));
  }
}

TEST(UnequalReplicasTest, GradientsOfWhichNoneIsAlikeAreNotSummedUpYet) {
  const UnitOutcome unit = outcomeOfGradients({{1, 2}, {3, 4}}, {{2, 3}, {4.5, 6}});
  ASSERT_THAT(unit.replicas, SizeIs(1));
  EXPECT_TRUE(unit.replicas[0].isExpected());
  EXPECT_THAT(unit.verdict.culprits, IsEmpty());
}

TEST(UnequalReplicasTest, GradientsThatAreNotSummedUpYetAreANote) {
  const report::Finding finding = replicasFinding(comparisonOf({.gradient = {5, 7}}, true));
  EXPECT_EQ(finding.severity, report::FindingSeverity::Note);
  EXPECT_THAT(finding.explanation.text(),
              HasSubstr("healthy ranks may differ in all of them: gradients that are not summed"));
}

/// A data-parallel rank: its weights, the loss of its own data, and a tensor that it saved.
UnitPtr rankOfData(float loss, float weight = 3) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("criterion", "Loss");
  unit->tensor(Role::Parameter, "weight", {weight, 4});
  unit->tensor(Role::Output, "0", {loss});
  unit->shape({});
  unit->entry({.name = "probe", .kind = EntryKind::Saved});
  unit->tensor(Role::Value, "", {loss, 1});
  return unit;
}

TEST(UnequalReplicasTest, LossesOfDataParallelRanksAreANoteAndMayBeIdentical) {
  const auto dump = [] { return merged(rankOfData(1), rankOfData(2), "{data: 2}"); };
  auto comparison = compareDumps(*dump(), *dump(), {});
  ASSERT_TRUE(comparison);
  const UnitOutcome& unit = comparison->units.front();
  ASSERT_THAT(unit.replicas, SizeIs(2)) << "of either side";
  EXPECT_EQ(unit.replicas[1].tensors, 2U);
  EXPECT_TRUE(unit.replicas[1].isExpected());
  EXPECT_EQ(unit.replicas[1].row, "Module.criterion.Loss.forward.0.output.0");
  EXPECT_THAT(unit.problems, IsEmpty());
  EXPECT_EQ(unit.equalRows, unit.pairedRows);
  EXPECT_EQ(unit.rowsByStatistics, 0U);
  EXPECT_TRUE(comparison->isIdentical());
  EXPECT_EQ(replicasFinding(std::move(*comparison)).severity, report::FindingSeverity::Note);
}

TEST(UnequalReplicasTest, WeightsOfDataParallelRanksAreHeldAlike) {
  auto comparison = compareDumps(*merged(rankOfData(1), rankOfData(2), "{data: 2}"),
                                 *merged(rankOfData(1), rankOfData(2, 5), "{data: 2}"),
                                 {});
  ASSERT_TRUE(comparison);
  ASSERT_THAT(comparison->units.front().replicas, SizeIs(2));
  const UnequalReplicas& found = comparison->units.front().replicas[1];
  EXPECT_EQ(found.row, "Module.criterion.Loss.forward.0.parameter.weight");
  EXPECT_EQ(found.tensors, 3U);
  EXPECT_EQ(found.expected, 2U);
  EXPECT_FALSE(found.isExpected());
  EXPECT_FALSE(comparison->isIdentical());
}

/// A row-parallel layer: the product inside is a part of the sum that the layer puts out.
UnitPtr rowParallel(float part, float sum) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->api("Torch.matmul", 0);
  unit->tensor(Role::Output, "0", {part, 2});
  unit->module("linear_proj", "RowParallelLinear");
  unit->tensor(Role::Output, "0", {sum, 1});
  return unit;
}

TEST(UnequalReplicasTest, WhatFunctionsHoldOfARankIsNamedBehindWhatShouldBeEqual) {
  const DumpComparison healthy =
      comparisonOf(rowParallel(1, 3), rowParallel(1, 3), rowParallel(2, 3));
  ASSERT_THAT(healthy.units.front().replicas, SizeIs(1));
  EXPECT_TRUE(healthy.units.front().replicas.front().isExpected());
  EXPECT_EQ(healthy.units.front().replicas.front().row, "Torch.matmul.0.forward.output.0");
  const DumpComparison wrong =
      comparisonOf(rowParallel(1, 3), rowParallel(1, 3), rowParallel(2, 4));
  ASSERT_THAT(wrong.units.front().replicas, SizeIs(1));
  const UnequalReplicas& found = wrong.units.front().replicas.front();
  EXPECT_EQ(found.row, "Module.linear_proj.RowParallelLinear.forward.0.output.0");
  EXPECT_EQ(found.tensors, 2U);
  EXPECT_EQ(found.expected, 1U);
}

constexpr std::size_t kSizes[]{8, 4, 4};

UnitPtr splitLayer(float ofKeys, bool isRecorded) {
  auto unit = std::make_shared<BuiltUnit>();
  const char* const names[]{"q_proj", "k_proj", "v_proj"};
  for (std::size_t part = 0; part < 3; ++part) {
    test::Matrix weight = test::counted(kSizes[part], 6, static_cast<int>(part) + 2);
    weight[0][0] += part == 1 ? ofKeys : 0.0F;
    unit->module(std::string("model.layers.0.self_attn.") + names[part], "Linear");
    unit->matrix(Role::Parameter, "weight", weight, isRecorded);
  }
  return unit;
}

UnitPtr fusedLayer(float ofKeys, bool isRecorded) {
  auto unit = std::make_shared<BuiltUnit>();
  test::Matrix whole;
  for (std::size_t part = 0; part < 3; ++part) {
    const test::Matrix weight = test::counted(kSizes[part], 6, static_cast<int>(part) + 2);
    whole.insert(whole.end(), weight.begin(), weight.end());
  }
  whole[kSizes[0]][0] += ofKeys;
  unit->module("model.layers.0.self_attn.qkv_proj", "Linear");
  unit->matrix(Role::Parameter, "weight", whole, isRecorded);
  return unit;
}

TEST(UnequalReplicasTest, ATensorThatIsCutIntoItsPartsCountsOnce) {
  const DumpComparison comparison =
      comparisonOf(splitLayer(0, false), fusedLayer(0, false), fusedLayer(1, false));
  ASSERT_EQ(comparison.units.front().pairedRows, 3U);
  ASSERT_THAT(comparison.units.front().replicas, SizeIs(1));
  EXPECT_EQ(comparison.units.front().replicas.front().tensors, 1U);
}

TEST(UnequalReplicasTest, PartsThatArePutTogetherKeepWhatDiffersInAnyOfThem) {
  const DumpComparison comparison =
      comparisonOf(fusedLayer(0, true), splitLayer(0, true), splitLayer(1, true));
  ASSERT_EQ(comparison.units.front().pairedRows, 1U);
  ASSERT_THAT(comparison.units.front().replicas, SizeIs(1));
  EXPECT_THAT(comparison.units.front().replicas.front().difference.text(), StartsWith("rank 1: "));
}

}  // namespace
}  // namespace ulp::analysis
