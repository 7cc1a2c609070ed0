#include "views/charts/depth_chart/depth_chart.h"

#include <gtest/gtest.h>

#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>

#include "tests/support/data/many_curves.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/window/event_passes.h"
#include "tests/support/window/stall_listener.h"
#include "tests/views/context_fixture.h"
#include "views/charts/depth/depth_exhibit.h"

namespace ulp::views::charts {
namespace {

class DepthChartTest : public testing::Test {
 protected:
  void load(const test::ReportShape& shape, const QString& kind = layerRowsId()) {
    m_document = test::documentOf(test::realisticReport(shape));
    m_chart.setData(makeDepthData(*m_document,
                                  makeDepthAxis(*m_document, kind, PassFilter::ForwardBackward),
                                  QStringLiteral("rms_rel")));
    m_chart.resize(900, 500);
    m_chart.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_chart));
  }

  [[nodiscard]] QPoint pointAt(int slot, int curve) const {
    const DepthFrame& frame = m_chart.frame();
    const double value = m_chart.data()
                             .curves[static_cast<std::size_t>(curve)]
                             .values[static_cast<std::size_t>(slot)];
    return QPointF(frame.map.pixelX(slot), frame.map.pixelY(frame.scale.position(value))).toPoint();
  }

  void wheel(const QPoint& at, int steps, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at,
                      m_chart.mapToGlobal(at),
                      {},
                      QPoint(0, 120 * steps),
                      Qt::NoButton,
                      modifiers,
                      Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&m_chart, &event);
  }

  void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    QTest::mousePress(&m_chart, Qt::LeftButton, keys, from);
    QTest::mouseMove(&m_chart, (from + to) / 2);
    QTest::mouseMove(&m_chart, to);
    QTest::mouseRelease(&m_chart, Qt::LeftButton, keys, to);
  }

  DocumentPtr m_document;
  DepthChart m_chart;
};

TEST_F(DepthChartTest, ClickPicksTheRowAndTheNearestVariant) {
  load({.layers = 12});
  const QSignalSpy picked(&m_chart, &DepthChart::picked);
  QTest::mouseClick(&m_chart, Qt::LeftButton, Qt::NoModifier, pointAt(7, 2));
  ASSERT_EQ(picked.count(), 1);
  EXPECT_EQ(picked[0][0].toInt(), 7);
  EXPECT_EQ(picked[0][1].toInt(), 2);
}

TEST_F(DepthChartTest, HoverReadsTheRowAndLeavingForgetsIt) {
  load({.layers = 12});
  const QSignalSpy hovered(&m_chart, &DepthChart::hovered);
  QTest::mouseMove(&m_chart, pointAt(5, 0));
  ASSERT_GE(hovered.count(), 1);
  EXPECT_EQ(hovered.last()[0].toInt(), 5);
  EXPECT_EQ(m_chart.hoveredSlot(), 5);
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&m_chart, &leave);
  EXPECT_EQ(hovered.last()[0].toInt(), -1);
  EXPECT_EQ(m_chart.hoveredSlot(), -1);
}

TEST_F(DepthChartTest, WheelZoomsAtTheCursor) {
  load({.layers = 12});
  const QPoint at = pointAt(6, 0);
  wheel(at, 3);
  EXPECT_TRUE(m_chart.viewRange().isZoomed());
  EXPECT_NEAR(m_chart.frame().map.valueX(at.x()), 6, 0.2);
  const Range y = m_chart.viewRange().y();
  EXPECT_EQ(y, m_chart.viewRange().fullY());
  wheel(at, 2, Qt::ControlModifier);
  EXPECT_LT(m_chart.viewRange().y().span(), y.span());
}

TEST_F(DepthChartTest, DragZoomsShiftDragPansDoubleClickResets) {
  load({.layers = 12});
  const QRect plot = m_chart.frame().map.plot.toRect();
  drag(plot.topLeft() + QPoint(100, 50), plot.topLeft() + QPoint(300, 200));
  ASSERT_TRUE(m_chart.viewRange().isZoomed());
  const Range zoomed = m_chart.viewRange().x();
  drag(plot.center(), plot.center() - QPoint(50, 0), Qt::ShiftModifier);
  EXPECT_GT(m_chart.viewRange().x().low, zoomed.low);
  EXPECT_NEAR(m_chart.viewRange().x().span(), zoomed.span(), 1e-9);
  QTest::mouseDClick(&m_chart, Qt::LeftButton, Qt::NoModifier, plot.center());
  EXPECT_FALSE(m_chart.viewRange().isZoomed());
}

TEST_F(DepthChartTest, KeysWalkRowsAndVariants) {
  load({.layers = 12});
  m_chart.setCurrent(4, 1);
  const QSignalSpy picked(&m_chart, &DepthChart::picked);
  const auto press = [&](Qt::Key key) {
    QTest::keyClick(&m_chart, key);
    return QPoint(picked.last()[0].toInt(), picked.last()[1].toInt());
  };
  EXPECT_EQ(press(Qt::Key_Right), QPoint(5, 1));
  EXPECT_EQ(press(Qt::Key_Left), QPoint(3, 1));
  EXPECT_EQ(press(Qt::Key_Down), QPoint(4, 2));
  EXPECT_EQ(press(Qt::Key_Up), QPoint(4, 0));
  EXPECT_EQ(press(Qt::Key_Home), QPoint(0, 1));
  EXPECT_EQ(press(Qt::Key_End), QPoint(m_chart.data().axis.size() - 1, 1));
  QTest::keyClick(&m_chart, Qt::Key_Plus);
  EXPECT_TRUE(m_chart.viewRange().isZoomed());
  QTest::keyClick(&m_chart, Qt::Key_0);
  EXPECT_FALSE(m_chart.viewRange().isZoomed());
  const QSignalSpy activated(&m_chart, &DepthChart::activated);
  QTest::keyClick(&m_chart, Qt::Key_Return);
  EXPECT_EQ(activated.count(), 1);
}

