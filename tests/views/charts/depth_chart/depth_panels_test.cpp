#include "views/charts/depth_chart/depth_panels.h"

#include <gtest/gtest.h>

#include <QtGui/QPainter>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include "tests/views/context_fixture.h"
#include "views/charts/depth/depth_marks.h"
#include "views/charts/depth_chart/depth_chart.h"

namespace ulp::views::charts {
namespace {

class DepthPanelsTest : public testing::Test {
 protected:
  void SetUp() override {
    m_document = test::documentOf(test::realisticReport({.layers = 8, .nonFiniteShare = 0.1}));
    DepthData data =
        makeDepthData(*m_document,
                      makeDepthAxis(*m_document, layerRowsId(), PassFilter::ForwardBackward),
                      QStringLiteral("rms_rel"));
    markJumps(data, *m_document, {});
    addGuide(data, *m_document);
    m_chart.resize(900, 500);
    m_chart.setData(std::move(data));
    m_panels.resize(900, 500);
    m_panels.setPicture(m_chart.picture());
    m_panels.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_panels));
  }

  DocumentPtr m_document;
  DepthChart m_chart;
  DepthPanels m_panels;
};

TEST_F(DepthPanelsTest, HaveOnePanelForEachVisibleVariant) {
  EXPECT_EQ(m_panels.curves().size(), 4U);
  DepthOptions options = m_chart.options();
  options.visible = {true, false, true, false};
  m_chart.setOptions(options);
  m_panels.setPicture(m_chart.picture());
  EXPECT_EQ(m_panels.curves(), (std::vector<int>{0, 2}));
  EXPECT_FALSE(m_panels.panelRect(0).intersects(m_panels.panelRect(1).adjusted(1, 1, -1, -1)));
}

TEST_F(DepthPanelsTest, AClickPicksRowAndVariant) {
  QSignalSpy picked(&m_panels, &DepthPanels::picked);
  const QRectF panel = m_panels.panelRect(3);
  QTest::mouseClick(&m_panels, Qt::LeftButton, {}, panel.center().toPoint());
  ASSERT_EQ(picked.count(), 1);
  EXPECT_EQ(picked[0][1].toInt(), 3);
  const int middle = m_chart.data().axis.size() / 2;
  EXPECT_NEAR(picked[0][0].toInt(), middle, 2);
}

TEST_F(DepthPanelsTest, ArrowsWalkRowsAndVariants) {
  m_panels.setCurrent(2, 1);
  QSignalSpy picked(&m_panels, &DepthPanels::picked);
  QTest::keyClick(&m_panels, Qt::Key_Right);
  QTest::keyClick(&m_panels, Qt::Key_Down);
  ASSERT_EQ(picked.count(), 2);
  EXPECT_EQ(picked[0], (QList<QVariant>{3, 1}));
  EXPECT_EQ(picked[1], (QList<QVariant>{2, 2}));
}

TEST_F(DepthPanelsTest, HoveringShowsInEveryPanel) {
  const QImage before = m_panels.grab().toImage();
  QSignalSpy hovered(&m_panels, &DepthPanels::hovered);
  QTest::mouseMove(&m_panels, m_panels.panelRect(0).center().toPoint());
  ASSERT_GE(hovered.count(), 1);
  const QImage after = m_panels.grab().toImage();
  for (int panel = 0; panel < 4; ++panel) {
    const QRect rect = m_panels.panelRect(panel).toRect();
    EXPECT_NE(before.copy(rect), after.copy(rect)) << panel;
  }
}

TEST(DepthPanelsGrid, PrefersWidePanels) {
  EXPECT_EQ(panelColumns(1, {900, 500}), 1);
  EXPECT_EQ(panelColumns(4, {900, 500}), 2);
  EXPECT_EQ(panelColumns(4, {3000, 300}), 4);
  EXPECT_EQ(panelColumns(0, {900, 500}), 1);
}

TEST_F(DepthPanelsTest, ThePictureLooksLikeTheChartOnAnyPainter) {
  const Exhibit exhibit = m_chart.exhibit();
  QImage image(exhibit.size.toSize(), QImage::Format_RGB32);
  image.fill(Qt::red);
  QPainter painter(&image);
  exhibit.paint(painter, QRectF(QPointF(), exhibit.size), lightTheme());
  painter.end();
  EXPECT_FALSE(test::isBlank(image));
  EXPECT_EQ(image.pixelColor(1, 1), lightTheme().chartBackground);
  QImage panels(exhibit.size.toSize(), QImage::Format_RGB32);
  panels.fill(Qt::red);
  QPainter panelPainter(&panels);
  m_chart.exhibit(paintDepthPanels)
      .paint(panelPainter, QRectF(QPointF(), exhibit.size), lightTheme());
  panelPainter.end();
  EXPECT_FALSE(test::isBlank(panels));
  EXPECT_NE(panels, image);
  const report::DataTable table = exhibit.table();
  EXPECT_EQ(table.rows.size(), static_cast<std::size_t>(m_chart.data().axis.size()));
  ASSERT_EQ(table.columns.size(), 3 + 3 * 4 + 1U);
  EXPECT_EQ(table.columns[3].unit, "%");
  EXPECT_EQ(table.columns[11].group, "Jump");
  EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "embeddings");
}

TEST_F(DepthPanelsTest, XPinsASecondCursorAndTakesItAway) {
  m_chart.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_chart));
  m_chart.setCurrent(3, 0);
  const QImage before = m_chart.grab().toImage();
  QTest::keyClick(&m_chart, Qt::Key_X);
  EXPECT_EQ(m_chart.options().pinnedSlot, 3);
  EXPECT_NE(m_chart.grab().toImage(), before);
  m_chart.setCurrent(5, 0);
  QTest::keyClick(&m_chart, Qt::Key_X);
  EXPECT_EQ(m_chart.options().pinnedSlot, 5);
  QTest::keyClick(&m_chart, Qt::Key_X);
  EXPECT_EQ(m_chart.options().pinnedSlot, -1);
}

TEST_F(DepthPanelsTest, TheGuideAndTheJumpsCanBeShownAndHidden) {
  m_chart.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_chart));
  const QImage plain = m_chart.grab().toImage();
  DepthOptions options = m_chart.options();
  options.guideShown = true;
  m_chart.setOptions(options);
  EXPECT_FALSE(m_chart.frame().guide.empty());
  EXPECT_NE(m_chart.grab().toImage(), plain);
  options.guideShown = false;
  m_chart.setOptions(options);
  EXPECT_EQ(m_chart.grab().toImage(), plain);
  options.jumpsShown = false;
  m_chart.setOptions(options);
  EXPECT_NE(m_chart.grab().toImage(), plain);
}

}  // namespace
}  // namespace ulp::views::charts
