#include "views/charts/histogram/histogram.h"

#include <cmath>

#include <gtest/gtest.h>

#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>

#include "tests/support/window/golden.h"
#include "views/charts/histogram/histogram_view.h"

namespace ulp::views::charts {
namespace {

HistogramData sample(bool isLogarithmic = true) {
  HistogramData data;
  std::vector<std::vector<double>> sets(2);
  for (int i = 0; i < 2000; ++i) {
    const double wave = std::sin(i * 0.37) * std::cos(i * 1.3) * std::sin(i * 0.011);
    sets[0].push_back(0.02 * wave);
    sets[1].push_back(0.006 * wave + 0.001);
  }
  sets[0].push_back(0.031);
  const std::vector<std::span<const double>> views(sets.begin(), sets.end());
  data.bins = analysis::differenceHistogram(views);
  data.sets = {{.name = QStringLiteral("bf16"), .style = 0, .isCurrent = true},
               {.name = QStringLiteral("bf16_max_precision"), .style = 1}};
  data.quantity = QStringLiteral("δ, nats");
  data.countTitle = QStringLiteral("Tokens");
  data.isLogarithmic = isLogarithmic;
  return data;
}

QImage picture(const HistogramData& data, const Theme& theme, const HistogramExtent& seen) {
  QImage image(640, 320, QImage::Format_RGB32);
  image.fill(theme.chartBackground);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font;
  font.setPixelSize(12);
  painter.setFont(font);
  paintHistogram(painter, QRectF(QPointF(), QSizeF(image.size())), data, seen, theme);
  return image;
}

TEST(Histogram, PutsNoneBelowOneOnALogarithmicAxis) {
  EXPECT_LT(heightOf(0, true), heightOf(1, true));
  EXPECT_EQ(heightOf(1, true), 0);
  EXPECT_EQ(heightOf(1000, true), 3);
  EXPECT_EQ(heightOf(7, false), 7);
  EXPECT_EQ(extentOf(sample(false)).heights.low, 0);
}

TEST(Histogram, LooksAsItDid) {
  const QString folder = QStringLiteral(ULP_SOURCE_DIR "/tests/views/charts/golden/");
  test::expectGoldenLayout(picture(sample(), lightTheme(), extentOf(sample())),
                           folder + QStringLiteral("histogram_light.png"),
                           0.03);
  test::expectGoldenLayout(picture(sample(false), darkTheme(), extentOf(sample(false))),
                           folder + QStringLiteral("histogram_dark.png"),
                           0.03);
}

TEST(Histogram, DrawsWhatIsSeenAlone) {
  const QString folder = QStringLiteral(ULP_SOURCE_DIR "/tests/views/charts/golden/");
  const HistogramExtent near{.values = {-0.004, 0.0065}, .heights = {0.8, 2.4}};
  test::expectGoldenLayout(picture(sample(), lightTheme(), near),
                           folder + QStringLiteral("histogram_near_light.png"),
                           0.03);
  test::expectGoldenLayout(picture(sample(), darkTheme(), near),
                           folder + QStringLiteral("histogram_near_dark.png"),
                           0.03);
}

/// The first sample's sets over and over.
HistogramData manySets(std::size_t count) {
  HistogramData data = sample();
  const HistogramData two = data;
  for (std::size_t i = 2; i < count; ++i) {
    data.bins.counts.push_back(two.bins.counts[i % 2]);
    data.sets.push_back(
        {.name = QStringLiteral("bf16_variant_%1").arg(i), .style = static_cast<int>(i)});
  }
  return data;
}

TEST(Histogram, NamesOfManySetsAreWrappedAboveTheChart) {
  const auto plotOf = [](std::size_t sets) {
    HistogramPicture chart;
    const HistogramData data = manySets(sets);
    chart.fill(data, extentOf(data), lightTheme(), QFont(), {640, 480});
    return chart.plotArea();
  };
  EXPECT_GT(plotOf(15).top(), plotOf(2).top() + 10) << "several lines";
  EXPECT_GT(plotOf(100).height(), 150) << "the chart keeps its room";
  const HistogramData data = manySets(15);
  const QImage image = picture(data, lightTheme(), extentOf(data));
  const auto hasColor = [&image](int style) {
    const QRgb color = lightTheme().variantStyle(style).color.rgb();
    for (int y = 0; y < image.height() / 3; ++y) {
      for (int x = 0; x < image.width(); ++x) {
        if (image.pixel(x, y) == color) {
          return true;
        }
      }
    }
    return false;
  };
  EXPECT_TRUE(hasColor(6));
}

TEST(Histogram, ALabelAtTheEndOfTheAxisHasRoom) {
  HistogramData data = sample();
  data.bins.width = 0.001;
  data.bins.firstEdge = -8;
  for (std::vector<std::uint64_t>& counts : data.bins.counts) {
    counts.assign(14, 3);
  }
  HistogramPicture chart;
  const QFont font;
  chart.fill(data, extentOf(data), lightTheme(), font, {900, 400});
  EXPECT_LE(
      chart.plotArea().right() + QFontMetricsF(font).horizontalAdvance(QStringLiteral("0.006")) / 2,
      900);
}

TEST(Histogram, PaintsNothingOfNothing) {
  HistogramData none;
  const QImage image = picture(none, lightTheme(), {});
  EXPECT_EQ(image.pixelColor(320, 160), lightTheme().chartBackground);
}

class HistogramViewTest : public testing::Test {
 protected:
  void SetUp() override {
    m_view.resize(640, 320);
    m_view.setData(sample());
    m_view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_view));
  }

