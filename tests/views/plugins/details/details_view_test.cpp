#include "views/plugins/details/details_view.h"

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>

#include "tests/views/context_fixture.h"

namespace ulp::views {
namespace {

class DetailsViewTest : public testing::Test {
 protected:
  void SetUp() override {
    m_fixture.openReport(test::sampleReport(1, {"bf16"}));
    m_view.resize(400, 700);
    m_view.setReport(m_fixture.workspace.reports.document());
    QObject::connect(&m_fixture.selection,
                     &SelectionContext::selectionChanged,
                     &m_view,
                     &DetailsView::setSelection);
    Selection selection;
    selection.runs = {QStringLiteral("bf16")};
    selection.site = QStringLiteral("decoder.0");
    m_fixture.selection.reset(selection);
    m_view.setSelection(selection);
    m_view.show();
    m_fixture.settle();
    for (QTableView* table : m_view.findChildren<QTableView*>()) {
      if (table->accessibleName() == QStringLiteral("Elements of largest difference")) {
        m_worst = table;
      }
    }
    ASSERT_NE(m_worst, nullptr);
    ASSERT_EQ(m_worst->model()->rowCount(), 1);
  }

  test::ContextFixture m_fixture;
  DetailsView m_view{m_fixture.context()};
  QTableView* m_worst = nullptr;
};

TEST_F(DetailsViewTest, AClickOnAWorstElementSelectsItAndKeepsTheList) {
  const QModelIndex first = m_worst->model()->index(0, 0);
  QTest::mouseClick(m_worst->viewport(), Qt::LeftButton, {}, m_worst->visualRect(first).center());
  EXPECT_EQ(m_fixture.selection.selection().element, (std::vector<std::int64_t>{0, 5, 2}));
  EXPECT_EQ(m_worst->currentIndex().row(), 0) << "the list was not filled anew";
}

TEST_F(DetailsViewTest, TheHighlightedMetricFollowsTheMetric) {
  const auto* metrics = m_view.findChild<QTableView*>(QStringLiteral("metrics"));
  ASSERT_NE(metrics, nullptr);
  for (const char* id : {"cosine", "rms_diff", "ulp.max"}) {
    m_fixture.selection.selectMetric(QLatin1String(id));
    const int row = m_fixture.workspace.reports.document()->findMetric(QLatin1String(id));
    EXPECT_EQ(metrics->currentIndex(), metrics->model()->index(row, 1)) << id;
  }
}

TEST_F(DetailsViewTest, RowsThatAreLookedAtStayUntilTheMetricChanges) {
  auto* metrics = m_view.findChild<QTableView*>(QStringLiteral("metrics"));
  QScrollBar& bar = *metrics->verticalScrollBar();
  m_view.resize(400, 360);
  m_fixture.settle();
  ASSERT_GT(bar.maximum(), 0);
  bar.setValue(bar.maximum());
  Selection next = m_fixture.selection.selection();
  next.site = QStringLiteral("logits");
  m_fixture.selection.select(next);
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("logits"));
  EXPECT_EQ(bar.value(), bar.maximum());
  m_fixture.selection.selectMetric(m_fixture.workspace.reports.document()->metrics()[1].id);
  EXPECT_TRUE(
      metrics->viewport()->rect().contains(metrics->visualRect(metrics->currentIndex()).center()));
  EXPECT_LT(bar.value(), bar.maximum());
}

TEST_F(DetailsViewTest, TheSelectedNumberIsSeenAsAWhole) {
  m_fixture.openReport(test::sampleReport(1, {"bf16", "fp16_with_a_long_name", "fp8"}));
  m_view.setReport(m_fixture.workspace.reports.document());
  m_view.resize(30, 700);
  m_fixture.settle();
  m_view.resize(315, 700);
  const auto* metrics = m_view.findChild<QTableView*>(QStringLiteral("metrics"));
  for (const char* run : {"bf16", "fp8", "fp16_with_a_long_name", "fp8"}) {
    Selection next = m_fixture.selection.selection();
    next.runs = {QLatin1String(run)};
    next.site = next.site == QStringLiteral("logits") ? QStringLiteral("decoder.0")
                                                      : QStringLiteral("logits");
    m_fixture.selection.select(next);
    m_fixture.settle();
    const QRect cell = metrics->visualRect(metrics->currentIndex());
    EXPECT_EQ(metrics->currentIndex().column(),
              m_fixture.workspace.reports.document()->findVariant(QLatin1String(run)) + 1);
    EXPECT_LE(cell.right(), metrics->viewport()->width()) << run;
    const auto* frozen = metrics->findChild<QTableView*>(QStringLiteral("frozenColumn"));
    EXPECT_GE(cell.left(), frozen->isVisible() ? frozen->width() : 0) << run;
  }
}

TEST_F(DetailsViewTest, EveryTableOfALowWindowHasRows) {
  m_view.resize(300, 260);
  m_fixture.settle();
  int tables = 0;
  for (const QTableView* table : m_view.findChildren<QTableView*>()) {
    if (table->isVisible() && table->objectName() != QStringLiteral("frozenColumn")) {
      EXPECT_GE(table->viewport()->height(), 2 * table->rowHeight(0))
          << table->objectName().toStdString();
      ++tables;
    }
  }
  EXPECT_EQ(tables, 2);
}

TEST_F(DetailsViewTest, EnterOnAWorstElementLeadsDeeper) {
  const QSignalSpy deeper(&m_fixture.workspace.requests, &WindowRequests::goDeeper);
  m_worst->setFocus();
  m_worst->setCurrentIndex(m_worst->model()->index(0, 0));
  QTest::keyClick(m_worst, Qt::Key_Return);
  EXPECT_EQ(m_fixture.selection.selection().element, (std::vector<std::int64_t>{0, 5, 2}));
  ASSERT_EQ(deeper.count(), 1);
  EXPECT_EQ(deeper.front().front().toInt(), 3);
}

}  // namespace
}  // namespace ulp::views
