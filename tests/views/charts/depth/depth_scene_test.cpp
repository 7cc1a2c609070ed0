#include "views/charts/depth/depth_scene.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/data/special_numbers.h"
#include "tests/views/realistic_report.h"

namespace ulp::views::charts {
namespace {

using test::kInfinity;
using test::kNan;

DepthData sceneDataOf(const std::vector<std::vector<double>>& curves) {
  DepthData data;
  const std::size_t size = curves.empty() ? 0 : curves[0].size();
  data.axis.positions.resize(size);
  data.axis.fold = static_cast<int>(size);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    data.curves.push_back({.name = QString::number(i),
                           .style = static_cast<int>(i),
                           .values = curves[i],
                           .nonFinite = std::vector<std::uint64_t>(size, 0)});
  }
  return data;
}

Range all(const DepthData& data) {
  return {-0.5, data.axis.size() - 0.5};
}

DepthScene sceneOf(const DepthData& data, double width = 1000) {
  const std::vector<bool> visible(data.curves.size(), true);
  return buildScene(data, visible, extentOf(data, visible).scale, all(data), width);
}

TEST(DepthScene, LeavesGapsForMissingValues) {
  const DepthScene scene = sceneOf(sceneDataOf({{1, 2, kNan, 4, 5, kNan, 7}}));
  ASSERT_EQ(scene.curves.size(), 1U);
  ASSERT_EQ(scene.curves[0].segments.size(), 2U);
  EXPECT_EQ(scene.curves[0].segments[0].size(), 2);
  EXPECT_EQ(scene.curves[0].segments[1].first().x(), 3);
  EXPECT_EQ(scene.curves[0].markers.size(), 5U) << "the lone point is a marker";
}

TEST(DepthScene, KeepsTheExtremesOfEachPixel) {
  std::vector<double> values(10000, 1);
  values[1234] = 1000;
  values[8765] = 1e-6;
  const DepthScene scene = sceneOf(sceneDataOf({values}), 100);
  double low = kInfinity;
  double high = -kInfinity;
  qsizetype points = 0;
  for (const auto& segment : scene.curves[0].segments) {
    points += segment.size();
    for (const QPointF& point : segment) {
      low = std::min(low, point.y());
      high = std::max(high, point.y());
    }
  }
  EXPECT_LE(points, 204);
  EXPECT_DOUBLE_EQ(high, 3);
  EXPECT_DOUBLE_EQ(low, -6);
  EXPECT_LE(scene.curves[0].markers.size(), 10U);
}

TEST(DepthScene, NeverThinsOutNonFiniteMarks) {
  DepthData data = sceneDataOf({std::vector<double>(5000, 1), std::vector<double>(5000, 2)});
  for (std::size_t i = 0; i < 5000; i += 2) {
    data.curves[0].nonFinite[i] = 3;
    data.curves[1].nonFinite[i] = 4;
  }
  const DepthScene scene = sceneOf(data, 50);
  ASSERT_EQ(scene.nonFinite.size(), 2500U);
  EXPECT_EQ(scene.nonFinite[0].count, 4U) << "of the variant that has most";
  EXPECT_FALSE(scene.nonFinite[0].isLeast);
}

TEST(DepthScene, ManyHolesDoNotMakeManyPieces) {
  std::vector<double> values(3000, 1);
  for (std::size_t i = 0; i < values.size(); i += 3) {
    values[i] = kNan;
  }
  const DepthScene scene = sceneOf(sceneDataOf({values, values, values, values}), 4000);
  std::size_t pieces = 0;
  for (const SceneCurve& curve : scene.curves) {
    pieces += curve.segments.size();
  }
  EXPECT_LE(pieces, 256U);
}

TEST(DepthScene, HiddenCurvesCountForNothing) {
  DepthData data = sceneDataOf({{1, 1, 1}, {1e6, 1e6, 1e6}});
  data.curves[1].nonFinite = {5, 5, 5};
  const std::vector<bool> visible{true, false};
  const DepthExtent extent = extentOf(data, visible);
  EXPECT_LT(extent.y.high, 1);
  const DepthScene scene = buildScene(data, visible, extent.scale, all(data), 100);
  EXPECT_EQ(scene.curves.size(), 1U);
  EXPECT_TRUE(scene.nonFinite.empty());
}

TEST(DepthScale, PutsZeroOnAShelfBelowEverything) {
  const DepthData data = sceneDataOf({{0, 1e-4, 1e-2}});
  const DepthExtent extent = extentOf(data, {true});
  EXPECT_TRUE(extent.scale.hasZero);
  EXPECT_LT(extent.scale.position(0), -4);
  EXPECT_GT(extent.scale.position(0), extent.y.low);
  EXPECT_DOUBLE_EQ(extent.scale.position(1e-4), -4);
  EXPECT_TRUE(std::isnan(extent.scale.position(-1)));
  EXPECT_TRUE(std::isnan(extent.scale.position(kInfinity)));
  EXPECT_TRUE(std::isnan(extent.scale.position(kNan)));
}

TEST(DepthExtent, OfNothingOrAConstantIsStillARange) {
  EXPECT_GT(extentOf(sceneDataOf({}), {}).y.span(), 0.5);
  EXPECT_GT(extentOf(sceneDataOf({{kNan, kInfinity}}), {true}).y.span(), 0.5);
  const DepthExtent constant = extentOf(sceneDataOf({{0.01, 0.01}}), {true});
  EXPECT_TRUE(constant.y.contains(-2));
  EXPECT_GE(constant.y.span(), 1);
  DepthData linear = sceneDataOf({{0.999, 0.999}});
  linear.logarithmic = false;
  EXPECT_TRUE(extentOf(linear, {true}).y.contains(0.999));
}

TEST(Readout, SortsByValueWorstFirstAndMissingLast) {
  DepthData data = sceneDataOf({{0.1}, {kNan}, {0.5}, {0.3}});
  const std::vector<bool> visible(4, true);
  std::vector<ReadoutRow> rows = readoutAt(data, visible, 0);
  EXPECT_EQ(rows[0].curve, 2);
  EXPECT_EQ(rows[1].curve, 3);
  EXPECT_EQ(rows[2].curve, 0);
  EXPECT_EQ(rows[3].curve, 1);
  data.metric.better = numerics::Better::Higher;
  rows = readoutAt(data, visible, 0);
  EXPECT_EQ(rows[0].curve, 0);
  EXPECT_EQ(rows[3].curve, 1);
}

TEST(NearestCurve, LooksOnlyAtWhatCanBeSeen) {
  const DepthData data = sceneDataOf({{0.1}, {0.01}, {kNan}});
  const DepthScale scale;
  EXPECT_EQ(nearestCurve(data, {true, true, true}, scale, 0, -1.9), 1);
  EXPECT_EQ(nearestCurve(data, {true, false, true}, scale, 0, -1.9), 0);
  EXPECT_EQ(nearestCurve(data, {false, false, true}, scale, 0, 0), -1);
}

TEST(DepthData, ReadsValuesCountsAndTheReferenceScale) {
  const DocumentPtr document = test::documentOf(
      test::realisticReport({.layers = 4, .variants = {"a", "b"}, .nonFiniteShare = 1}));
  const DepthData data =
      makeDepthData(*document,
                    makeDepthAxis(*document, layerRowsId(), PassFilter::ForwardBackward),
                    QStringLiteral("rms_rel"));
  ASSERT_EQ(data.curves.size(), 2U);
  EXPECT_TRUE(data.logarithmic);
  EXPECT_EQ(data.curves[1].name, QStringLiteral("b"));
  EXPECT_EQ(data.curves[1].style, 1);
  EXPECT_GT(data.curves[0].nonFinite[1], 0U);
  EXPECT_EQ(data.referenceScale.size(), data.axis.positions.size());
  EXPECT_FALSE(data.curves[0].leastNonFinite[1]);
  const DepthData unknown = makeDepthData(*document, data.axis, QStringLiteral("no such metric"));
  EXPECT_TRUE(std::isnan(unknown.curves[0].values[0]));
}

TEST(DepthData, StatisticsTellTheLeastThatIsNotFinite) {
  report::Report report = test::sampleReport(2, {"recorded"});
  report.metrics = {{"recorded.nan"}};
  for (report::Comparison& row : report.runs.back().comparisons) {
    row.metrics = {kNan};
  }
  report.runs.back().comparisons[1].variantNonFinite.nan = 1;
  const DocumentPtr document = test::documentOf(std::move(report));
  const DepthData data =
      makeDepthData(*document,
                    makeDepthAxis(*document, allRowsId(), PassFilter::ForwardBackward),
                    QStringLiteral("recorded.nan"));
  const DepthScene scene = sceneOf(data);
  ASSERT_EQ(scene.nonFinite.size(), 1U);
  EXPECT_EQ(scene.nonFinite[0].count, 1U);
  EXPECT_TRUE(scene.nonFinite[0].isLeast);
}

}  // namespace
}  // namespace ulp::views::charts
