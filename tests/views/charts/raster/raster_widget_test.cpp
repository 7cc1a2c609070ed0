#include "views/charts/raster/raster_widget.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include <QtGui/QAccessible>
#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>

#include "tests/support/data/special_numbers.h"

namespace ulp::views::charts {
namespace {

using test::kNan;

class RasterWidgetTest : public testing::Test {
 protected:
  void load(int rows, int columns) {
    auto grid = std::make_shared<RasterGrid>();
    grid->rows = rows;
    grid->columns = columns;
    for (int i = 0; i < rows * columns; ++i) {
      grid->values.push_back(std::pow(10.0, -3 + 3.0 * i / (rows * columns)));
    }
    grid->values.back() = kNan;
    grid->missing.assign(grid->values.size(), 0);
    grid->missing.front() = 1;
    RasterContent content;
    content.grid = grid;
    content.title = QStringLiteral("RMS rel, %");
    content.rows.label = [](int row) { return QStringLiteral("row %1").arg(row); };
    content.cellText = [grid](int row, int column) {
      return QString::number(grid->value(row, column), 'g', 2);
    };
    content.readout = [](int row, int column) {
      return RasterReadout{QStringLiteral("%1 / %2").arg(row).arg(column), {}};
    };
    m_raster.setContent(std::move(content));
    m_raster.resize(640, 360);
    m_raster.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_raster));
  }

  [[nodiscard]] QPoint middle(int row, int column) const {
    return m_raster.cellRect({row, column}).center().toPoint();
  }
  void wheel(const QPoint& at, int steps, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at,
                      m_raster.mapToGlobal(at),
                      {},
                      QPoint(0, 120 * steps),
                      Qt::NoButton,
                      modifiers,
                      Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&m_raster, &event);
  }
  void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    QTest::mousePress(&m_raster, Qt::LeftButton, keys, from);
    QTest::mouseMove(&m_raster, (from + to) / 2);
    QTest::mouseMove(&m_raster, to);
    QTest::mouseRelease(&m_raster, Qt::LeftButton, keys, to);
  }

  RasterWidget m_raster;
};

TEST(RasterPicture, AGapLiesWhereItsCellBegins) {
  // Every other edge lies in the middle of a pixel.
  const auto grid = std::make_shared<RasterGrid>(
      RasterGrid{.rows = 1, .columns = 32, .values = std::vector<double>(32, 1e-9)});
  const ColorScale scale{.kind = ScaleKind::Logarithmic, .range = {1e-3, 1}};
  const ScaleColors colors = scaleColors(scale, lightTheme());
  RasterContent content;
  content.grid = grid;
  const Range x{0, 32};
  RasterFrame frame;
  frame.map = {{QRectF(23, 0, 32 * 28.5, 72), x, {0, 1}, Upwards::Shrinks}};
  frame.hasGaps = true;
  const QImage cells = colorize(
      aggregate(*grid, x, {0, 1}, frame.map.plot.size().toSize(), scale.kind, Prefer::Largest),
      scale,
      colors,
      1);
  QImage image(960, 100, QImage::Format_RGB32);
  image.fill(lightTheme().chartBackground);
  QPainter painter(&image);
  paintRaster(
      painter, frame, {.content = content, .scale = scale, .cells = cells}, lightTheme(), {});
  painter.end();
  for (int column = 1; column < 32; ++column) {
    const int edge = static_cast<int>(std::ceil(23 + column * 28.5 - 0.5));
    EXPECT_EQ(QColor(image.pixel(edge, 70)), lightTheme().chartBackground) << column;
    EXPECT_EQ(image.pixel(edge - 1, 70), colors.below) << column;
    EXPECT_EQ(image.pixel(edge + 1, 70), colors.belowMark) << column;
  }
}

