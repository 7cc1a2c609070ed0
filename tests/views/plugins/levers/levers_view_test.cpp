#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QTableView>

#include "tests/support/window/model_checks.h"
#include "tests/views/context_fixture.h"
#include "views/charts/plot/painting.h"
#include "views/framework/view/view_host.h"
#include "views/plugins/levers/effect_rows.h"
#include "views/plugins/levers/parallel_chart.h"
#include "views/plugins/levers/parallel_painter.h"

namespace ulp::views {
namespace {

/// The four variants of a sweep over two settings.
report::Report sweep() {
  report::Report report = test::realisticReport({.layers = 4});
  std::string json = R"({"reference":{"precision.residual_dtype":{"value":"float32"}})";
  for (std::size_t i = 1; i < report.runs.size(); ++i) {
    json += ",\"" + report.runs[i].name + R"(":{"precision.residual_dtype":{"value":")" +
            (i < 3 ? "bfloat16" : "float32") + R"("},"precision.lm_head_dtype":{"value":")" +
            (i % 2 == 1 ? "bfloat16" : "float32") + R"("}})";
  }
  report.effectiveJson = json + "}";
  return report;
}

constexpr int kLogitsAxis = 2 + 4;

class LeversViewTest : public testing::Test {
 protected:
  void open(const report::Report& report) {
    m_fixture.openReport(report);
    m_host = std::make_unique<ViewHost>(*builtinViews().find(QStringLiteral("levers")),
                                        m_fixture.context());
    m_host->resize(1000, 600);
    m_host->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_host.get()));
    m_fixture.settle();
    m_chart = m_host->findChild<ParallelChart*>();
    m_table = m_host->findChild<QTableView*>(QStringLiteral("lever-effects"));
  }
  [[nodiscard]] QPoint pixelOf(int line, int axis) const {
    return m_chart->frame()
        .pixelOf(static_cast<std::size_t>(axis),
                 m_chart->data()
                     .lines[static_cast<std::size_t>(line)]
                     .points[static_cast<std::size_t>(axis)])
        .toPoint();
  }
  void drag(const QPoint& from, const QPoint& to) {
    QTest::mousePress(m_chart, Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(m_chart, (from + to) / 2);
    QTest::mouseMove(m_chart, to);
    QTest::mouseRelease(m_chart, Qt::LeftButton, Qt::NoModifier, to);
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
  ParallelChart* m_chart = nullptr;
  QTableView* m_table = nullptr;
};

TEST_F(LeversViewTest, LeavingTheChartIsToldAlsoWhenItWasFilledAnewMeanwhile) {
  open(sweep());
  QTest::mouseMove(m_chart, pixelOf(1, kLogitsAxis));
  QSignalSpy hovered(m_chart, &ParallelChart::hovered);
  m_chart->setData(m_chart->data());
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(m_chart, &leave);
  ASSERT_EQ(hovered.count(), 1);
  EXPECT_EQ(hovered.front(), (QVariantList{-1, -1}));
}

TEST_F(LeversViewTest, DrawsSettingsFirstThenErrorsInTheOrderOfThePass) {
  open(sweep());
  const ParallelData& data = m_chart->data();
  ASSERT_EQ(data.axes.size(), 13U);
  EXPECT_EQ(data.axes[0].title, QStringLiteral("lm_head_dtype"));
  EXPECT_EQ(data.axes[1].title, QStringLiteral("residual_dtype"));
  EXPECT_EQ(data.axes[1].ticks[0].text, QStringLiteral("bfloat16"));
  EXPECT_EQ(data.axes[2].title, QStringLiteral("embeddings"));
  ASSERT_EQ(data.lines.size(), 4U);
  EXPECT_EQ(data.lines[2].points[1].text, QStringLiteral("float32"));
  EXPECT_LT(data.lines[2].points[1].place, data.lines[0].points[1].place);
}

TEST_F(LeversViewTest, SaysWhatEachSettingChanges) {
  open(sweep());
  ASSERT_EQ(m_table->model()->rowCount(), 2);
  EXPECT_EQ(m_table->model()->index(1, 0).data().toString(),
            QStringLiteral("precision.residual_dtype"));
  EXPECT_EQ(m_table->model()->index(1, 3).data().toInt(), 2);
  const double effect = m_table->model()->index(1, 4 + 4).data(RawRole).toDouble();
  const auto& runs = m_fixture.workspace.reports.document()->report().runs;
  const auto errorOf = [&](std::size_t run) {
    for (const report::Comparison& row : runs[run].comparisons) {
      if (row.site.name == "logits" && row.site.pass == Pass::Forward) {
        return row.metrics[static_cast<std::size_t>(
            m_fixture.workspace.reports.document()->report().metricIndex("rms_rel"))];
      }
    }
    return 0.0;
  };
  EXPECT_NEAR(effect, std::sqrt(errorOf(3) / errorOf(1) * errorOf(4) / errorOf(2)), 1e-9);
  const auto* headline = m_host->findChild<QLabel*>();
  ASSERT_NE(headline, nullptr);
}

TEST_F(LeversViewTest, ClickSelectsTheVariantAndWhereItsErrorComesFrom) {
  open(sweep());
  QTest::mouseClick(m_chart, Qt::LeftButton, Qt::NoModifier, pixelOf(3, kLogitsAxis));
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("bf16_max_precision"));
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("logits"));
  EXPECT_EQ(m_chart->look().current, (ParallelSpot{.line = 3, .axis = kLogitsAxis}));
}

