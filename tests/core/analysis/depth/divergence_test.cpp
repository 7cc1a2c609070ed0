#include "core/analysis/depth/divergence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using test::quietReport;
using test::rowOf;
using test::setError;

const DivergenceLimits kLimits{.excess = 2, .roundOff = 0x1p-8};

TEST(Divergence, FollowsForwardThenBackwardWithoutTheLoss) {
  const report::Report report = quietReport({"bf16"}, 3);
  const Divergence trace = traceDivergence(report, report.runs[1], kLimits);
  EXPECT_EQ(trace.steps.size(), report.runs[1].comparisons.size() - 1);
  EXPECT_FALSE(trace.first.has_value());
  EXPECT_EQ(trace.steps[0].carried, 0);
  EXPECT_EQ(trace.steps[1].carried, 0.002);
  EXPECT_DOUBLE_EQ(trace.steps[1].expected, std::hypot(0.002, 0x1p-8));
}

TEST(Divergence, CarriesTheLastLayerPastAModuleWithASmallError) {
  report::Report report = quietReport({"bf16"}, 3);
  setError(rowOf(report, "bf16", "decoder.0"), 0.1);
  auto& rows = report.runs[1].comparisons;
  report::Comparison module = rows[2];
  module.site = {"model.layers.1.input_layernorm",
                 "model.layers.1.input_layernorm",
                 1,
                 Level::Module,
                 Pass::Forward};
  setError(module, 0.001);
  rows.insert(rows.begin() + 2, module);
  setError(rows[3], 0.12);
  const Divergence trace = traceDivergence(report, report.runs[1], kLimits);
  EXPECT_TRUE(trace.steps[1].isMade);
  EXPECT_EQ(trace.first, 1U);
  EXPECT_EQ(trace.steps[3].carried, 0.1);
  EXPECT_FALSE(trace.steps[3].isMade);
}

TEST(Divergence, TakesTheForwardTensorAsAnInputOfItsGradient) {
  report::Report report = quietReport({"bf16"}, 3);
  setError(rowOf(report, "bf16", "decoder.1"), 0.2);
  setError(rowOf(report, "bf16", "decoder.1", Pass::Backward), 0.3);
  const Divergence trace = traceDivergence(report, report.runs[1], kLimits);
  ASSERT_TRUE(trace.first.has_value());
  EXPECT_EQ(report.runs[1].comparisons[trace.steps[*trace.first].comparison].site.pass,
            Pass::Forward);
  for (const DivergenceStep& step : trace.steps) {
    const Site& site = report.runs[1].comparisons[step.comparison].site;
    EXPECT_EQ(step.isMade, site.name == "decoder.1" && site.pass == Pass::Forward) << site.name;
  }
}

TEST(Divergence, KnowsWhatAnOperationIsComputedFrom) {
  report::Report report = quietReport({"bf16"}, 3);
  const std::string layer = "model.layers.1.self_attn.";
  test::insertRow(report, "decoder.1", layer + "v_proj", Level::Module, 0.008);
  test::insertRow(report, "decoder.1", layer + "softmax", Level::Op, 0.001);
  test::insertRow(report, "decoder.1", layer + "attn_output", Level::Op, 0.015);
  const Divergence trace = traceDivergence(report, report.runs[1], kLimits);
  EXPECT_FALSE(trace.first.has_value()) << "the values carry 0.8 % past the weights";
  EXPECT_EQ(trace.steps[4].carried, 0.008);
  setError(rowOf(report, "bf16", layer + "attn_output"), 0.03);
  EXPECT_EQ(traceDivergence(report, report.runs[1], kLimits).first, 4U);
}

