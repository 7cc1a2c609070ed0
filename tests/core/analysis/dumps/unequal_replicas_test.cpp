#include "core/analysis/dumps/unequal_replicas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/dumps/dump_comparison.h"
#include "core/analysis/dumps/merged_shards.h"
#include "core/report/finding.h"
#include "tests/support/dump_builder.h"

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

DumpComparison comparisonOf(const Values& rank1, bool isRecorded) {
  BuiltDump baseline;
  baseline.path = "good";
  baseline.add(unitOf({}, isRecorded));
  auto candidate = std::make_shared<BuiltDump>();
  candidate->path = "bad";
  candidate->add(unitOf({}, isRecorded), {.rank = 0});
  candidate->add(unitOf(rank1, isRecorded), {.rank = 1});
  const auto mapping = SiteMapping::parse("ranks: {tensor: 2}", "m.yaml");
  EXPECT_TRUE(mapping);
  const auto merged = mergeShards(candidate, mapping->dumps(), false);
  EXPECT_TRUE(merged);
  auto comparison = compareDumps(baseline, **merged, {});
  EXPECT_TRUE(comparison);
  return std::move(*comparison);
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
  EXPECT_THAT(found.difference, StartsWith("rank 1: norm 3.16"));
  EXPECT_FALSE(found.isOfGradientsAlone);
}

TEST(UnequalReplicasTest, ElementsThatDifferAreFoundWhenTheyAreRead) {
  const DumpComparison comparison = comparisonOf({.second = {3, 5}}, false);
  const UnitOutcome& unit = comparison.units.front();
  ASSERT_THAT(unit.replicas, SizeIs(1));
  EXPECT_EQ(unit.replicas.front().tensors, 1U);
  EXPECT_EQ(unit.replicas.front().row, "Module.b.Norm.forward.0.output.0");
  EXPECT_EQ(unit.replicas.front().difference,
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

TEST(UnequalReplicasTest, GradientsThatAreNotSummedUpYetAreANote) {
  const report::Finding finding = replicasFinding(comparisonOf({.gradient = {5, 7}}, true));
  EXPECT_EQ(finding.severity, report::FindingSeverity::Note);
  EXPECT_THAT(finding.explanation.text(), HasSubstr("until data-parallel ranks have summed"));
}

}  // namespace
}  // namespace ulp::analysis
