#include "views/plugins/depth/depth_view.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QStyle>
#include <QtWidgets/QStyleOptionButton>

#include "core/tensors/hdf5/capture_writer.h"
#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"

namespace ulp::views {
namespace {

using Shown = std::vector<bool>;

class DepthViewTest : public testing::Test {
 protected:
  void open(const report::Report& report) {
    m_fixture.openReport(report);
    m_host = std::make_unique<ViewHost>(*builtinViews().find(QStringLiteral("depth")),
                                        m_fixture.context());
    m_host->resize(900, 500);
    m_host->show();
    m_host->activateWindow();
    m_fixture.settle();
  }
  [[nodiscard]] DepthView& view() const { return *qobject_cast<DepthView*>(m_host->view()); }
  [[nodiscard]] charts::DepthChart& chart() const { return view().chart(); }
  [[nodiscard]] const charts::DepthData& drawn() const { return chart().data(); }
  [[nodiscard]] Shown shown() const { return view().legend().visibleEntries(); }

  /// Clicks on the name at the end of a curve.
  void clickLabel(int curve) {
    const charts::DepthFrame& frame = chart().frame();
    for (const charts::DirectLabel& label : frame.labels) {
      if (label.curve == curve) {
        QTest::mouseClick(
            &chart(), Qt::LeftButton, {}, QPointF(frame.labelLeft + 25, label.labelY).toPoint());
        return;
      }
    }
    ADD_FAILURE() << "no label of " << curve;
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

report::Report threeVariants() {
  return test::realisticReport({.layers = 4, .variants = {"a", "b", "c"}, .modules = false});
}

TEST_F(DepthViewTest, AClickOnALabelShowsItsVariantAloneAndThenAllAgain) {
  open(threeVariants());
  const Selection before = m_fixture.selection.selection();
  clickLabel(1);
  EXPECT_EQ(shown(), (Shown{false, true, false}));
  EXPECT_EQ(chart().frame().labels.size(), 1U);
  EXPECT_EQ(m_fixture.selection.selection(), before) << "nothing is selected by it";
  clickLabel(1);
  EXPECT_EQ(shown(), (Shown{true, true, true}));
}

TEST_F(DepthViewTest, AClickOnANameOfTheLegendShowsItAloneOneOnItsBoxHidesIt) {
  open(threeVariants());
  chart().setFocus();
  QTest::keyClick(&chart(), Qt::Key_G);
  m_fixture.settle();
  ASSERT_TRUE(view().legend().isVisible());
  QCheckBox* const box = view().legend().findChildren<QCheckBox*>()[2];
  QStyleOptionButton option;
  option.initFrom(box);
  const QRect square = box->style()->subElementRect(QStyle::SE_CheckBoxIndicator, &option, box);
  const QPoint name(square.right() + 60, box->height() / 2);
  ASSERT_TRUE(box->rect().contains(name));
  QTest::mouseClick(box, Qt::LeftButton, {}, name);
  EXPECT_EQ(shown(), (Shown{false, false, true}));
  QTest::mouseClick(box, Qt::LeftButton, {}, name);
  EXPECT_EQ(shown(), (Shown{true, true, true}));
  QTest::mouseClick(box, Qt::LeftButton, {}, square.center());
  EXPECT_EQ(shown(), (Shown{true, true, false}));
}

TEST_F(DepthViewTest, TellsCurvesThatCoincide) {
  report::Report report = threeVariants();
  report.runs[3].comparisons = report.runs[1].comparisons;
  open(report);
  EXPECT_EQ(drawn().curves[0].sameAs, -1);
  EXPECT_EQ(drawn().curves[1].sameAs, -1);
  EXPECT_EQ(drawn().curves[2].sameAs, 0);
  EXPECT_EQ(chart().frame().labels[2].text, QStringLiteral("c = a"));
  EXPECT_TRUE(view().legend().findChildren<QCheckBox*>()[2]->toolTip().contains(
      QStringLiteral("the same values as a")));
  m_fixture.selection.selectRun(QStringLiteral("c"));
  const AccessibleChart& spoken = chart();
  EXPECT_TRUE(spoken.pointValue(1).startsWith(QStringLiteral("c = a: ")));
}

TEST_F(DepthViewTest, CurvesWithoutAnyValueDoNotCoincide) {
  report::Report report = threeVariants();
  for (const std::size_t run : {2U, 3U}) {
    for (report::Comparison& row : report.runs[run].comparisons) {
      std::ranges::fill(row.metrics, std::nan(""));
    }
  }
  open(report);
  EXPECT_EQ(drawn().curves[2].sameAs, -1);
}

TEST_F(DepthViewTest, ACosineIsDrawnAsItsDistanceFromOneUntilTheAxisIsLinear) {
  open(threeVariants());
  m_fixture.selection.selectMetric(QStringLiteral("cosine"));
  m_fixture.settle();
  const int metric = m_fixture.workspace.reports.document()->findMetric(QStringLiteral("cosine"));
  const int site = drawn().axis.at(2).site;
  const double cosine = m_fixture.workspace.reports.document()->value(0, site, metric);
  EXPECT_EQ(drawn().metric.label, QStringLiteral("1 − Cosine"));
  EXPECT_TRUE(drawn().logarithmic);
  EXPECT_DOUBLE_EQ(drawn().curves[0].values[2], 1 - cosine);
  chart().setFocus();
  QTest::keyClick(&chart(), Qt::Key_L);
  m_fixture.settle();
  EXPECT_EQ(drawn().metric.label, QStringLiteral("Cosine"));
  EXPECT_FALSE(drawn().logarithmic);
  EXPECT_EQ(drawn().curves[0].values[2], cosine);
  QTest::keyClick(&chart(), Qt::Key_L);
  m_fixture.settle();
  EXPECT_EQ(drawn().metric.label, QStringLiteral("1 − Cosine"));
}

TEST_F(DepthViewTest, TheScaleOfTheReferenceNamesTheBaseline) {
  const report::Report report = threeVariants();
  {
    auto writer = *tensors::CaptureWriter::create(m_fixture.folder.path().toStdString());
    for (const auto& [run, value] : {std::pair("reference", 1.F), {"a", 2.F}, {"b", 4.F}}) {
      ASSERT_TRUE(writer->beginRun(run).has_value());
      ASSERT_TRUE(
          writer->put(report.runs[1].comparisons.front().site, {&value, DType::Float32, {1}}, 0)
              .has_value());
      ASSERT_TRUE(writer->finishRun().has_value());
    }
  }
  open(report);
  EXPECT_EQ(drawn().scaleTitle(), QStringLiteral("RMS of the reference"));
  m_fixture.selection.selectBaseline(QStringLiteral("b"), Relation::Error);
  m_fixture.settle();
  EXPECT_EQ(drawn().scaleTitle(), QStringLiteral("RMS of b"));
  EXPECT_EQ(drawn().metric.label, QStringLiteral("RMS rel against b"));
  ASSERT_FALSE(drawn().referenceScale.empty());
  EXPECT_EQ(drawn().referenceScale.front(), 4) << "it is the baseline's";
  m_fixture.selection.selectBaseline(QStringLiteral("b"), Relation::Ratio);
  m_fixture.settle();
  EXPECT_EQ(drawn().scaleTitle(), QStringLiteral("RMS of the reference"))
      << "errors are those against it";
}

}  // namespace
}  // namespace ulp::views
