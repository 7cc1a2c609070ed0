#include "core/analysis/depth/divergence.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

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

TEST(Divergence, HasNoStepsWithoutTheMetric) {
  report::Report report = quietReport({"bf16"}, 3);
  report.metrics[0].id = "other";
  EXPECT_TRUE(traceDivergence(report, report.runs[1], kLimits).steps.empty());
}

}  // namespace
}  // namespace ulp::analysis
