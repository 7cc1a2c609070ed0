#include <gtest/gtest.h>

#include <QtTest/QTest>

#include "views/charts/raster/raster_widget.h"

namespace ulp::views::charts {
namespace {

/// 4 × 6 elements seen through 2 × 3 cells, or rows 2 … 3 and columns 3 … 5 of them one by one.
RasterContent contentOf(const RasterPlacement& placement, int rows, int columns) {
  RasterGrid grid{.rows = rows, .columns = columns, .values = {}, .nonFinite = {}, .missing = {}};
  for (int i = 0; i < rows * columns; ++i) {
    grid.values.push_back(i);
  }
  RasterContent content;
  content.grid = std::make_shared<const RasterGrid>(std::move(grid));
  content.placement = placement;
  content.cellText = [](int, int) { return QStringLiteral("1"); };
  return content;
}

constexpr RasterPlacement kCoarse{.rows = 4, .columns = 6, .rowsPerCell = 2, .columnsPerCell = 2};
constexpr RasterPlacement kPart{.rows = 4, .columns = 6, .firstRow = 2, .firstColumn = 3};

TEST(RasterPlacement, WalksInTheRowsAndColumnsOfTheMatrix) {
  const RasterContent content = contentOf(kCoarse, 2, 3);
  EXPECT_EQ(content.rowCount(), 4);
  EXPECT_EQ(content.columnCount(), 6);
  EXPECT_EQ(content.gridColumns({2, 6}), (Range{1, 3}));
  EXPECT_FALSE(content.gridAt(0, 0).has_value()) << "a coarse cell is no element";
}

TEST(RasterPlacement, FindsTheCellsOfAPart) {
  const RasterContent content = contentOf(kPart, 2, 3);
  EXPECT_EQ(content.gridAt(2, 3), 0U);
  EXPECT_EQ(content.gridAt(3, 5), 5U);
  EXPECT_FALSE(content.gridAt(1, 3).has_value());
  EXPECT_FALSE(content.gridAt(2, 2).has_value());
  EXPECT_EQ(content.gridRows({2, 4}), (Range{0, 2}));
}

TEST(RasterPlacement, PaintsEachCellWhereItLies) {
  RasterWidget raster;
  raster.resize(400, 300);
  ColorScale scale;
  scale.kind = ScaleKind::Linear;
  scale.range = {0, 5};
  raster.setScale(scale);
  raster.setContent(contentOf(kCoarse, 2, 3));
  const ScaleColors colors = scaleColors(scale, lightTheme());
  const QImage image = raster.grab().toImage();
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 6; ++column) {
      const QPoint at = raster.cellRect({row, column}).center().toPoint() + QPoint(3, 3);
      const int coarse = row / 2 * 3 + column / 2;
      EXPECT_EQ(QColor(image.pixel(at)).name(), QColor(flatColor(scale, colors, coarse)).name())
          << row << ' ' << column;
    }
  }
  EXPECT_FALSE(raster.frame().hasTexts) << "a coarse cell has no value to write";
}

TEST(RasterPlacement, ShowsAFinerPartWithoutMovingTheView) {
  RasterWidget raster;
  raster.resize(400, 300);
  ColorScale scale;
  scale.kind = ScaleKind::Linear;
  scale.range = {0, 5};
  raster.setScale(scale);
  raster.setContent(contentOf(kCoarse, 2, 3));
  raster.setViewRange({3, 6}, {2, 4});
  const Range seen = raster.viewRange().x();
  raster.setContent(contentOf(kPart, 2, 3));
  EXPECT_EQ(raster.viewRange().x(), seen);
  EXPECT_TRUE(raster.frame().hasTexts);
  const QPoint corner = raster.cellRect({3, 5}).topLeft().toPoint() + QPoint(6, 6);
  const ScaleColors colors = scaleColors(scale, lightTheme());
  EXPECT_EQ(QColor(raster.grab().toImage().pixel(corner)).name(),
            QColor(flatColor(scale, colors, 5)).name());
}

}  // namespace
}  // namespace ulp::views::charts
