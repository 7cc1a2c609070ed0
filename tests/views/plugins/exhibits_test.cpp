#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QContextMenuEvent>
#include <QtGui/QGuiApplication>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QTableView>

#include "core/base/files/atomic_file.h"
#include "tests/views/context_fixture.h"
#include "views/framework/exports/export_dialog.h"
#include "views/framework/exports/figure.h"
#include "views/framework/tables/table_window.h"
#include "views/framework/view/exhibit_menu.h"
#include "views/framework/view/view_host.h"

namespace ulp::views {
namespace {

class Exhibits : public testing::Test {
 protected:
  View& show(const QString& id) {
    const ViewRegistry registry = builtinViews();
    m_fixture.openReport(test::realisticReport({.layers = 3}));
    m_fixture.selection.selectSite(QStringLiteral("decoder.1"), Pass::Forward);
    m_host = std::make_unique<ViewHost>(*registry.find(id), m_fixture.context());
    m_host->resize(900, 500);
    m_host->show();
    m_fixture.settle();
    return *m_host->view();
  }
  template <class T>
  static T* topLevel() {
    for (QWidget* widget : QApplication::topLevelWidgets()) {
      if (auto* found = qobject_cast<T*>(widget); found != nullptr && found->isVisible()) {
        return found;
      }
    }
    return nullptr;
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

TEST_F(Exhibits, OfEveryViewHaveIdsTitlesPicturesAndRows) {
  const ViewRegistry registry = builtinViews();
  for (const ViewDescriptor& descriptor : registry.all()) {
    View& view = show(descriptor.id);
    QStringList ids;
    for (const Exhibit& exhibit : view.exhibits()) {
      const std::string name = (descriptor.id + QLatin1Char('/') + exhibit.id).toStdString();
      EXPECT_FALSE(exhibit.id.isEmpty() || ids.contains(exhibit.id)) << name;
      ids << exhibit.id;
      EXPECT_FALSE(exhibit.title.isEmpty()) << name;
      const report::DataTable table = exhibit.table();
      EXPECT_FALSE(table.rows.empty()) << name;
      for (const auto& row : table.rows) {
        ASSERT_EQ(row.size(), table.columns.size()) << name;
      }
      EXPECT_FALSE(test::isBlank(Figure::make(exhibit, {}).toImage(1))) << name;
    }
    m_host.reset();
  }
}

TEST_F(Exhibits, TableHoldsWhatIsShownInTheUnitsOfItsColumns) {
  View& view = show(QStringLiteral("table"));
  const std::vector<Exhibit> exhibits = view.exhibits();
  ASSERT_EQ(exhibits.size(), 1U);
  const report::DataTable table = exhibits[0].table();
  const auto* shown = view.findChild<QTableView*>(QStringLiteral("tensors"));
  EXPECT_EQ(static_cast<int>(table.rows.size()), shown->model()->rowCount());
  const auto column = std::find_if(table.columns.begin(), table.columns.end(), [](const auto& c) {
    return c.title == "RMS rel";
  });
  ASSERT_NE(column, table.columns.end());
  EXPECT_EQ(column->unit, "%");
  const DocumentPtr& document = m_fixture.workspace.reports.document();
  const auto place = static_cast<std::size_t>(column - table.columns.begin());
  const int site = document->findSite(std::get<std::string>(table.rows[0][0]), Pass::Forward);
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][place]),
                   100 * document->value(0, site, document->findMetric(QStringLiteral("rms_rel"))));
}

TEST_F(Exhibits, DetailsOffersMetricsAndWorstElements) {
  View& view = show(QStringLiteral("details"));
  const std::vector<Exhibit> exhibits = view.exhibits();
  ASSERT_EQ(exhibits.size(), 2U);
  EXPECT_EQ(exhibits[0].table().columns[1].title, "Unit");
  EXPECT_EQ(exhibits[1].id, QStringLiteral("worst-elements"));
  EXPECT_TRUE(exhibits[1].title.contains(QStringLiteral("decoder.1")));
}

TEST_F(Exhibits, KeyCopiesTextTableAndPictures) {
  View& view = show(QStringLiteral("table"));
  auto* table = view.findChild<QTableView*>(QStringLiteral("tensors"));
  QGuiApplication::clipboard()->clear();
  table->setFocus();
  QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  m_fixture.settle();
  const QMimeData* data = QGuiApplication::clipboard()->mimeData();
  EXPECT_TRUE(data->text().startsWith(QStringLiteral("Tensor\tPass\t")));
  EXPECT_EQ(data->text().count(QLatin1Char('\n')), table->model()->rowCount() + 1);
  EXPECT_TRUE(data->html().contains(QStringLiteral("<table>")));
  EXPECT_TRUE(data->hasImage());
}

TEST_F(Exhibits, ContextMenuOfATableExportsIt) {
  View& view = show(QStringLiteral("table"));
  auto* table = view.findChild<QTableView*>(QStringLiteral("tensors"));
  auto* action = table->findChild<QAction*>(QStringLiteral("exhibit.export"));
  ASSERT_NE(action, nullptr);
  EXPECT_TRUE(table->actions().contains(action));
  action->trigger();
  auto* dialog = topLevel<ExportDialog>();
  ASSERT_NE(dialog, nullptr);
  auto* file = dialog->findChild<QLineEdit*>(QStringLiteral("file"));
  const QString path = m_fixture.folder.filePath(QStringLiteral("tensors.csv"));
  file->selectAll();
  QTest::keyClicks(file, path);
  QSignalSpy written(&m_fixture.exports, &ExportJobs::written);
  QTest::keyClick(file, Qt::Key_Return);
  ASSERT_TRUE(written.wait());
  const auto content = readTextFile(path.toStdString());
  ASSERT_TRUE(content.has_value());
  EXPECT_TRUE(content->starts_with("Tensor,Pass,"));
}

TEST_F(Exhibits, ShowsATableInAWindowOfItsOwn) {
  View& view = show(QStringLiteral("details"));
  auto* table = view.findChild<QTableView*>(QStringLiteral("worst-elements"));
  table->findChild<QAction*>(QStringLiteral("exhibit.showTable"))->trigger();
  m_fixture.settle();
  auto* window = topLevel<TableWindow>();
  ASSERT_NE(window, nullptr);
  QAbstractItemModel* model = window->table().model();
  ASSERT_GT(model->rowCount(), 1);
  model->sort(1, Qt::DescendingOrder);
  EXPECT_GE(model->index(0, 1).data().toString().toDouble(),
            model->index(1, 1).data().toString().toDouble());
  window->close();
}

TEST_F(Exhibits, FailureIsAMessageAndLeavesNoFile) {
  QSignalSpy raised(&m_fixture.workspace.messages, &Messages::raise);
  m_fixture.exports.writeFile(QStringLiteral("/nonexistent/folder/x.csv"),
                              []() -> Result<std::string> { return std::string("x"); });
  m_fixture.settle();
  ASSERT_EQ(raised.size(), 1);
  const auto message = raised.front().front().value<Message>();
  EXPECT_EQ(message.severity, Severity::Broken);
  EXPECT_TRUE(message.text.contains(QStringLiteral("/nonexistent/folder/x.csv")));
}

}  // namespace
}  // namespace ulp::views
