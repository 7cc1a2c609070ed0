#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>

#include "tests/support/data/large_report.h"
#include "tests/support/window/event_passes.h"
#include "tests/views/context_fixture.h"
#include "views/plugins/table/table_view.h"

namespace ulp::views {
namespace {

/// A table of more rows than are queried at once, in a window.
class TableWorkTest : public testing::Test {
 protected:
  void SetUp() override {
    m_view.restoreState({{QStringLiteral("allVariants"), true}});
    m_view.resize(800, 500);
    m_view.show();
    test::ReportShape shape = test::largeShape(20'000);
    shape.worst = 0;
    const DocumentPtr document = test::documentOf(test::realisticReport(shape));
    m_view.setReport(document);
    m_view.setSelection({.metric = document->defaultMetric()});
    settle();
    m_table = m_view.findChild<QTableView*>(QStringLiteral("tensors"));
    ASSERT_GE(m_table->model()->rowCount(), 20'000);
  }

  void settle() {
    ASSERT_TRUE(m_passes.runUntil([this] { return m_fixture.background.isIdle(); }, 30));
    m_passes.runOnce();
  }

  test::ContextFixture m_fixture;
  TableView m_view{m_fixture.context()};
  QTableView* m_table = nullptr;
  test::EventPasses m_passes;
};

TEST_F(TableWorkTest, AFilterReplacesTheRowsOnce) {
  const QSignalSpy replaced(m_table->model(), &QAbstractItemModel::modelReset);
  m_view.findChild<QLineEdit*>()->setText(QStringLiteral("self_attn 11"));
  EXPECT_EQ(replaced.count(), 0) << "the rows are looked for off the GUI thread";
  settle();
  EXPECT_EQ(replaced.count(), 1);
  EXPECT_LT(m_table->model()->rowCount(), 20'000);
}

TEST_F(TableWorkTest, ASortReplacesTheRowsOnce) {
  const QSignalSpy replaced(m_table->model(), &QAbstractItemModel::modelReset);
  m_table->horizontalHeader()->setSortIndicator(kFirstMetric + 1, Qt::DescendingOrder);
  EXPECT_EQ(replaced.count(), 0) << "the rows are sorted off the GUI thread";
  settle();
  EXPECT_EQ(replaced.count(), 1);
}

TEST_F(TableWorkTest, FiltersAndSortsWithoutHoldingUpTheWindow) {
  m_passes.forget();
  m_view.findChild<QLineEdit*>()->setText(QStringLiteral("mlp"));
  settle();
  m_table->horizontalHeader()->setSortIndicator(kFirstMetric, Qt::AscendingOrder);
  settle();
  EXPECT_LT(m_passes.longest().processorMs, 300);
}

}  // namespace
}  // namespace ulp::views
