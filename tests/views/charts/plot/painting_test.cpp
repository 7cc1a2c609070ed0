#include "views/charts/plot/painting.h"

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

const QRectF kArea(0, 0, 10, 10);

TEST(ClipLine, LeavesWhatIsInside) {
  const QList<QPointF> line{{1, 1}, {5, 9}, {9, 1}};
  const auto pieces = clipLine(line, kArea);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0], line);
}

TEST(ClipLine, CutsAtTheEdgeAndGoesOnWhereTheLineComesBack) {
  const auto pieces = clipLine({{5, 5}, {15, 5}, {15, 8}, {5, 8}}, kArea);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0], (QList<QPointF>{{5, 5}, {10, 5}}));
  EXPECT_EQ(pieces[1], (QList<QPointF>{{10, 8}, {5, 8}}));
}

TEST(ClipLine, CutsALineThatCrossesOnBothSides) {
  const auto pieces = clipLine({{-10, 5}, {20, 5}}, kArea);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0], (QList<QPointF>{{0, 5}, {10, 5}}));
}

TEST(ClipLine, HasNothingOfWhatLiesOutside) {
  EXPECT_TRUE(clipLine({{-5, -5}, {-1, 20}}, kArea).empty());
  EXPECT_TRUE(clipLine({{12, 0}, {12, 10}}, kArea).empty());
  EXPECT_TRUE(clipLine({}, kArea).empty());
}

}  // namespace
}  // namespace ulp::views::charts
