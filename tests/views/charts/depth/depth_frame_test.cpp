#include "views/charts/depth/depth_frame.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"

namespace ulp::views::charts {
namespace {

TEST(DepthFrame, PutsALineOfTheAxisIntoPixels) {
  const PlotMap map{.plot = QRectF(10, 20, 100, 50), .x = {0, 10}, .y = {0, 5}};
  EXPECT_EQ(pixelsOf({{0, 0}, {5, 1}, {10, 5}, {20, 10}}, map),
            QPolygonF({QPointF(10, 70), QPointF(60, 60), QPointF(110, 20), QPointF(210, -30)}))
      << "y grows upwards on the axis; what lies outside is not clipped";
  EXPECT_TRUE(pixelsOf({}, map).isEmpty());
}

TEST(DepthFrame, NoLabelOfTheAxisTouchesThatOfZero) {
  DepthData data;
  data.axis.positions.resize(3);
  data.axis.fold = 3;
  data.curves.push_back({.name = QStringLiteral("a"), .values = {0, 1.82e-5, 0.182}});
  data.curves[0].nonFinite.resize(3);
  const DepthOptions options{.visible = {true}};
  const DepthExtent extent = extentOf(data, options.visible);
  ASSERT_TRUE(extent.scale.hasZero);
  Viewport viewport;
  viewport.setFull({-0.5, 2.5}, extent.y);
  const DepthFrame frame =
      makeFrame(data, options, viewport, extent.scale, QSizeF(600, 260), QFont());
  ASSERT_EQ(frame.yTicks.back().label, QStringLiteral("0"));
  int labels = 0;
  for (const Tick& tick : frame.yTicks) {
    const double pixels =
        std::abs(tick.position - extent.scale.shelf) / extent.y.span() * frame.map.plot.height();
    const bool isZero = tick.position == extent.scale.shelf;
    EXPECT_TRUE(isZero || tick.label.isEmpty() || pixels > 14) << tick.label.toStdString();
    labels += tick.label.isEmpty() ? 0 : 1;
  }
  EXPECT_GE(labels, 4);
}

DepthFrame frameOf(const DepthData& data) {
  const DepthOptions options{.visible = std::vector<bool>(data.curves.size(), true)};
  const DepthExtent extent = extentOf(data, options.visible);
  Viewport viewport;
  viewport.setFull({-0.5, data.axis.size() - 0.5}, extent.y);
  return makeFrame(data, options, viewport, extent.scale, QSizeF(600, 260), QFont());
}

DepthData twoCurves(const std::vector<double>& first, const std::vector<double>& second) {
  DepthData data;
  data.axis.positions.resize(first.size());
  data.axis.fold = data.axis.size();
  data.curves.push_back({.name = QStringLiteral("a"), .values = first});
  data.curves.push_back({.name = QStringLiteral("b"), .values = second});
  for (DepthCurve& curve : data.curves) {
    curve.nonFinite.resize(first.size());
  }
  return data;
}

TEST(DepthFrame, ACurveThatStopsBeingFiniteIsNamedAboveEveryNumber) {
  DepthData data = twoCurves({0.1, test::kNan, test::kNan}, {0.2, 0.3, test::kNan});
  data.curves[0].nonFinite = {0, 7, 7};
  const DepthFrame frame = frameOf(data);
  ASSERT_EQ(frame.labels.size(), 2U);
  EXPECT_EQ(frame.labels[0].text, QStringLiteral("a NaN"));
  EXPECT_FALSE(frame.labels[0].isFinite);
  EXPECT_LT(frame.labels[0].lineY, frame.map.plot.top());
  EXPECT_EQ(frame.labels[1].text, QStringLiteral("b")) << "what is missing is not NaN";
  EXPECT_TRUE(frame.labels[1].isFinite);
  EXPECT_GE(frame.labels[1].lineY, frame.map.plot.top());
}

TEST(DepthFrame, MarksOfWhatIsNotFiniteHaveRoomAboveThePlot) {
  DepthData data = twoCurves({0.1, 0.2}, {0.1, 0.3});
  const DepthFrame finite = frameOf(data);
  data.curves[1].nonFinite[1] = 3;
  const DepthFrame broken = frameOf(data);
  EXPECT_EQ(finite.nonFiniteBand, 0);
  EXPECT_GT(broken.nonFiniteBand, 0);
  EXPECT_EQ(broken.map.plot.top(), finite.map.plot.top() + broken.nonFiniteBand);
}

TEST(DepthFrame, AnAxisOfZerosInventsNoDecades) {
  DepthData data = twoCurves({0, 0}, {0, test::kNan});
  const DepthFrame zeros = frameOf(data);
  ASSERT_EQ(zeros.yTicks.size(), 1U);
  EXPECT_EQ(zeros.yTicks[0].label, QStringLiteral("0"));
  data.noise = {0.1, 0.1};
  EXPECT_GT(frameOf(data).yTicks.size(), 2U) << "the noise stands among decades";
}

}  // namespace
}  // namespace ulp::views::charts
