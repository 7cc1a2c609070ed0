#include "views/charts/depth/depth_marks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"
#include "tests/views/sampled_report.h"

namespace ulp::views::charts {
namespace {

DepthData dataOf(const ReportDocument& document,
                 const QString& kind = layerRowsId(),
                 const QString& metric = QStringLiteral("rms_rel")) {
  return makeDepthData(
      document, makeDepthAxis(document, kind, PassFilter::ForwardBackward), metric);
}

TEST(DepthMarks, JumpsStandAtTheirRows) {
  report::Report report = test::quietReport({"a", "b"});
  test::setError(test::rowOf(report, "b", "decoder.2"), 0.05);
  const DocumentPtr document = test::documentOf(std::move(report));
  DepthData data = dataOf(*document);
  markJumps(data, *document, {});
  for (std::size_t slot = 0; slot < data.curves[0].jumps.size(); ++slot) {
    EXPECT_EQ(data.curves[0].jumps[slot], 0);
    EXPECT_EQ(data.curves[1].jumps[slot] > 0, slot == 3) << slot;
  }
  EXPECT_NEAR(data.curves[1].jumps[3], 25, 1e-9);
  markJumps(data, *document, {.factor = 30});
  EXPECT_EQ(data.curves[1].jumps[3], 0);
}

TEST(DepthMarks, WhatIsNoFindingIsNoJump) {
  report::Report report = test::quietReport({"a"});
  for (const char* row : {"embeddings", "decoder.0", "decoder.1"}) {
    test::setError(test::rowOf(report, "a", row), 0);
  }
  test::setError(test::rowOf(report, "a", "decoder.2"), 0.0005);
  test::setError(test::rowOf(report, "a", "decoder.3"), 0.005);
  const auto marked = [](const report::Report& of, const JumpThresholds& thresholds) {
    const DocumentPtr document = test::documentOf(of);
    DepthData data = dataOf(*document);
    markJumps(data, *document, thresholds);
    return std::ranges::count_if(data.curves[0].jumps, [](double jump) { return jump > 0; });
  };
  for (const double floor : {0.1, 2.0}) {
    const auto found = test::findingsOf(report, "error_jump", {{"error_jump.floor", floor}});
    EXPECT_EQ(marked(report, {.floor = floor}), static_cast<std::ptrdiff_t>(found.size()));
  }
  EXPECT_EQ(marked(report, {.floor = 0.1}), 1);
  EXPECT_EQ(marked(report, {}), 0);
}

TEST(DepthMarks, OnlyLayersAreComparedAmongAllRows) {
  const DocumentPtr document = test::documentOf(test::realisticReport({.layers = 6}));
  DepthData all = dataOf(*document, allRowsId());
  markJumps(all, *document, {.factor = 1.01});
  int marked = 0;
  for (std::size_t slot = 0; slot < all.axis.positions.size(); ++slot) {
    if (all.curves[0].jumps[slot] > 0) {
      ++marked;
      const int site = all.axis.positions[slot].site;
      EXPECT_EQ(document->sites()[static_cast<std::size_t>(site)].level, Level::Layer);
    }
  }
  EXPECT_GT(marked, 0);
}

TEST(DepthMarks, MetricsThatShouldGrowHaveNoJumps) {
  const DocumentPtr document = test::documentOf(test::realisticReport({.layers = 6}));
  DepthData data = dataOf(*document, layerRowsId(), QStringLiteral("sqnr_db"));
  markJumps(data, *document, {.factor = 1.001});
  for (const double jump : data.curves[0].jumps) {
    EXPECT_EQ(jump, 0);
  }
}

TEST(DepthMarks, ValueOfElementsThatAreNotFiniteIsNaN) {
  DepthData data = dataOf(*test::documentOf(test::realisticReport({.layers = 3})));
  data.curves[0].values[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(meanText(data, 0, 2), QStringLiteral("–"));
  data.curves[0].nonFinite[2] = 7;
  EXPECT_EQ(meanText(data, 0, 2), QStringLiteral("NaN"));
}

TEST(DepthMarks, TheGuideGrowsWithTheRootOfTheDepth) {
  const DocumentPtr document = test::documentOf(test::realisticReport({.layers = 3}));
  DepthData data = dataOf(*document);
  addGuide(data, *document);
  ASSERT_EQ(data.guide.size(), data.axis.positions.size());
  EXPECT_DOUBLE_EQ(data.guide[0], 0x1p-8);
  EXPECT_DOUBLE_EQ(data.guide[3], 0x1p-8 * std::sqrt(4.0));
  EXPECT_DOUBLE_EQ(data.guide.back(), 0x1p-8 * std::sqrt(7.0));
  EXPECT_TRUE(data.guideName.contains(QStringLiteral("bfloat16")));
  DepthData absolute = dataOf(*document, layerRowsId(), QStringLiteral("rms_diff"));
  addGuide(absolute, *document);
  EXPECT_TRUE(absolute.guide.empty());
}

TEST(DepthMarks, WhatIsNoWorseThanTheNoiseIsKnown) {
  report::Report report = test::quietReport({"a", "noise"});
  test::setError(test::rowOf(report, "a", "decoder.2"), 0.05);
  const DocumentPtr document = test::documentOf(std::move(report));
  DepthData data = dataOf(*document);
  addNoise(data, *document, {.name = QStringLiteral("noise"), .variants = {1}});
  EXPECT_EQ(data.noise, data.curves[1].values);
  EXPECT_TRUE(data.curves[1].isNoise);
  for (int slot = 0; slot < data.axis.size(); ++slot) {
    const bool isLoud = data.axis.at(slot).name == QStringLiteral("decoder.2") &&
                        data.axis.at(slot).pass == Pass::Forward;
    const bool isKnown = std::isfinite(data.curves[0].values[static_cast<std::size_t>(slot)]);
    EXPECT_EQ(isWithinNoise(data, 0, slot), isKnown && !isLoud) << slot;
    EXPECT_FALSE(isWithinNoise(data, 1, slot)) << slot;
  }
}

TEST(DepthMarks, TheNoiseFloorIsTheBandOfEveryVariant) {
  const DocumentPtr document =
      test::documentOf(test::sampledReport({.layers = 3, .variants = {"a", "b"}}));
  DepthData data = dataOf(*document);
  addNoise(data, *document, noiseRuns(*document, {}));
  ASSERT_EQ(data.noise.size(), data.curves[0].values.size());
  EXPECT_EQ(data.noiseName, QStringLiteral("noise floor: repeat, float64"));
  EXPECT_EQ(data.curves.size(), 2U) << "its runs are no curves";
  for (std::size_t slot = 0; slot < data.noise.size(); ++slot) {
    EXPECT_DOUBLE_EQ(data.noise[slot], data.curves[0].values[slot] / 2);
    EXPECT_FALSE(isWithinNoise(data, 0, static_cast<int>(slot)));
    EXPECT_EQ(isWithinNoise(data, 1, static_cast<int>(slot)),
              data.curves[1].values[slot] <= data.noise[slot]);
  }
}

TEST(DepthMarks, MeansAreReadWithTheirIntervals) {
  const DocumentPtr document =
      test::documentOf(test::sampledReport({.layers = 3, .variants = {"a"}}));
  const DepthData data = dataOf(*document);
  const double half = report::halfInterval(data.curves[0].spreads[2], 8);
  EXPECT_DOUBLE_EQ(data.curves[0].halves[2], half);
  const QString text = meanText(data, 0, 2);
  EXPECT_TRUE(text.contains(QStringLiteral(" ±"))) << text.toStdString();
  EXPECT_TRUE(text.endsWith(QChar(0x202f) + QStringLiteral("%"))) << text.toStdString();
  const DocumentPtr plain = test::documentOf(test::realisticReport({.layers = 3}));
  EXPECT_TRUE(dataOf(*plain).curves[0].halves.empty());
  EXPECT_FALSE(meanText(dataOf(*plain), 0, 2).contains(QStringLiteral("±")));
}

TEST(DepthMarks, TheScaleOfTheReferenceHasNoNoise) {
  const DocumentPtr document = test::documentOf(test::realisticReport({.layers = 3}));
  DepthData data = dataOf(*document, layerRowsId(), QStringLiteral("ref_scale"));
  addNoise(data, *document, {.name = QStringLiteral("bf16"), .variants = {0}});
  EXPECT_TRUE(data.noise.empty());
  EXPECT_FALSE(isWithinNoise(data, 1, 1));
}

}  // namespace
}  // namespace ulp::views::charts
