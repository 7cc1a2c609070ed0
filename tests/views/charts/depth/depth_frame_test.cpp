#include "views/charts/depth/depth_frame.h"

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

}  // namespace
}  // namespace ulp::views::charts