TEST_F(RasterWidgetTest, ClickPicksAndHoverReadsTheCell) {
  load(4, 12);
  const QSignalSpy picked(&m_raster, &RasterWidget::picked);
  const QSignalSpy hovered(&m_raster, &RasterWidget::hovered);
  QTest::mouseMove(&m_raster, middle(2, 5));
  ASSERT_GE(hovered.count(), 1);
  EXPECT_EQ(m_raster.hoveredCell(), (RasterCell{2, 5}));
  QTest::mouseClick(&m_raster, Qt::LeftButton, {}, middle(3, 7));
  ASSERT_EQ(picked.count(), 1);
  EXPECT_EQ(picked[0][0].toInt(), 3);
  EXPECT_EQ(picked[0][1].toInt(), 7);
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&m_raster, &leave);
  EXPECT_EQ(hovered.last()[0].toInt(), -1);
  EXPECT_FALSE(m_raster.hoveredCell().isValid());
}

TEST_F(RasterWidgetTest, WheelZoomsAtTheCursorAndWithCtrlTheRows) {
  load(4, 200);
  const QPoint at = middle(1, 120);
  wheel(at, 4);
  EXPECT_LT(m_raster.viewRange().x().span(), 100);
  EXPECT_EQ(m_raster.cellAt(at).column, 120);
  EXPECT_EQ(m_raster.viewRange().y(), m_raster.viewRange().fullY());
  wheel(at, 2, Qt::ControlModifier);
  EXPECT_LT(m_raster.viewRange().y().span(), 4);
}

TEST_F(RasterWidgetTest, WheelZoomsThinRowsToo) {
  load(300, 300);
  const QPoint at = middle(150, 150);
  wheel(at, 3);
  EXPECT_LT(m_raster.viewRange().y().span(), 200);
  EXPECT_EQ(m_raster.cellAt(at).row, 150);
}

TEST_F(RasterWidgetTest, DragZoomsShiftDragPansDoubleClickResets) {
  load(40, 60);
  const QRect plot = m_raster.frame().map.plot.toRect();
  drag(plot.topLeft() + QPoint(100, 60), plot.topLeft() + QPoint(300, 200));
  ASSERT_TRUE(m_raster.viewRange().isZoomed());
  const Range zoomed = m_raster.viewRange().x();
  drag(plot.center(), plot.center() - QPoint(50, 0), Qt::ShiftModifier);
  EXPECT_GT(m_raster.viewRange().x().low, zoomed.low);
  EXPECT_NEAR(m_raster.viewRange().x().span(), zoomed.span(), 1e-9);
  QTest::mouseDClick(&m_raster, Qt::LeftButton, {}, plot.center());
  EXPECT_FALSE(m_raster.viewRange().isZoomed());
}

TEST_F(RasterWidgetTest, KeysWalkCellsAndZoom) {
  load(4, 12);
  m_raster.setCurrent({1, 4});
  const QSignalSpy picked(&m_raster, &RasterWidget::picked);
  const auto press = [&](Qt::Key key) {
    QTest::keyClick(&m_raster, key);
    return RasterCell{picked.last()[0].toInt(), picked.last()[1].toInt()};
  };
  EXPECT_EQ(press(Qt::Key_Right), (RasterCell{1, 5}));
  EXPECT_EQ(press(Qt::Key_Left), (RasterCell{1, 3}));
  EXPECT_EQ(press(Qt::Key_Down), (RasterCell{2, 4}));
  EXPECT_EQ(press(Qt::Key_Up), (RasterCell{0, 4}));
  EXPECT_EQ(press(Qt::Key_Home), (RasterCell{1, 0}));
  EXPECT_EQ(press(Qt::Key_End), (RasterCell{1, 11}));
  QTest::keyClick(&m_raster, Qt::Key_Plus);
  EXPECT_TRUE(m_raster.viewRange().isZoomed());
  QTest::keyClick(&m_raster, Qt::Key_0);
  EXPECT_FALSE(m_raster.viewRange().isZoomed());
  const QSignalSpy activated(&m_raster, &RasterWidget::activated);
  QTest::keyClick(&m_raster, Qt::Key_Return);
  EXPECT_EQ(activated.count(), 1);
}

TEST_F(RasterWidgetTest, WalkingBringsTheCellIntoSight) {
  load(4, 100);
  m_raster.setViewRange({0, 10}, {0, 4});
  m_raster.setCurrent({0, 9});
  QTest::keyClick(&m_raster, Qt::Key_Right);
  EXPECT_EQ(m_raster.viewRange().x(), (Range{1, 11}));
}