  HistogramView m_view;
};

TEST_F(HistogramViewTest, TellsTheCountsOfABinLargestFirst) {
  const auto bin = static_cast<int>(m_view.data().bins.binOf(0.001));
  const QString text = m_view.readout(bin);
  EXPECT_TRUE(text.startsWith(QStringLiteral("bf16_max_precision: ")));
  EXPECT_EQ(m_view.binAt(m_view.binRect(bin).center()), bin);
  EXPECT_EQ(m_view.binAt({-5, 100}), -1);
  EXPECT_EQ(m_view.pointCount(), static_cast<int>(m_view.data().bins.bins()));
  EXPECT_TRUE(m_view.pointName(bin).contains(QStringLiteral("…")));
  EXPECT_TRUE(m_view.pointValue(bin).contains(QStringLiteral("bf16: ")));
  EXPECT_TRUE(m_view.chartSummary().contains(QStringLiteral("δ, nats")));
}

TEST_F(HistogramViewTest, KeysWalkTheBinsAndReturnPicks) {
  QSignalSpy picked(&m_view, &HistogramView::picked);
  m_view.setFocus();
  QTest::keyClick(&m_view, Qt::Key_End);
  const int last = m_view.pointCount() - 1;
  EXPECT_EQ(m_view.currentPoint(), last);
  QTest::keyClick(&m_view, Qt::Key_Right);
  EXPECT_EQ(m_view.currentPoint(), last);
  QTest::keyClick(&m_view, Qt::Key_Left);
  EXPECT_EQ(m_view.currentPoint(), last - 1);
  QTest::keyClick(&m_view, Qt::Key_Return);
  ASSERT_EQ(picked.count(), 1);
  EXPECT_EQ(picked[0][0].toInt(), last - 1);
  m_view.setData(sample(false));
  EXPECT_EQ(m_view.currentPoint(), last - 1) << "the same bins on another axis";
  m_view.setData({});
  EXPECT_EQ(m_view.currentPoint(), -1);
  QTest::keyClick(&m_view, Qt::Key_Right);
  EXPECT_EQ(m_view.currentPoint(), -1);
}

