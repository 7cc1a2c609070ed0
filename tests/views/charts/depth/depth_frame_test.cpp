#include "views/charts/depth/depth_frame.h"

#include <cmath>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ulp::views::charts
