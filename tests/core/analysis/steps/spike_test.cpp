#include "core/analysis/steps/spike.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/findings/finding_rule.h"
#include "core/report/model/one_dump.h"

namespace ulp::analysis {
namespace {

using testing::HasSubstr;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<StepValue> seriesOf(const std::vector<double>& values) {
  std::vector<StepValue> series;
  for (const double value : values) {
    series.push_back({.value = value});
  }
  return series;
}

TEST(SpikeTest, BeginsWhereAValueIsManyTimesTheMedianBefore) {
  const auto spike = findSpike(seriesOf({1, 1.2, 0.9, 1.1, 9, 80, 1}));
  ASSERT_TRUE(spike);
  EXPECT_EQ(spike->at, 4U);
  EXPECT_EQ(spike->value, 9);
  EXPECT_DOUBLE_EQ(spike->median, 1.05);
  EXPECT_FALSE(spike->isNonFinite);
}

TEST(SpikeTest, TheFactorIsALimitAndNotReachedByIt) {
  const std::vector<StepValue> series = seriesOf({2, 2, 10});
  EXPECT_FALSE(findSpike(series, {.factor = 5}));
  EXPECT_TRUE(findSpike(series, {.factor = 4.99}));
}

TEST(SpikeTest, HealthyNoiseAndASlowRiseAreNone) {
  EXPECT_FALSE(findSpike(seriesOf({1, 2.5, 0.8, 1.9, 1, 2.8, 1.1})));
  std::vector<double> rise;
  for (int step = 0; step < 200; ++step) {
    rise.push_back(std::pow(1.05, step));
  }
  EXPECT_FALSE(findSpike(seriesOf(rise))) << "17000-fold in the end, and never at once";
}

TEST(SpikeTest, OneStepBeforeIsNoMeasure) {
  EXPECT_FALSE(findSpike(seriesOf({1, 100})));
  EXPECT_TRUE(findSpike(seriesOf({1, 1, 100})));
  EXPECT_FALSE(findSpike(seriesOf({})));
}

TEST(SpikeTest, ZerosBeforeAreNoMeasure) {
  EXPECT_FALSE(findSpike(seriesOf({0, 0, 0, 3})));
}

TEST(SpikeTest, UnknownStepsAreLeftOut) {
  const auto spike = findSpike(seriesOf({kMissing, 1, kMissing, 1, 7}));
  ASSERT_TRUE(spike);
  EXPECT_EQ(spike->at, 4U);
}

TEST(SpikeTest, NotFiniteBeginsWhereAllBeforeWereFinite) {
  std::vector<StepValue> series = seriesOf({1, 1, kMissing});
  series[2].isBroken = true;
  auto spike = findSpike(series);
  ASSERT_TRUE(spike);
  EXPECT_EQ(spike->at, 2U);
  EXPECT_TRUE(spike->isNonFinite);
  spike = findSpike(seriesOf({1, std::numeric_limits<double>::infinity(), 1}));
  ASSERT_TRUE(spike) << "one step before is enough";
  EXPECT_EQ(spike->at, 1U);
}

TEST(SpikeTest, AMaskThatIsInfiniteFromTheFirstStepOnIsNone) {
  std::vector<StepValue> series = seriesOf({1, 1, 1});
  for (StepValue& value : series) {
    value.isBroken = true;
  }
  EXPECT_FALSE(findSpike(series));
}

report::Comparison rowOf(const std::string& name, Pass pass, double norm) {
  report::Comparison row{
      .site = {.name = name, .module = name, .layer = 0, .level = Level::Layer, .pass = pass},
      .shape = {4}};
  row.count = 4;
  row.compared = 4;
  row.metrics = {norm};
  return row;
}

/// Steps of one dump: the norms of two layers and of a gradient.
report::Report stepsReport(const std::vector<std::array<double, 3>>& steps) {
  report::Report report;
  report.metrics = {{"recorded.norm"}};
  report.dumps = report::DumpOrigin{.baseline = {.path = "/dump"}};
  std::int64_t number = 10;
  for (const auto& [first, second, gradient] : steps) {
    report::Run run{.name = "step " + std::to_string(number), .hasLoss = false};
    run.status = report::RunStatus::Finished;
    run.axes = UnitAxes{.step = number++};
    run.comparisons = {rowOf("decoder.0", Pass::Forward, first),
                       rowOf("decoder.1", Pass::Forward, second),
                       rowOf("decoder.0", Pass::Backward, gradient)};
    report.runs.push_back(std::move(run));
  }
  return report;
}

TEST(SpikeTest, EveryTensorOfAReportHasASeriesOfItsOwn) {
  const report::Report report =
      stepsReport({{1, 1, 1}, {1, 1, 1}, {1, 8, 1}, {9, 8, 20}, {9, 8, 20}});
  const auto spikes = findSpikes(report, "recorded.norm");
  ASSERT_EQ(spikes.size(), 3U);
  EXPECT_EQ(spikes[0].step, 12);
  EXPECT_EQ(spikes[0].run, 2U);
  EXPECT_EQ(spikes[0].row, 1U);
  EXPECT_EQ(spikes[1].step, 13);
  EXPECT_EQ(spikes[1].row, 0U);
  EXPECT_EQ(spikes[2].row, 2U);
  EXPECT_TRUE(findSpikes(report, "no such metric").empty());
}

TEST(SpikeTest, StepsCountByTheirNumberWhateverTheOrderOfTheRuns) {
  report::Report report = stepsReport({{1, 1, 1}, {1, 1, 1}, {9, 1, 1}});
  std::swap(report.runs[0], report.runs[2]);
  const auto spikes = findSpikes(report, "recorded.norm");
  ASSERT_EQ(spikes.size(), 1U);
  EXPECT_EQ(spikes[0].step, 12);
  EXPECT_EQ(spikes[0].run, 0U);
}

TEST(SpikeTest, RanksAreSeriesOfTheirOwn) {
  report::Report report = stepsReport({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  const report::Report other = stepsReport({{9, 9, 9}, {9, 9, 9}, {9, 9, 9}});
  for (report::Run run : other.runs) {
    run.name += ", rank 1";
    run.axes->rank = 1;
    report.runs.push_back(run);
  }
  EXPECT_TRUE(findSpikes(report, "recorded.norm").empty());
}

std::vector<report::Finding> findingsOfSpikes(const report::Report& report) {
  std::vector<report::Finding> findings = findFindings(report);
  std::erase_if(findings, [](const report::Finding& finding) { return finding.rule != "spike"; });
  return findings;
}

TEST(SpikeTest, TheRuleNamesTheStepTheTensorAndTheFactor) {
  const report::Report report =
      stepsReport({{1, 1, 1}, {1, 1, 1}, {1, 8, 1}, {9, 8, 20}, {9, 8, 20}});
  const std::vector<report::Finding> findings = findFindings(report);
  ASSERT_EQ(findings.size(), 3U) << "no rule about errors has anything to say";
  const auto first = std::ranges::find_if(
      findings, [](const report::Finding& finding) { return finding.runs.front() == "step 12"; });
  ASSERT_NE(first, findings.end());
  EXPECT_EQ(first->rule, "spike");
  EXPECT_EQ(first->sites.front().name, "decoder.1");
  EXPECT_THAT(first->title.text(), HasSubstr("begins at step 12"));
  EXPECT_THAT(first->title.text(), HasSubstr("decoder.1, forward"));
  EXPECT_THAT(first->title.text(), HasSubstr("8 times"));
}

TEST(SpikeTest, WhatIsNotFiniteFromAStepOnIsToldOnce) {
  report::Report report = stepsReport({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  report.runs[2].comparisons[1].variantNonFinite.nan = 1;
  ASSERT_EQ(findingsOfSpikes(report).size(), 1U);
  EXPECT_EQ(findingsOfSpikes(report)[0].title.text(),
            "Not finite from step 12 on: first decoder.1, forward");
  report::setFindings(report, {{.rule = std::string(report::kOverflowRule), .runs = {"step 12"}}});
  EXPECT_TRUE(findingsOfSpikes(report).empty()) << "where it starts is known";
  report::setFindings(report, {{.rule = std::string(report::kOverflowRule), .runs = {"step 11"}}});
  EXPECT_EQ(findingsOfSpikes(report).size(), 1U) << "of another step";
}

TEST(SpikeTest, TheRuleFollowsItsThreshold) {
  const report::Report report = stepsReport({{1, 1, 1}, {1, 1, 1}, {1, 8, 1}});
  EXPECT_EQ(findFindings(report, builtinFindingRules()).size(), 1U);
  EXPECT_TRUE(findFindings(report, builtinFindingRules(), {{"spike.factor", 9}}).empty());
}

TEST(SpikeTest, OfAComparisonTheRuleSaysNothing) {
  report::Report report = stepsReport({{1, 1, 1}, {1, 1, 1}, {1, 8, 1}});
  report.dumps->candidate.path = "/other";
  EXPECT_TRUE(findFindings(report).empty());
}

}  // namespace
}  // namespace ulp::analysis
