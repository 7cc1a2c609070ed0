#include "views/charts/plot/viewport.h"

#include <gtest/gtest.h>

namespace ulp::views::charts {
namespace {

Viewport hundred() {
  Viewport viewport;
  viewport.setFull({0, 100}, {-3, 0});
  viewport.reset();
  return viewport;
}

TEST(Viewport, ZoomsAroundTheAnchor) {
  Viewport viewport = hundred();
  viewport.zoomX(0.5, 20);
  EXPECT_DOUBLE_EQ(viewport.x().low, 10);
  EXPECT_DOUBLE_EQ(viewport.x().high, 60);
  EXPECT_EQ(viewport.y(), (Range{-3, 0}));
  EXPECT_TRUE(viewport.isZoomed());
  viewport.reset();
  EXPECT_FALSE(viewport.isZoomed());
}

TEST(Viewport, NeverLeavesWhatExists) {
  Viewport viewport = hundred();
  viewport.zoomX(4, 99);
  EXPECT_EQ(viewport.x(), (Range{0, 100}));
  viewport.zoomX(0.5, 0);
  viewport.pan(-10, 5);
  EXPECT_EQ(viewport.x(), (Range{0, 50}));
  EXPECT_EQ(viewport.y(), (Range{-3, 0}));
  for (int i = 0; i < 200; ++i) {
    viewport.zoomX(0.1, 25);
  }
  EXPECT_GT(viewport.x().span(), 0);
}

TEST(Viewport, NewDataKeepsAZoomAndGrowsAFullView) {
  Viewport viewport = hundred();
  viewport.setFull({0, 200}, {-5, 0});
  EXPECT_EQ(viewport.x(), (Range{0, 200}));
  viewport.zoomTo({50, 60}, {-2, -1});
  viewport.setFull({0, 300}, {-5, 0});
  EXPECT_EQ(viewport.x(), (Range{50, 60}));
  EXPECT_EQ(viewport.y(), (Range{-2, -1}));
}

TEST(PlotMap, MapsBothWays) {
  const PlotMap map{.plot = QRectF(10, 20, 100, 50), .x = {0, 10}, .y = {-1, 1}};
  EXPECT_DOUBLE_EQ(map.pixelX(5), 60);
  EXPECT_DOUBLE_EQ(map.pixelY(1), 20);
  EXPECT_DOUBLE_EQ(map.pixelY(-1), 70);
  EXPECT_DOUBLE_EQ(map.valueX(map.pixelX(3.3)), 3.3);
  EXPECT_DOUBLE_EQ(map.valueY(map.pixelY(0.25)), 0.25);
}

TEST(Viewport, ZoomedToEverythingItIsNotZoomed) {
  // -0.6 + (28.6 - -0.6) is not 28.6.
  const Range x{-0.6, 28.6};
  const Range y{-3.0937, -0.8446};
  Viewport viewport;
  viewport.setFull(x, y);
  viewport.zoomTo({2, 4}, y);
  viewport.zoomTo(x, y);
  EXPECT_FALSE(viewport.isZoomed());
  viewport.zoomTo({-5, 50}, y);
  EXPECT_EQ(viewport.x(), x);
}

}  // namespace
}  // namespace ulp::views::charts
