#include "views/charts/plot/readout_place.h"

#include <gtest/gtest.h>

#include <QtGui/QImage>
#include <QtGui/QPainter>

namespace ulp::views::charts {
namespace {

TEST(ReadoutPlace, BoxesStayWithinTheDevice) {
  QImage image(100, 50, QImage::Format_RGB32);
  QPainter painter(&image);
  EXPECT_EQ(leftWithin(painter, 20, 40), 20);
  EXPECT_EQ(leftWithin(painter, 80, 40), 60);
  EXPECT_EQ(leftWithin(painter, -5, 40), 0);
  EXPECT_EQ(leftWithin(painter, 30, 400), 0) << "too wide: its beginning is seen";
}

TEST(ReadoutPlace, PanelsThatAreMovedHaveTheRoomOfTheWholeDevice) {
  QImage image(100, 50, QImage::Format_RGB32);
  QPainter painter(&image);
  painter.translate(50, 0);
  EXPECT_EQ(leftWithin(painter, 30, 40), 10);
  EXPECT_EQ(leftWithin(painter, -60, 40), -50);
}

}  // namespace
}  // namespace ulp::views::charts
