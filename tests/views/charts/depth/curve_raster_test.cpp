#include "views/charts/depth/curve_raster.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <QtGui/QPainter>

namespace ulp::views::charts {
namespace {

constexpr QRgb kBackground = 0xffffffffU;

class CurveRasterTest : public testing::Test {
 protected:
  CurveRasterTest() { m_image.fill(kBackground); }

  void draw(const std::vector<QPointF>& points, const CurvePen& pen, const QRect& clip) {
    CurveRaster(m_image, clip).draw(points, pen);
  }
  void draw(const std::vector<QPointF>& points, const CurvePen& pen) {
    draw(points, pen, m_image.rect());
  }

  [[nodiscard]] QRgb at(int x, int y) const { return m_image.pixel(x, y); }

  /// Darkness of the picture in pixels: what black lines cover.
  [[nodiscard]] static double ink(const QImage& image) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        sum += (255 - qRed(image.pixel(x, y))) / 255.0;
      }
    }
    return sum;
  }

  [[nodiscard]] int inkedColumns(int row) const {
    int count = 0;
    for (int x = 0; x < m_image.width(); ++x) {
      count += at(x, row) != kBackground ? 1 : 0;
    }
    return count;
  }

  QImage m_image{100, 60, QImage::Format_RGB32};
};

TEST_F(CurveRasterTest, FillsTheRowsOfALevelLineAndNoOthers) {
  draw({{10, 20}, {90, 20}}, {Qt::red, 2, {}});
  EXPECT_EQ(at(50, 18), kBackground);
  EXPECT_EQ(at(50, 19), QColor(Qt::red).rgb());
  EXPECT_EQ(at(50, 20), QColor(Qt::red).rgb());
  EXPECT_EQ(at(50, 21), kBackground);
  EXPECT_EQ(at(5, 20), kBackground);
  EXPECT_EQ(at(95, 20), kBackground);
}

TEST_F(CurveRasterTest, MixesTheColourWhereALineCoversPartOfAPixel) {
  draw({{10, 20.5}, {90, 20.5}}, {Qt::black, 2, {}});
  EXPECT_NEAR(qRed(at(50, 19)), 128, 1);
  EXPECT_EQ(qRed(at(50, 20)), 0);
  EXPECT_NEAR(qRed(at(50, 21)), 128, 1);
}

TEST_F(CurveRasterTest, CoversWhateverLiesWithinAColumn) {
  std::vector<QPointF> points;
  for (int i = 0; i < 800; ++i) {
    points.emplace_back(10 + (i * 0.1), i % 2 == 0 ? 10 : 50);
  }
  draw(points, {Qt::black, 1, {}});
  for (int y = 11; y < 50; ++y) {
    EXPECT_EQ(qRed(at(50, y)), 0) << y;
  }
  EXPECT_EQ(at(50, 5), kBackground);
  EXPECT_EQ(at(50, 55), kBackground);
}

TEST_F(CurveRasterTest, StaysWithinItsClip) {
  draw({{-500, -300}, {50, 30}, {700, 400}}, {Qt::black, 3, {}}, QRect(20, 20, 40, 20));
  for (int y = 0; y < m_image.height(); ++y) {
    for (int x = 0; x < m_image.width(); ++x) {
      if (!QRect(20, 20, 40, 20).contains(x, y)) {
        ASSERT_EQ(at(x, y), kBackground) << x << ',' << y;
      }
    }
  }
  EXPECT_EQ(qRed(at(50, 30)), 0);
}

TEST_F(CurveRasterTest, LeavesTheGapsOfDashes) {
  draw({{0, 30}, {100, 30}}, {Qt::black, 2, {5, 5}});
  EXPECT_EQ(qRed(at(5, 30)), 0);
  EXPECT_EQ(at(15, 30), kBackground);
  EXPECT_EQ(qRed(at(25, 30)), 0);
  EXPECT_NEAR(inkedColumns(30), 50, 2);
}

TEST_F(CurveRasterTest, DrawsNothingOfASinglePoint) {
  draw({{50, 30}}, {Qt::black, 2, {}});
  draw({}, {Qt::black, 2, {}});
  EXPECT_EQ(ink(m_image), 0);
}

TEST_F(CurveRasterTest, PutsAsMuchInkAsAStrokeOfQPainter) {
  std::vector<QPointF> points;
  for (int i = 0; i <= 80; ++i) {
    points.emplace_back(10 + i, 30 + (15 * std::sin(i * 0.15)));
  }
  QImage stroked = m_image;
  QPainter painter(&stroked);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(Qt::black, 1.6));
  painter.drawPolyline(points.data(), static_cast<int>(points.size()));
  painter.end();
  draw(points, {Qt::black, 1.6, {}});
  EXPECT_NEAR(ink(m_image) / ink(stroked), 1, 0.25);
}

}  // namespace
}  // namespace ulp::views::charts
