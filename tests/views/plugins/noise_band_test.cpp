#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QTableView>

#include "tests/views/context_fixture.h"
#include "views/framework/tables/table_roles.h"
#include "views/framework/view/view_host.h"
#include "views/plugins/depth/depth_view.h"

namespace ulp::views {
namespace {

/// "loud" has twice the errors of "quiet" in every tensor.
class NoiseBandTest : public testing::Test {
 protected:
  void SetUp() override {
    report::Report report =
        test::realisticReport({.layers = 4, .variants = {"quiet", "loud"}, .modules = false});
    report.runs[2].comparisons = report.runs[1].comparisons;
    const auto error = static_cast<std::size_t>(report.metricIndex("rms_rel"));
    for (report::Comparison& row : report.runs[2].comparisons) {
      row.metrics[error] *= 2;
    }
    m_fixture.openReport(report);
    m_fixture.selection.selectRun(QStringLiteral("loud"));
  }
  ViewHost& show(const char* id) {
    m_host =
        std::make_unique<ViewHost>(*builtinViews().find(QLatin1String(id)), m_fixture.context());
    m_host->resize(900, 500);
    m_host->show();
    m_fixture.settle();
    return *m_host;
  }
  void useNoise(const QString& variant) {
    m_fixture.selection.selectNoise(variant);
    m_fixture.settle();
  }
  /// Of the row of a variant.
  [[nodiscard]] bool isDim(const QTableView& table, const QString& variant, const QString& title) {
    const QAbstractItemModel& model = *table.model();
    for (int row = 0; row < model.rowCount(); ++row) {
      if (model.index(row, 0).data().toString() != variant) {
        continue;
      }
      for (int column = 1; column < model.columnCount(); ++column) {
        if (model.headerData(column, Qt::Horizontal).toString() == title) {
          return model.index(row, column).data(DimRole).toBool();
        }
      }
    }
    ADD_FAILURE() << "no such cell";
    return false;
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

TEST_F(NoiseBandTest, TheSelectedVariantBecomesTheNoiseAndIsItNoMore) {
  auto* view = qobject_cast<DepthView*>(show("depth").view());
  ASSERT_NE(view, nullptr);
  view->activateWindow();
  view->chart().setFocus();
  QTest::keyClick(&view->chart(), Qt::Key_W);
  m_fixture.settle();
  EXPECT_EQ(m_fixture.selection.selection().noise, QStringLiteral("loud"));
  EXPECT_EQ(view->chart().data().noise, view->chart().data().curves[1].values);
  EXPECT_EQ(view->chart().frame().noise.size(), 2U) << "forward and backward";
  const AccessibleChart& spoken = view->chart();
  EXPECT_TRUE(spoken.pointValue(2).contains(QStringLiteral("loud"))) << "the current one";
  m_fixture.selection.selectRun(QStringLiteral("quiet"));
  EXPECT_TRUE(spoken.pointValue(2).contains(QStringLiteral("within noise")));
  m_fixture.selection.selectRun(QStringLiteral("loud"));
  EXPECT_FALSE(spoken.pointValue(2).contains(QStringLiteral("within noise")));
  QTest::keyClick(&view->chart(), Qt::Key_W);
  EXPECT_TRUE(m_fixture.selection.selection().noise.isEmpty());
  EXPECT_TRUE(view->chart().data().noise.empty());
}

TEST_F(NoiseBandTest, OfRatiosThereIsNone) {
  auto* view = qobject_cast<DepthView*>(show("depth").view());
  useNoise(QStringLiteral("loud"));
  m_fixture.selection.selectBaseline(QStringLiteral("quiet"), Relation::Ratio);
  m_fixture.settle();
  EXPECT_TRUE(view->chart().data().noise.empty());
  m_fixture.selection.goBack();
  m_fixture.settle();
  EXPECT_FALSE(view->chart().data().noise.empty()) << "it comes back with the errors";
}

TEST_F(NoiseBandTest, TheOverviewDimsWhatIsWithinIt) {
  auto* table = show("overview").findChild<QTableView*>(QStringLiteral("summary"));
  const QString title = table->model()->headerData(2, Qt::Horizontal).toString();
  EXPECT_FALSE(isDim(*table, QStringLiteral("quiet"), title));
  useNoise(QStringLiteral("loud"));
  EXPECT_TRUE(isDim(*table, QStringLiteral("quiet"), title));
  EXPECT_FALSE(isDim(*table, QStringLiteral("loud"), title));
  useNoise(QStringLiteral("quiet"));
  EXPECT_FALSE(isDim(*table, QStringLiteral("loud"), title));
}

TEST_F(NoiseBandTest, TheTableDimsAndExplainsWhatIsWithinIt) {
  m_fixture.selection.selectRun(QStringLiteral("quiet"));
  auto* table = show("table").findChild<QTableView*>();
  useNoise(QStringLiteral("loud"));
  const QAbstractItemModel& model = *table->model();
  int column = -1;
  for (int i = 0; i < model.columnCount(); ++i) {
    column = model.headerData(i, Qt::Horizontal).toString().startsWith(QStringLiteral("RMS rel"))
                 ? i
                 : column;
  }
  ASSERT_GE(column, 0);
  int dim = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QModelIndex cell = model.index(row, column);
    if (cell.data(DimRole).toBool() && cell.data().toString() != QStringLiteral("–")) {
      ++dim;
      EXPECT_TRUE(cell.data(Qt::ToolTipRole)
                      .toString()
                      .contains(QStringLiteral("within the noise of loud")));
    }
  }
  EXPECT_GT(dim, 4);
}

}  // namespace
}  // namespace ulp::views
