#include "core/analysis/depth/depth_curve.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using numerics::Better;
using testing::ElementsAre;

std::vector<std::string> namesOf(const DepthCurve& curve) {
  std::vector<std::string> names;
  for (const DepthPoint& point : curve.points) {
    names.push_back(point.site.name);
  }
  return names;
}

DepthCurve curveOf(const std::vector<double>& values, std::size_t backwardFrom) {
  DepthCurve curve{"v", {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    DepthPoint point;
    point.x = static_cast<int>(i);
    point.site.pass = i < backwardFrom ? Pass::Forward : Pass::Backward;
    point.value = values[i];
    curve.points.push_back(point);
  }
  return curve;
}

TEST(DepthCurve, AMetricThatARowDoesNotHoldIsUndefined) {
  report::Comparison row;
  row.metrics = {0.5, 2};
  EXPECT_EQ(metricAt(row, 0), 0.5);
  EXPECT_EQ(metricAt(row, 1), 2);
  EXPECT_TRUE(std::isnan(metricAt(row, 2)));
  EXPECT_TRUE(std::isnan(metricAt(row, -1)));
}

TEST(DepthCurve, RunsForwardThenBackward) {
  const auto curves = depthCurves(test::sampleReport(2, {"a", "b"}), "rms_rel");
  ASSERT_TRUE(curves.has_value());
  ASSERT_EQ(curves->size(), 2U);
  EXPECT_EQ((*curves)[1].run, "b");
  EXPECT_THAT(namesOf((*curves)[0]),
              ElementsAre("embeddings",
                          "decoder.0",
                          "decoder.1",
                          "norm",
                          "logits",
                          "loss",
                          "logits",
                          "norm",
                          "decoder.1",
                          "decoder.0"));
  EXPECT_EQ((*curves)[0].points.back().x, 9);
  EXPECT_DOUBLE_EQ((*curves)[1].points[2].value, 0.006);
  EXPECT_TRUE(std::isnan((*curves)[0].points[0].referenceScale));
}

TEST(DepthCurve, SharesTheAxisWhereAVariantLacksRows) {
  report::Report report = test::sampleReport(2, {"a", "b"});
  report.runs[2].comparisons.erase(report.runs[2].comparisons.begin() + 1);
  const auto curves = depthCurves(report, "rms_rel");
  EXPECT_EQ((*curves)[1].points.size(), 9U);
  EXPECT_EQ((*curves)[1].points[1].site.name, "decoder.1");
  EXPECT_EQ((*curves)[1].points[1].x, 2);
}

TEST(DepthCurve, ChoosesRowsByLevelAndLeavesOutParameters) {
  report::Report report = test::sampleReport(1, {"a"});
  auto& rows = report.runs[1].comparisons;
  rows.push_back(rows[0]);
  rows.back().site = {"model.layers.0.mlp", "model.layers.0.mlp", 0, Level::Module, Pass::Forward};
  rows.push_back(rows[0]);
  rows.back().site = {"w", "w", 0, Level::Layer, Pass::ParameterGradient};
  EXPECT_EQ(depthCurves(report, "rms_rel")->front().points.size(), 8U);
  EXPECT_EQ(depthCurves(report, "rms_rel", Level::Module)->front().points.size(), 9U);
}

TEST(DepthCurve, CarriesScaleAndNonFiniteElements) {
  report::Report report = test::sampleReport(1, {"a"});
  report.metrics[2].id = "ref_scale";
  report.runs[1].comparisons[0].variantNonFinite.nan = 3;
  const DepthPoint point = depthCurves(report, "rms_rel")->front().points[0];
  EXPECT_DOUBLE_EQ(point.referenceScale, 0.999);
  EXPECT_EQ(point.nonFinite, 3U);
}

TEST(DepthCurve, RefusesAnUnknownMetric) {
  const auto curves = depthCurves(test::sampleReport(1, {"a"}), "nonsense");
  ASSERT_FALSE(curves.has_value());
  EXPECT_EQ(curves.error().code(), ErrorCode::InvalidArgument);
}

TEST(DepthCurve, HasNoCurveForARunWithoutComparisons) {
  EXPECT_TRUE(depthCurves(test::sampleReport(1, {}), "rms_rel")->empty());
}

TEST(FindJumps, FindsWhereTheErrorGrowsAtOnce) {
  const auto jumps = findJumps(curveOf({0.1, 0.2, 0.9, 1, 5}, 5));
  ASSERT_EQ(jumps.size(), 2U);
  EXPECT_EQ(jumps[0].point, 2U);
  EXPECT_DOUBLE_EQ(jumps[0].factor, 4.5);
  EXPECT_EQ(jumps[1].point, 4U);
  EXPECT_TRUE(findJumps(curveOf({0.1, 0.2, 0.9, 1, 5}, 5), 6).empty());
}

TEST(FindJumps, DoesNotLookAcrossTheFold) {
  EXPECT_TRUE(findJumps(curveOf({0.1, 10}, 1)).empty());
}

TEST(FindJumps, PassesOverUndefinedRows) {
  const auto jumps = findJumps(curveOf({0.1, std::nan(""), 1}, 3));
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_EQ(jumps[0].point, 2U);
}

TEST(FindJumps, CountsAnyErrorAfterNoneAsAJump) {
  const auto jumps = findJumps(curveOf({0, 0, 1e-9}, 3));
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_EQ(jumps[0].factor, INFINITY);
}

TEST(FindJumps, FindsTheFirstNonFiniteElements) {
  DepthCurve curve = curveOf({1, 1, 1}, 3);
  curve.points[1].nonFinite = 5;
  curve.points[2].nonFinite = 9;
  const auto jumps = findJumps(curve);
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_EQ(jumps[0].point, 1U);
  EXPECT_TRUE(jumps[0].startsNonFinite);
}

TEST(FindJumps, TheFirstRowHasNotGrown) {
  DepthCurve curve = curveOf({1, 1}, 2);
  curve.points[0].nonFinite = 5;
  const auto jumps = findJumps(curve);
  ASSERT_EQ(jumps.size(), 1U);
  EXPECT_EQ(jumps[0].point, 0U);
  EXPECT_EQ(jumps[0].factor, 1);
}

using test::kInfinity;
using test::kNan;

TEST(NoiseBand, TheFloorIsTheWorstOfAllRepeatsAtEachPlace) {
  const std::vector<std::vector<double>> repeats{{1, 5, 2}, {3, 4, 2}};
  EXPECT_EQ(noiseFloor(repeats, Better::Lower), (std::vector<double>{3, 5, 2}));
  EXPECT_EQ(noiseFloor(repeats, Better::Higher), (std::vector<double>{1, 4, 2}));
}

TEST(NoiseBand, WhatIsNotANumberSaysNothing) {
  const std::vector<std::vector<double>> repeats{{kNan, kInfinity, kNan}, {2, 1, kNan}};
  const std::vector<double> floor = noiseFloor(repeats, Better::Lower);
  EXPECT_EQ(floor[0], 2);
  EXPECT_EQ(floor[1], 1);
  EXPECT_TRUE(std::isnan(floor[2]));
}

TEST(NoiseBand, WithoutRepeatsNothingIsKnown) {
  EXPECT_TRUE(noiseFloor({}, Better::Lower).empty());
  EXPECT_FALSE(numerics::isNoWorse(0, kNan, Better::Lower));
  EXPECT_FALSE(numerics::isNoWorse(kNan, 1, Better::Lower));
}

TEST(NoiseBand, AsBadAsTheNoiseIsStillNoise) {
  EXPECT_TRUE(numerics::isNoWorse(1, 1, Better::Lower));
  EXPECT_TRUE(numerics::isNoWorse(0.5, 1, Better::Lower));
  EXPECT_FALSE(numerics::isNoWorse(1.5, 1, Better::Lower));
  EXPECT_FALSE(numerics::isNoWorse(kInfinity, 1, Better::Lower));
  EXPECT_TRUE(numerics::isNoWorse(0.999, 0.99, Better::Higher));
  EXPECT_FALSE(numerics::isNoWorse(0.98, 0.99, Better::Higher));
}

}  // namespace

}  // namespace ulp::analysis