TEST(Divergence, ExpectsAMeanOfSquaresToDoubleAnError) {
  report::Report report = quietReport({"bf16"}, 3);
  setError(rowOf(report, "bf16", "decoder.0"), 0.008);
  const std::string name = "model.layers.1.input_layernorm.variance";
  test::insertRow(report, "decoder.1", name, Level::Op, 0.03);
  const Divergence trace = traceDivergence(report, report.runs[1], kLimits);
  EXPECT_EQ(trace.steps[2].carried, 0.016);
  EXPECT_FALSE(trace.first.has_value());
}

TEST(Divergence, StartsWhereElementsStopBeingFinite) {
  report::Report report = quietReport({"bf16"}, 3);
  test::fillWithNan(rowOf(report, "bf16", "decoder.1"));
  test::fillWithNan(rowOf(report, "bf16", "decoder.2"));
  const Divergence trace = traceDivergence(report, report.runs[1], kLimits);
  EXPECT_EQ(trace.first, 2U);
  EXPECT_TRUE(std::isinf(trace.steps[2].excess));
  EXPECT_FALSE(trace.steps[3].isMade);
}

TEST(Divergence, CountsNonFiniteElementsThatTheReferenceDoesNotHave) {
  const auto added = [](numerics::NonFiniteCounts reference,
                        numerics::NonFiniteCounts variant,
                        std::uint64_t compared) {
    return addedNonFinite({.count = 10,
                           .compared = compared,
                           .referenceNonFinite = reference,
                           .variantNonFinite = variant});
  };
  EXPECT_EQ(added({.nan = 2}, {.nan = 2}, 8), 0U);
  EXPECT_EQ(added({}, {.nan = 1, .positiveInfinity = 1}, 8), 2U);
  EXPECT_EQ(added({.nan = 3}, {.nan = 1}, 7), 0U) << "the variant has less";
  EXPECT_EQ(added({.nan = 2}, {.nan = 2}, 7), 1U) << "one of them at another place";
  EXPECT_EQ(added({.positiveInfinity = 1}, {.negativeInfinity = 1}, 9), 1U);
  EXPECT_EQ(added({.positiveInfinity = 2}, {.nan = 1, .positiveInfinity = 1}, 8), 1U);
  EXPECT_EQ(added({.nan = 1}, {.nan = 1}, 0), 0U) << "recorded, not counted";
}

TEST(Divergence, NoiseOfAGradientThatCancelsIsNotCarriedIntoThoseMadeLater) {
  report::Report report = test::quietReport({"a"});
  const auto add = [&](const char* module, const char* parameter, double error, double scale) {
    report::Comparison row = report.runs[1].comparisons.front();
    row.site = {
        std::string(module) + parameter, module, -1, Level::Module, Pass::ParameterGradient};
    row.metrics = {error, error * scale, scale, error * scale};
    report.runs[1].comparisons.push_back(std::move(row));
  };
  add("model.layers.1", ".weight", 0.2, 1);
  add("model.layers.2", ".weight", 0.002, 1);
  add("model.layers.2", ".bias", 1, 1e-6);
  const Divergence trace =
      traceDivergence(report, report.runs[1], {.excess = 2, .roundOff = 0x1p-8});
  ASSERT_TRUE(trace.first.has_value());
  const DivergenceStep& first = trace.steps[*trace.first];
  EXPECT_EQ(report.runs[1].comparisons[first.comparison].site.name, "model.layers.1.weight");
  EXPECT_EQ(first.carried, 0.002);
}

TEST(Divergence, HasNoStepsWithoutTheMetric) {
  report::Report report = quietReport({"bf16"}, 3);
  report.metrics[0].id = "other";
  EXPECT_TRUE(traceDivergence(report, report.runs[1], kLimits).steps.empty());
}

/// A variant whose tensors are all equal to the reference's.
report::Report equalReport() {
  report::Report report = test::sampleReport(2, {"same"});
  report.metrics = {{"equal_fraction"}};
  for (report::Comparison& row : report.runs.back().comparisons) {
    row.metrics = {1};
  }
  return report;
}

