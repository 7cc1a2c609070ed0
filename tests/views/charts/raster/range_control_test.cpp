#include "views/charts/raster/range_control.h"

#include <cmath>

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QPushButton>

#include "views/charts/raster/raster.h"

namespace ulp::views::charts {
namespace {

class RangeControlTest : public testing::Test {
 protected:
  void SetUp() override {
    RasterGrid grid{.rows = 1, .columns = 4, .values = {1e-3, 0.01, 0.1, 1}};
    m_control.setScale({.kind = ScaleKind::Logarithmic, .range = {1e-3, 1}});
    m_control.setDistribution(distributionOf(grid, ScaleKind::Logarithmic));
    m_control.resize(700, 80);
    m_control.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_control));
  }

  [[nodiscard]] QPoint at(RangeBar::End end) {
    return {static_cast<int>(std::lround(bar().pixelOf(end))), 20};
  }
  RangeBar& bar() { return m_control.bar(); }
  void drag(const QPoint& from, const QPoint& to) {
    QTest::mousePress(&bar(), Qt::LeftButton, {}, from);
    QTest::mouseMove(&bar(), (from + to) / 2);
    QTest::mouseMove(&bar(), to);
    QTest::mouseRelease(&bar(), Qt::LeftButton, {}, to);
  }

  RangeControl m_control;
};

TEST_F(RangeControlTest, DraggingAnEndMovesItAlone) {
  const QSignalSpy changed(&m_control, &RangeControl::rangeChanged);
  const double middle =
      (bar().pixelOf(RangeBar::End::Low) + bar().pixelOf(RangeBar::End::High)) / 2;
  drag(at(RangeBar::End::High), QPoint(static_cast<int>(middle), 20));
  ASSERT_GE(changed.count(), 1);
  EXPECT_DOUBLE_EQ(m_control.scale().range.low, 1e-3);
  EXPECT_NEAR(std::log10(m_control.scale().range.high), -1.5, 0.02);
  EXPECT_EQ(bar().activeEnd(), RangeBar::End::High);
}

TEST_F(RangeControlTest, EndsNeverCross) {
  drag(at(RangeBar::End::Low), QPoint(bar().width() - 1, 20));
  EXPECT_LT(m_control.scale().range.low, m_control.scale().range.high);
}

TEST_F(RangeControlTest, DraggingBetweenTheEndsMovesBoth) {
  m_control.setScale({.kind = ScaleKind::Logarithmic, .range = {0.01, 0.1}});
  const QPoint middle((at(RangeBar::End::Low) + at(RangeBar::End::High)) / 2);
  drag(middle, middle + QPoint(40, 0));
  const Range moved = m_control.scale().range;
  EXPECT_GT(moved.low, 0.011);
  EXPECT_NEAR(moved.high / moved.low, 10, 1e-6);
}

TEST_F(RangeControlTest, KeysMoveTheActiveEnd) {
  bar().setFocus();
  QTest::keyClick(&bar(), Qt::Key_Down);
  EXPECT_EQ(bar().activeEnd(), RangeBar::End::Low);
  QTest::keyClick(&bar(), Qt::Key_Right);
  const double once = m_control.scale().range.low;
  EXPECT_GT(once, 1e-3);
  QTest::keyClick(&bar(), Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_GT(std::log10(m_control.scale().range.low) - std::log10(once), 5 * (std::log10(once) + 3));
  QTest::keyClick(&bar(), Qt::Key_Home);
  EXPECT_DOUBLE_EQ(m_control.scale().range.low, 1e-3);
  QTest::keyClick(&bar(), Qt::Key_Up);
  QTest::keyClick(&bar(), Qt::Key_Left);
  EXPECT_LT(m_control.scale().range.high, 1);
  EXPECT_TRUE(bar().accessibleDescription().contains(QStringLiteral("0.001")))
      << bar().accessibleDescription().toStdString();
}

TEST_F(RangeControlTest, SymmetricEndsMoveTogether) {
  m_control.setScale({.kind = ScaleKind::Symmetric, .map = ColorMap::Diverging, .range = {-2, 2}});
  bar().setFocus();
  QTest::keyClick(&bar(), Qt::Key_Left);
  const Range range = m_control.scale().range;
  EXPECT_LT(range.high, 2);
  EXPECT_DOUBLE_EQ(range.low, -range.high);
}

TEST_F(RangeControlTest, FitsOnceAlwaysAndOnDoubleClick) {
  const auto button = m_control.findChild<QPushButton*>();
  auto* const always = m_control.findChild<QCheckBox*>();
  m_control.setScale({.kind = ScaleKind::Logarithmic, .range = {0.02, 0.03}});
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(m_control.scale().range, (Range{1e-3, 1}));
  m_control.setScale({.kind = ScaleKind::Logarithmic, .range = {0.02, 0.03}});
  QTest::mouseDClick(&bar(), Qt::LeftButton, {}, QPoint(100, 20));
  EXPECT_EQ(m_control.scale().range, (Range{1e-3, 1}));
  const RasterGrid other{.rows = 1, .columns = 2, .values = {5, 50}};
  m_control.setDistribution(distributionOf(other, ScaleKind::Logarithmic));
  EXPECT_EQ(m_control.scale().range, (Range{1e-3, 1}));
  always->setChecked(true);
  EXPECT_EQ(m_control.scale().range, (Range{5, 50}));
  m_control.setDistribution(
      distributionOf({.rows = 1, .columns = 2, .values = {2, 3}}, ScaleKind::Logarithmic));
  EXPECT_EQ(m_control.scale().range, (Range{2, 3}));
  // Who moves an end by hand does not want it to jump back.
  bar().setFocus();
  QTest::keyClick(&bar(), Qt::Key_Left);
  EXPECT_FALSE(m_control.alwaysFits());
}

TEST_F(RangeControlTest, LegendSpeaksItsCounts) {
  m_control.setCounts({.inRange = 9, .below = 3, .above = 4, .nonFinite = 12, .missing = 5});
  bool found = false;
  for (const QWidget* widget : m_control.findChildren<QWidget*>()) {
    const QString text = widget->accessibleDescription();
    found = found || (text.contains(QStringLiteral("12")) && text.contains(QStringLiteral("5")));
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace ulp::views::charts