TEST_F(DepthChartTest, HidesCurvesAndSkipsThemWithTheKeys) {
  load({.layers = 12});
  DepthOptions options = m_chart.options();
  options.visible = {true, false, true, true};
  m_chart.setOptions(options);
  m_chart.setCurrent(4, 0);
  const QSignalSpy picked(&m_chart, &DepthChart::picked);
  QTest::keyClick(&m_chart, Qt::Key_Down);
  EXPECT_EQ(picked.last()[1].toInt(), 2);
  EXPECT_EQ(m_chart.frame().labels.size(), 3U);
}

TEST_F(DepthChartTest, NewDataOfTheSameRowsKeepsTheZoom) {
  load({.layers = 12});
  wheel(pointAt(6, 0), 3);
  const Range x = m_chart.viewRange().x();
  DepthData data = m_chart.data();
  m_chart.setData(std::move(data));
  EXPECT_EQ(m_chart.viewRange().x(), x);
}

TEST_F(DepthChartTest, DrawsTheCurvesInTheirColours) {
  load({.layers = 12, .variants = {"bf16"}});
  const QImage image = m_chart.grab().toImage();
  const QColor color = lightTheme().variantStyle(0).color;
  int found = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      found += image.pixelColor(x, y) == color ? 1 : 0;
    }
  }
  EXPECT_GT(found, 200);
}

TEST_F(DepthChartTest, ShowsNonFiniteElementsInMagenta) {
  load({.layers = 12, .variants = {"bf16"}, .nonFiniteShare = 0.5});
  EXPECT_FALSE(m_chart.frame().scene.nonFinite.empty());
  const QImage image = m_chart.grab().toImage();
  const int y = static_cast<int>(m_chart.frame().map.plot.top()) - 4;
  int found = 0;
  for (int x = 0; x < image.width(); ++x) {
    found += image.pixelColor(x, y) == lightTheme().nonFinite ? 1 : 0;
  }
  EXPECT_GT(found, 3);
}

TEST_F(DepthChartTest, SurvivesHavingNothingToDraw) {
  m_chart.resize(300, 200);
  m_chart.show();
  EXPECT_FALSE(m_chart.grab().isNull());
  QTest::mouseClick(&m_chart, Qt::LeftButton, Qt::NoModifier, QPoint(150, 100));
  QTest::keyClick(&m_chart, Qt::Key_Down);
  wheel(QPoint(150, 100), 1);
  load({.layers = 2, .variants = {"a"}, .nonFiniteShare = 1, .missingShare = 0.9});
  EXPECT_FALSE(m_chart.grab().isNull());
}

TEST_F(DepthChartTest, PaintsManyCurvesOfManyRowsWithoutHoldingUpTheWindow) {
  test::allowStalls(100, "the first frame of so many curves also fills its memory");
  m_chart.setData(test::manyCurves(64, 3000));
  DepthOptions options = m_chart.options();
  options.directLabels = false;
  m_chart.setOptions(options);
  m_chart.resize(1280, 720);
  m_chart.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_chart));
  const double start = test::EventPasses::processorSeconds();
  DepthData linear = m_chart.data();
  linear.logarithmic = false;
  m_chart.setData(std::move(linear));
  m_chart.repaint();
  // A fiftieth of a second; strokes of QPainter take minutes.
  EXPECT_LT(test::EventPasses::processorSeconds() - start, test::slowness());
  const QColor color = lightTheme().variantStyle(0).color;
  const QImage image = m_chart.grab().toImage();
  int found = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      found += image.pixelColor(x, y) == color ? 1 : 0;
    }
  }
  EXPECT_GT(found, 200);
}

TEST_F(DepthChartTest, DrawsDenseCurvesAsDarkAsTheirPicture) {
  m_chart.setData(test::manyCurves(3, 2000));
  DepthOptions options = m_chart.options();
  options.referenceShown = false;
  m_chart.setOptions(options);
  m_chart.resize(900, 500);
  m_chart.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_chart));
  const QImage shown = m_chart.grab().toImage();
  QImage drawn(m_chart.size(), QImage::Format_RGB32);
  {
    QPainter painter(&drawn);
    painter.fillRect(drawn.rect(), lightTheme().chartBackground);
    painter.setFont(m_chart.font());
    const Theme theme = lightTheme();
    const DepthDrawing drawing{m_chart.frame(), m_chart.data(), m_chart.options(), theme};
    paintBelow(painter, drawing);
    paintCurves(painter, drawing);
    paintAbove(painter, drawing);
  }
  const auto darkness = [](const QImage& image) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        sum += 255 - qGray(image.pixel(x, y));
      }
    }
    return sum;
  };
  EXPECT_NEAR(darkness(shown) / darkness(drawn), 1, 0.25);
}

TEST_F(DepthChartTest, HoveringIsMuchCheaperThanDrawing) {
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) {
    names.push_back("variant" + std::to_string(i));
  }
  load({.layers = 126, .variants = names}, allRowsId());
  m_chart.grab();
  const double before = test::processSeconds();
  constexpr int kMoves = 10;
  for (int i = 0; i < kMoves; ++i) {
    m_chart.setHoveredSlot(10 + i);
    m_chart.repaint();
  }
  EXPECT_LT((test::processSeconds() - before) / kMoves, 0.05 * test::slowness());
}

}  // namespace
}  // namespace ulp::views::charts