TEST_F(LeversViewTest, DraggingAlongAnAxisKeepsTheLinesThatCrossThere) {
  open(sweep());
  const ParallelFrame frame = m_chart->frame();
  const int x = static_cast<int>(frame.x[1]);
  const auto y = [&](double place) { return static_cast<int>(frame.pixelY(place)); };
  drag({x, y(0.5)}, {x, y(0.0)});
  EXPECT_EQ(m_chart->look().inside, (std::vector<bool>{false, false, true, true}));
  QAction* clear = m_host->view()->viewActions()[1];
  EXPECT_TRUE(clear->isEnabled());
  m_chart->setFocus();
  QTest::keyClick(m_chart, Qt::Key_Escape);
  EXPECT_EQ(m_chart->look().inside, std::vector<bool>(4, true));
  EXPECT_FALSE(clear->isEnabled());
}

TEST_F(LeversViewTest, KeysWalkAxesAndLinesAndSpaceKeepsWhatIsAsGood) {
  open(sweep());
  m_fixture.selection.selectRun(QStringLiteral("bf16"));
  m_chart->setFocus();
  QTest::keyClick(m_chart, Qt::Key_End);
  EXPECT_EQ(m_chart->look().current.axis, 12);
  QTest::keyClick(m_chart, Qt::Key_Home);
  QTest::keyClick(m_chart, Qt::Key_Right);
  EXPECT_EQ(m_chart->look().current.axis, 1);
  QTest::keyClick(m_chart, Qt::Key_Space);
  EXPECT_EQ(m_chart->look().inside, (std::vector<bool>{true, true, false, false}));
  QTest::keyClick(m_chart, Qt::Key_Space);
  EXPECT_FALSE(m_chart->isBrushed());
  const int before = m_chart->look().current.line;
  QTest::keyClick(m_chart, Qt::Key_Down);
  const int after = m_chart->look().current.line;
  ASSERT_NE(before, after);
  const auto placeOf = [&](int line) {
    return m_chart->data().lines[static_cast<std::size_t>(line)].points[1].place;
  };
  EXPECT_LT(placeOf(after), placeOf(before));
  EXPECT_EQ(m_fixture.selection.selection().run(),
            m_chart->data().lines[static_cast<std::size_t>(after)].run);
}

TEST_F(LeversViewTest, OneScaleMakesHeightsCompare) {
  open(sweep());
  m_host->view()->viewActions()[0]->trigger();
  double lowest = 1;
  for (std::size_t axis = 2; axis < m_chart->data().axes.size(); ++axis) {
    ASSERT_FALSE(m_chart->data().axes[axis].ticks.empty());
    EXPECT_EQ(m_chart->data().axes[axis].ticks.back().text,
              m_chart->data().axes[2].ticks.back().text);
    lowest = std::min(lowest, m_chart->data().lines[3].points[axis].place);
  }
  EXPECT_DOUBLE_EQ(lowest, 0);
}

TEST_F(LeversViewTest, ValuesThatAreNotFiniteStandAboveEveryNumber) {
  report::Report report = sweep();
  const auto metric = static_cast<std::size_t>(report.metricIndex("rms_rel"));
  for (report::Comparison& row : report.runs[2].comparisons) {
    if (row.site.name == "logits" && row.site.pass == Pass::Forward) {
      row.metrics[metric] = std::numeric_limits<double>::quiet_NaN();
      row.variantNonFinite.nan = 7;
    }
  }
  open(report);
  const AxisPoint& point = m_chart->data().lines[1].points[kLogitsAxis];
  EXPECT_EQ(point.kind, AxisPoint::Kind::NonFinite);
  EXPECT_GT(point.place, 1);
  EXPECT_EQ(point.nonFinite, 7U);
  EXPECT_TRUE(m_chart->pointValue(13 + kLogitsAxis).contains(QStringLiteral("7 elements")));
  for (const int height : {220, 900}) {
    const ParallelFrame frame =
        parallelFrame(m_chart->data(), QRectF(0, 0, 1000, height), m_chart->font());
    const double y = frame.pixelY(point.place);
    EXPECT_GE(y, frame.heading + (1 + frame.titles) * frame.lineHeight) << "below the titles";
    EXPECT_NEAR(frame.placeAt(y), point.place, 1e-9);
  }
}