TEST_F(RasterWidgetTest, SharesItsZoomWithoutEchoes) {
  load(40, 60);
  const QSignalSpy changed(&m_raster, &RasterWidget::viewRangeChanged);
  m_raster.setViewRange({10, 20}, {5, 15});
  EXPECT_EQ(changed.count(), 0);
  wheel(m_raster.frame().map.plot.center().toPoint(), 1);
  EXPECT_EQ(changed.count(), 1);
}

TEST_F(RasterWidgetTest, TextsAppearWhereTheyFit) {
  load(4, 6);
  EXPECT_TRUE(m_raster.frame().hasTexts);
  load(4, 300);
  EXPECT_FALSE(m_raster.frame().hasTexts);
  m_raster.setViewRange({100, 106}, {0, 4});
  EXPECT_TRUE(m_raster.frame().hasTexts);
}

TEST_F(RasterWidgetTest, LabelsThinOutInsteadOfOverlapping) {
  load(300, 300);
  const std::vector<Tick>& rows = m_raster.frame().rowTicks;
  ASSERT_GE(rows.size(), 3U);
  const double distance = (rows[1].position - rows[0].position) * m_raster.frame().map.cellHeight();
  EXPECT_GE(distance, QFontMetricsF(m_raster.font()).height() - 3);
  const std::vector<Tick>& columns = m_raster.frame().columnTicks;
  ASSERT_GE(columns.size(), 3U);
  const QFontMetricsF metrics(m_raster.font());
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const double apart =
        (columns[i].position - columns[i - 1].position) * m_raster.frame().map.cellWidth();
    EXPECT_GT(apart, metrics.horizontalAdvance(columns[i].label));
  }
}

TEST_F(RasterWidgetTest, IsAChartWithATableOfCellsToAssistiveTechnology) {
  load(4, 12);
  QAccessibleInterface* const spoken = QAccessible::queryAccessibleInterface(&m_raster);
  ASSERT_NE(spoken, nullptr);
  EXPECT_EQ(spoken->role(), QAccessible::Chart);
  EXPECT_EQ(spoken->text(QAccessible::Description),
            QStringLiteral("RMS rel, %. Rows: 4. Columns: 12. Arrows walk the cells."));
  QAccessibleTableInterface* const table = spoken->tableInterface();
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->rowCount(), 4);
  EXPECT_EQ(table->columnCount(), 12);
  EXPECT_EQ(table->rowDescription(2), QStringLiteral("row 2"));
  QAccessibleInterface* const cell = table->cellAt(1, 3);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->text(QAccessible::Name), QStringLiteral("row 1, 3: 0.0087"));
  EXPECT_EQ(cell->tableCellInterface()->rowIndex(), 1);
  EXPECT_EQ(cell->tableCellInterface()->columnIndex(), 3);
  EXPECT_EQ(table->cellAt(1, 3), cell);
  EXPECT_EQ(spoken->indexOfChild(cell), 15);
  EXPECT_EQ(table->cellAt(4, 0), nullptr);
  EXPECT_EQ(table->cellAt(0, 0)->text(QAccessible::Name), QStringLiteral("row 0, 0: missing"));
  const QPoint inCell = cell->rect().center();
  EXPECT_EQ(spoken->childAt(inCell.x(), inCell.y()), cell);
  m_raster.setCurrent({1, 3});
  EXPECT_EQ(table->selectedCells(), QList<QAccessibleInterface*>{cell});
  load(1, 2);
  EXPECT_FALSE(cell->isValid());
}

TEST_F(RasterWidgetTest, OtherColoursKeepWhatWasGathered) {
  load(40, 60);
  const QImage before = m_raster.grab().toImage();
  ColorScale scale = m_raster.scale();
  scale.map = ColorMap::Viridis;
  m_raster.setScale(scale);
  const QImage viridis = m_raster.grab().toImage();
  EXPECT_NE(before, viridis);
  m_raster.setTheme(darkTheme());
  EXPECT_NE(m_raster.grab().toImage(), viridis);
}

}  // namespace
}  // namespace ulp::views::charts