void wheel(QWidget* widget,
           const QPointF& at,
           int delta,
           Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  QWheelEvent event(at,
                    widget->mapToGlobal(at),
                    {},
                    {0, delta},
                    Qt::NoButton,
                    modifiers,
                    Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(widget, &event);
}

TEST_F(HistogramViewTest, WheelZoomsAtTheCursorAndDoubleClickShowsEverything) {
  QWidget* canvas = &m_view;
  const HistogramExtent all = m_view.seen();
  const auto bin = static_cast<int>(m_view.data().bins.binOf(0.012));
  const QPointF place = m_view.binRect(bin).center();
  for (int i = 0; i < 5; ++i) {
    wheel(canvas, place, 120);
  }
  EXPECT_TRUE(m_view.viewRange().isZoomed());
  EXPECT_NEAR(m_view.seen().values.span(), all.values.span() * std::pow(0.8, 5), 1e-9);
  EXPECT_EQ(m_view.seen().heights, all.heights);
  EXPECT_EQ(m_view.binAt(place), bin) << "what is under the cursor stays";
  wheel(canvas, place, 120, Qt::ControlModifier);
  EXPECT_LT(m_view.seen().heights.span(), all.heights.span());
  QTest::mouseDClick(canvas, Qt::LeftButton, {}, place.toPoint());
  EXPECT_FALSE(m_view.viewRange().isZoomed());
  EXPECT_EQ(m_view.seen().values, all.values);
}

TEST_F(HistogramViewTest, DragZoomsAndAClickStillPicks) {
  QWidget* canvas = &m_view;
  QSignalSpy picked(&m_view, &HistogramView::picked);
  const QRectF first = m_view.binRect(10);
  const QRectF last = m_view.binRect(20);
  const QPoint from(static_cast<int>(first.left()), static_cast<int>(first.center().y()));
  const QPoint to(static_cast<int>(last.right()), static_cast<int>(first.center().y()) + 3);
  QTest::mousePress(canvas, Qt::LeftButton, {}, from);
  QTest::mouseMove(canvas, (from + to) / 2);
  QTest::mouseMove(canvas, to);
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, to);
  const analysis::DifferenceHistogram& bins = m_view.data().bins;
  EXPECT_NEAR(m_view.seen().values.low, bins.edge(10), bins.width);
  EXPECT_NEAR(m_view.seen().values.high, bins.edge(21), bins.width);
  EXPECT_EQ(picked.count(), 0);
  QTest::mouseClick(canvas, Qt::LeftButton, {}, m_view.binRect(15).center().toPoint());
  ASSERT_EQ(picked.count(), 1);
  EXPECT_EQ(picked[0][0].toInt(), 15);
}

TEST_F(HistogramViewTest, KeysZoomAndWalkingBringsBinsIntoSight) {
  m_view.setFocus();
  QTest::keyClick(&m_view, Qt::Key_Home);
  for (int i = 0; i < 8; ++i) {
    QTest::keyClick(&m_view, Qt::Key_Plus);
  }
  EXPECT_TRUE(m_view.viewRange().isZoomed());
  const analysis::DifferenceHistogram& bins = m_view.data().bins;
  EXPECT_TRUE(m_view.seen().values.contains((bins.edge(0) + bins.edge(1)) / 2))
      << "around the bin that keys stand on";
  QTest::keyClick(&m_view, Qt::Key_End);
  EXPECT_TRUE(
      m_view.seen().values.contains(m_view.data().bins.edge(m_view.data().bins.bins()) - 1e-12));
  EXPECT_GT(m_view.binRect(m_view.currentPoint()).width(), 1);
  m_view.setData(sample(false));
  EXPECT_TRUE(m_view.viewRange().isZoomed()) << "other counts, the same place";
  EXPECT_EQ(m_view.seen().heights, extentOf(sample(false)).heights);
  QTest::keyClick(&m_view, Qt::Key_Escape);
  EXPECT_FALSE(m_view.viewRange().isZoomed());
  QTest::keyClick(&m_view, Qt::Key_Minus);
  EXPECT_FALSE(m_view.viewRange().isZoomed()) << "there is nothing beyond the bins";
  for (int i = 0; i < 60; ++i) {
    QTest::keyClick(&m_view, Qt::Key_Plus);
  }
  EXPECT_NEAR(m_view.seen().values.span(), 4 * m_view.data().bins.width, 1e-9);
  QTest::keyClick(&m_view, Qt::Key_0);
  EXPECT_FALSE(m_view.viewRange().isZoomed());
}

TEST_F(HistogramViewTest, FollowsTheTheme) {
  const QImage light = m_view.grab().toImage();
  m_view.setTheme(darkTheme());
  EXPECT_EQ(m_view.grab().toImage().pixelColor(3, 3), darkTheme().chartBackground);
  EXPECT_NE(m_view.grab().toImage(), light);
}

}  // namespace
}  // namespace ulp::views::charts