/// As above, with these errors of the four variants at the logits and at the embeddings.
report::Report sweepOf(const std::array<double, 4>& logits,
                       const std::array<double, 4>& embeddings = {0.1, 0.1, 0.1, 0.1}) {
  report::Report report = sweep();
  const auto metric = static_cast<std::size_t>(report.metricIndex("rms_rel"));
  for (std::size_t i = 0; i < logits.size(); ++i) {
    for (report::Comparison& row : report.runs[i + 1].comparisons) {
      const bool isLogits = row.site.name == "logits" && row.site.pass == Pass::Forward;
      row.metrics[metric] = isLogits                        ? logits.at(i)
                            : row.site.name == "embeddings" ? embeddings.at(i)
                                                            : 0.1;
      row.variantNonFinite.nan = std::isnan(row.metrics[metric]) ? 7 : 0;
    }
  }
  return report;
}

TEST_F(LeversViewTest, ZeroStandsBelowTheSmallestError) {
  open(sweepOf({0, 0.001, 0.01, 0.1}, {0, 0, 0, 0}));
  const ParallelData& data = m_chart->data();
  const std::vector<AxisTick>& ticks = data.axes[kLogitsAxis].ticks;
  ASSERT_EQ(ticks.size(), 3U);
  EXPECT_EQ(ticks[0].text, QStringLiteral("0"));
  EXPECT_EQ(ticks[0].place, 0);
  EXPECT_EQ(ticks[1].text, QStringLiteral("0.10"));
  EXPECT_EQ(data.lines[0].points[kLogitsAxis].place, 0);
  EXPECT_GE(data.lines[1].points[kLogitsAxis].place, 0.1);
  EXPECT_EQ(data.lines[1].points[kLogitsAxis].place, ticks[1].place);
  EXPECT_EQ(data.lines[3].points[kLogitsAxis].place, 1);
  const ParallelAxis& zeros = data.axes[2];
  ASSERT_EQ(zeros.ticks.size(), 1U) << qPrintable(zeros.title);
  EXPECT_EQ(zeros.ticks[0].text, QStringLiteral("0"));
  EXPECT_EQ(zeros.ticks[0].place, data.lines[2].points[2].place);
}

TEST_F(LeversViewTest, NoWordOfASettingIsWrittenOverAnother) {
  ParallelAxis axis{.isLever = true};
  for (int i = 0; i < 9; ++i) {
    axis.ticks.push_back({.place = 1 - (i + 0.5) / 9, .text = QString::number(i)});
  }
  ParallelFrame frame{.top = 0, .bottom = 85, .lineHeight = 17};
  const std::vector<AxisTick> shown = shownTicks(axis, frame);
  EXPECT_GE(shown.size(), 4U);
  for (std::size_t i = 1; i < shown.size(); ++i) {
    EXPECT_GE(frame.pixelY(shown[i].place) - frame.pixelY(shown[i - 1].place), 17);
  }
  frame.bottom = 200;
  EXPECT_EQ(shownTicks(axis, frame).size(), 9U);
}

TEST_F(LeversViewTest, SaysSoWhereNoSettingDiffers) {
  open(test::realisticReport({.layers = 2}));
  EXPECT_EQ(m_chart->data().axes.size(), 11U);
  EXPECT_TRUE(m_table->isHidden());
  const auto labels = m_host->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->text() == QStringLiteral("All variants have the same settings.");
  }));
}

TEST_F(LeversViewTest, NoHeadingIsCut) {
  open(sweep());
  const QFontMetricsF metrics(m_chart->font());
  for (const int width : {500, 1000, 1600}) {
    m_host->resize(width, 600);
    QCoreApplication::processEvents();
    const ParallelFrame frame = m_chart->frame();
    ASSERT_EQ(frame.width.size(), m_chart->data().axes.size());
    for (std::size_t i = 0; i < frame.width.size(); ++i) {
      const ParallelAxis& axis = m_chart->data().axes[i];
      const QStringList lines = axisTitleLines(axis.title, metrics);
      ASSERT_LE(lines.size(), 2);
      EXPECT_EQ(lines.join(QString()).remove(u' '), QString(axis.title).remove(u' '));
      for (const QString& line : lines) {
        EXPECT_LE(metrics.horizontalAdvance(line), frame.width[i] - charts::kGap / 2)
            << qPrintable(line) << " at " << width;
      }
    }
  }
  const QHeaderView* header = m_table->horizontalHeader();
  for (int column = 0; column < header->count(); ++column) {
    const QString title = header->model()->headerData(column, Qt::Horizontal).toString();
    EXPECT_LT(header->fontMetrics().horizontalAdvance(title), header->sectionSize(column))
        << qPrintable(title);
  }
}

