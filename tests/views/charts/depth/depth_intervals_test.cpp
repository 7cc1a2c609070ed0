#include "views/charts/depth/depth_intervals.h"

#include <cmath>

#include <gtest/gtest.h>

#include <QtGui/QPainter>

#include "tests/views/sampled_report.h"
#include "views/charts/depth/depth_exhibit.h"

namespace ulp::views::charts {
namespace {

std::vector<std::string> names(int count) {
  std::vector<std::string> variants;
  for (int i = 0; i < count; ++i) {
    variants.push_back("v" + std::to_string(i));
  }
  return variants;
}

DepthData dataOf(int variants) {
  const DocumentPtr document =
      test::documentOf(test::sampledReport({.layers = 4, .variants = names(variants)}));
  return makeDepthData(*document,
                       makeDepthAxis(*document, layerRowsId(), PassFilter::ForwardBackward),
                       QStringLiteral("rms_rel"));
}

DepthOptions optionsOf(const DepthData& data, int current = -1) {
  DepthOptions options;
  options.visible.assign(data.curves.size(), true);
  options.currentCurve = current;
  return options;
}

DepthFrame frameOf(const DepthData& data, const DepthOptions& options) {
  const DepthExtent extent = extentOf(data, options.visible);
  Viewport viewport;
  viewport.setFull({-0.6, data.axis.size() - 0.4}, extent.y);
  return makeFrame(data, options, viewport, extent.scale, QSizeF(800, 400), QFont());
}

TEST(DepthIntervals, FewCurvesHaveBandsSomeWhiskersAndManyOnlyTheSelectedOne) {
  const DepthData few = dataOf(3);
  EXPECT_EQ(intervalForm(few, optionsOf(few), 2), IntervalForm::Band);
  const DepthData some = dataOf(5);
  EXPECT_EQ(intervalForm(some, optionsOf(some, 1), 1), IntervalForm::Band);
  EXPECT_EQ(intervalForm(some, optionsOf(some, 1), 2), IntervalForm::Whiskers);
  const DepthData many = dataOf(20);
  EXPECT_EQ(intervalForm(many, optionsOf(many, 1), 1), IntervalForm::Band);
  EXPECT_EQ(intervalForm(many, optionsOf(many, 1), 2), IntervalForm::None);
}

TEST(DepthIntervals, HiddenCurvesSingleSamplesAndTheSwitchLeaveThemOut) {
  DepthData data = dataOf(2);
  DepthOptions options = optionsOf(data);
  options.visible[0] = false;
  EXPECT_EQ(intervalForm(data, options, 0), IntervalForm::None);
  options = optionsOf(data);
  options.intervalsShown = false;
  EXPECT_EQ(intervalForm(data, options, 0), IntervalForm::None);
  data.curves[1].halves.clear();
  EXPECT_EQ(intervalForm(data, optionsOf(data), 1), IntervalForm::None);
}

TEST(DepthIntervals, WhiskersReachFromEndToEnd) {
  const DepthData data = dataOf(5);
  const DepthFrame frame = frameOf(data, optionsOf(data));
  const std::vector<QLineF> whiskers = intervalWhiskers(frame, data, 2);
  std::size_t known = 0;
  for (std::size_t slot = 0; slot < data.axis.positions.size(); ++slot) {
    known += std::isfinite(data.curves[2].halves[slot]) ? 1 : 0;
  }
  ASSERT_EQ(whiskers.size(), known);
  const double value = data.curves[2].values[0];
  const double half = data.curves[2].halves[0];
  EXPECT_DOUBLE_EQ(whiskers[0].y2(), frame.map.pixelY(std::log10(value + half)));
  EXPECT_DOUBLE_EQ(whiskers[0].y1(), frame.map.pixelY(std::log10(value - half)));
  EXPECT_GE(whiskers[0].y2(), frame.map.plot.top()) << "the axis holds the upper ends";
}

TEST(DepthIntervals, AnIntervalThatReachesZeroEndsAtTheEdgeOfTheLogarithmicPlot) {
  DepthData data = dataOf(4);
  data.curves[0].halves[1] = data.curves[0].values[1] * 2;
  const DepthFrame frame = frameOf(data, optionsOf(data));
  EXPECT_DOUBLE_EQ(intervalWhiskers(frame, data, 0)[1].y1(), frame.map.plot.bottom());
}

TEST(DepthIntervals, BandsBreakAtTheFoldAndWhereNothingIsKnown) {
  DepthData data = dataOf(1);
  const DepthFrame frame = frameOf(data, optionsOf(data));
  const std::size_t whole = intervalBands(frame, data, 0).size();
  EXPECT_EQ(whole, 2U) << "forward and backward";
  data.curves[0].halves[2] = NAN;
  EXPECT_EQ(intervalBands(frame, data, 0).size(), 3U);
}

TEST(DepthIntervals, TheTableHasThemAsNumbers) {
  DepthData data = dataOf(2);
  data.sampledCurve = 1;
  data.samples = {{.sample = 4, .values = data.curves[1].values}};
  Viewport viewport;
  viewport.setFull({-0.6, data.axis.size() - 0.4}, {-4, 0});
  const report::DataTable table = depthTable({data, optionsOf(data), viewport});
  std::vector<std::string> titles;
  for (const report::DataColumn& column : table.columns) {
    titles.push_back(column.group + "/" + column.title);
  }
  const auto interval = std::ranges::find(titles, "RMS rel ±/v1");
  ASSERT_NE(interval, titles.end());
  const auto at = static_cast<std::size_t>(interval - titles.begin());
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][at]), data.curves[1].halves[0] * 100);
  EXPECT_NE(std::ranges::find(titles, "RMS rel/v1, sample 4"), titles.end());
}

TEST(DepthIntervals, EverySampleIsALineBehindTheMean) {
  DepthData data = dataOf(2);
  data.sampledCurve = 1;
  for (std::uint64_t sample = 0; sample < 8; ++sample) {
    SampleCurve curve{.sample = sample, .values = {}};
    for (const double mean : data.curves[1].values) {
      curve.values.push_back(test::sampleValue(mean, sample, 8));
    }
    data.samples.push_back(curve);
  }
  DepthOptions options = optionsOf(data);
  EXPECT_EQ(frameOf(data, options).samples.size(), 8U);
  options.visible[1] = false;
  EXPECT_TRUE(frameOf(data, options).samples.empty()) << "with their mean they go";
}

}  // namespace
}  // namespace ulp::views::charts