report::Comparison& rowOf(report::Report& report, const std::string& name, Pass pass) {
  auto& rows = report.runs.back().comparisons;
  return *std::ranges::find_if(rows, [&](const report::Comparison& row) {
    return row.site.name == name && row.site.pass == pass;
  });
}

TEST(ExactDivergence, IsNoneWhereEveryElementIsEqual) {
  const report::Report report = equalReport();
  const auto divergence = exactDivergence(report, report.runs.back());
  ASSERT_TRUE(divergence.has_value());
  EXPECT_FALSE(divergence->first.has_value());
  EXPECT_EQ(divergence->equal(), divergence->tensors());
  EXPECT_EQ(divergence->tensors(), report.runs.back().comparisons.size());
}

TEST(ExactDivergence, OneElementOfMillionsIsADifference) {
  report::Report report = equalReport();
  rowOf(report, "decoder.1", Pass::Forward).metrics = {1 - 1e-9};
  const report::Run& run = report.runs.back();
  const auto divergence = exactDivergence(report, run);
  ASSERT_TRUE(divergence.has_value() && divergence->first);
  EXPECT_EQ(run.comparisons[*divergence->first].site.name, "decoder.1");
  EXPECT_EQ(divergence->tensors() - divergence->equal(), 1U);
}

TEST(ExactDivergence, AnotherPatternOfNonFiniteElementsIsADifference) {
  report::Report report = equalReport();
  report::Comparison& row = rowOf(report, "norm", Pass::Forward);
  row.referenceNonFinite.nan = 2;
  row.variantNonFinite.positiveInfinity = 2;
  EXPECT_FALSE(isEqual(report, row));
  row.variantNonFinite = row.referenceNonFinite;
  EXPECT_TRUE(isEqual(report, row));
}

TEST(ExactDivergence, TensorsWithoutElementsAreEqual) {
  report::Report report = equalReport();
  report::Comparison& row = rowOf(report, "norm", Pass::Forward);
  row.count = row.compared = 0;
  row.metrics = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_TRUE(isEqual(report, row));
}

TEST(ExactDivergence, FindsTheFirstOfEachPass) {
  report::Report report = equalReport();
  rowOf(report, "decoder.0", Pass::Backward).metrics = {0.5};
  rowOf(report, "norm", Pass::Backward).metrics = {0.25};
  const report::Run& run = report.runs.back();
  const auto divergence = exactDivergence(report, run);
  ASSERT_TRUE(divergence.has_value() && divergence->first);
  EXPECT_FALSE(divergence->passes[0].first);
  ASSERT_TRUE(divergence->passes[1].first);
  EXPECT_EQ(run.comparisons[*divergence->passes[1].first].site.name, "norm");
  EXPECT_EQ(divergence->first, divergence->passes[1].first);
}

TEST(ExactDivergence, RefusesAReportThatDoesNotTell) {
  report::Report report = equalReport();
  EXPECT_EQ(exactDivergence(report, report.runs.front()).error().code(),
            ErrorCode::InvalidArgument);
  report.metrics = {{"rms_rel"}};
  EXPECT_EQ(exactDivergence(report, report.runs.back()).error().code(), ErrorCode::InvalidArgument);
}

TEST(FirstNonFinite, IsTheFirstTensorThatHoldsMoreThanTheReference) {
  report::Report report = test::sampleReport(3, {"bf16"});
  report::Run& run = report.runs[1];
  EXPECT_FALSE(firstNonFinite(run));
  test::fillWithNan(run.comparisons[5]);
  test::fillWithNan(run.comparisons[2]);
  EXPECT_EQ(firstNonFinite(run), 2U);
  run.comparisons[2].referenceNonFinite = run.comparisons[2].variantNonFinite;
  EXPECT_EQ(firstNonFinite(run), 5U);
  run.comparisons[2].referenceNonFinite.nan -= 1;
  EXPECT_EQ(firstNonFinite(run), 2U);
}

}  // namespace

}  // namespace ulp::analysis