TEST(EffectRows, AreAModelWithoutFlaws) {
  const auto table = analysis::leverTable(sweep(), "rms_rel");
  ASSERT_TRUE(table.has_value());
  EffectModel model;
  const test::ModelChecks checks(&model);
  const MetricInfo metric{.id = QStringLiteral("rms_rel"), .label = QStringLiteral("RMS rel")};
  const auto rows = std::make_shared<const std::vector<EffectRow>>(makeEffectRows(*table));
  model.setContent(effectColumns(true, metric, *rows), rows);
  EXPECT_EQ(model.columnCount(), 15);
  EXPECT_TRUE(model.index(0, 4).data().toString().startsWith(QStringLiteral("× ")));
}

QString headlineOf(const report::Report& report) {
  const auto table = analysis::leverTable(report, "rms_rel");
  MetricInfo metric{.id = QStringLiteral("rms_rel"), .label = QStringLiteral("RMS rel")};
  metric.unit = numerics::MetricUnit::Percent;
  return effectHeadline(*table, makeEffectRows(*table), metric);
}

TEST(EffectRows, StepsFromZeroAreComparedByWhereTheyLead) {
  const QString text = headlineOf(sweepOf({0, 0.001, 0.02, 0.02}));
  EXPECT_TRUE(text.contains(QStringLiteral("residual_dtype from bfloat16 to float32")))
      << qPrintable(text);
  EXPECT_TRUE(text.contains(QStringLiteral("RMS rel from 0 to 2.00"))) << qPrintable(text);
  EXPECT_TRUE(text.contains(QStringLiteral("at logits, forward"))) << qPrintable(text);
}

TEST(EffectRows, AStepFromZeroIsShownAsTheErrorThatItLeadsTo) {
  const auto table = analysis::leverTable(sweepOf({0, 0.001, 0.02, 0.02}), "rms_rel");
  MetricInfo metric{.id = QStringLiteral("rms_rel"), .label = QStringLiteral("RMS rel")};
  metric.unit = numerics::MetricUnit::Percent;
  EffectModel model;
  const auto rows = std::make_shared<const std::vector<EffectRow>>(makeEffectRows(*table));
  model.setContent(effectColumns(true, metric, *rows), rows);
  QStringList cells;
  for (int row = 0; row < model.rowCount(); ++row) {
    for (int column = 0; column < model.columnCount(); ++column) {
      cells << model.index(row, column).data().toString();
    }
  }
  EXPECT_EQ(cells.filter(QStringLiteral("0 → 2.00")).size(), 1) << qPrintable(cells.join(u'|'));
  EXPECT_TRUE(cells.filter(QStringLiteral("Inf")).isEmpty()) << qPrintable(cells.join(u'|'));
}

TEST(EffectRows, WhatMakesErrorsNotFiniteChangesMost) {
  const double nan = std::nan("");
  const QString text = headlineOf(sweepOf({0.01, 0.01, nan, nan}, {0.1, 0.0001, 0.1, 0.0001}));
  EXPECT_EQ(text,
            QStringLiteral("precision.residual_dtype from bfloat16 to float32 changes most: not "
                           "finite any more at logits, forward"));
  EXPECT_TRUE(headlineOf(sweepOf({nan, nan, 0.01, 0.01}))
                  .endsWith(QStringLiteral("finite again at logits, forward")));
}

TEST(EffectRows, WriteFactorsAndDifferences) {
  MetricInfo decibel{.id = QStringLiteral("sqnr_db"), .label = QStringLiteral("SQNR")};
  decibel.unit = numerics::MetricUnit::Decibel;
  EXPECT_EQ(effectText(0.25, true, {}), QStringLiteral("× 0.250"));
  EXPECT_EQ(effectText(3.5, false, decibel), QStringLiteral("+3.50 dB"));
  EXPECT_EQ(effectText(-3.5, false, decibel), QStringLiteral("-3.50 dB"));
  EXPECT_EQ(effectText(std::nan(""), true, {}), QStringLiteral("–"));
}

}  // namespace
}  // namespace ulp::views
