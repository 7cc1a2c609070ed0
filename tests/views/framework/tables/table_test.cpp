#include <limits>

#include <gtest/gtest.h>

#include <QtCore/QMimeData>
#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtTest/QTest>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>

#include "tests/support/data/special_numbers.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/context_fixture.h"
#include "views/framework/tables/cell_delegate.h"
#include "views/framework/tables/row_table_model.h"
#include "views/framework/tables/table_tools.h"

namespace ulp::views {
namespace {

struct Row {
  QString name;
  double value = 0;
};

using test::kNan;

std::vector<Column<Row>> columns() {
  return {{.title = QStringLiteral("Name"),
           .toolTip = {},
           .group = {},
           .cell =
               [](const Row& row, int role) {
                 return role == Qt::DisplayRole || role == SortRole ? QVariant(row.name)
                                                                    : QVariant();
               }},
          {.title = QStringLiteral("Value"),
           .toolTip = QStringLiteral("help"),
           .group = QStringLiteral("Numbers"),
           .alignment = Qt::AlignRight,
           .cell = [](const Row& row, int role) -> QVariant {
             switch (role) {
               case Qt::DisplayRole:
                 return QString::number(row.value, 'f', 1);
               case SortRole:
                 return row.value;
               case RawRole:
                 return QString::number(row.value, 'g', 17);
               case EmphasisRole:
                 return row.value > 1;
               case VariantRole:
                 return 3;
               default:
                 return {};
             }
           }}};
}

RowTableModel<Row>::Rows typedRows(std::vector<Row> values) {
  return std::make_shared<const std::vector<Row>>(std::move(values));
}

QString order(const QAbstractItemModel& model) {
  QString names;
  for (int row = 0; row < model.rowCount(); ++row) {
    names += model.index(row, 0).data().toString();
  }
  return names;
}

TEST(RowTableModel, KeepsTheModelContract) {
  RowTableModel<Row> model;
  const test::ModelChecks checks(&model);
  NanLastProxy proxy;
  const test::ModelChecks proxyChecks(&proxy);
  proxy.setSourceModel(&model);
  model.setContent(columns(), typedRows({{QStringLiteral("a"), 1}, {QStringLiteral("b"), 2}}));
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.headerData(1, Qt::Horizontal, GroupRole).toString(), QStringLiteral("Numbers"));
  EXPECT_EQ(model.headerData(9, Qt::Horizontal, Qt::DisplayRole), QVariant());
  proxy.sort(1, Qt::DescendingOrder);
  EXPECT_EQ(order(proxy), QStringLiteral("ba"));
  model.setRows(typedRows({{QStringLiteral("a"), 5}, {QStringLiteral("b"), 2}}));
  EXPECT_EQ(order(proxy), QStringLiteral("ab"));
  model.setRows(typedRows({{QStringLiteral("c"), 5}}));
  EXPECT_EQ(order(proxy), QStringLiteral("c"));
  model.setContent({}, nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(NanLastProxy, PutsNanLastInBothDirections) {
  RowTableModel<Row> model;
  model.setContent(columns(),
                   typedRows({{QStringLiteral("n"), kNan},
                              {QStringLiteral("b"), 2},
                              {QStringLiteral("m"), kNan},
                              {QStringLiteral("a"), -1},
                              {QStringLiteral("c"), std::numeric_limits<double>::infinity()}}));
  NanLastProxy proxy;
  proxy.setSourceModel(&model);
  proxy.sort(1, Qt::AscendingOrder);
  EXPECT_EQ(order(proxy), QStringLiteral("abcnm"));
  proxy.sort(1, Qt::DescendingOrder);
  EXPECT_EQ(order(proxy), QStringLiteral("cbanm"));
  proxy.sort(0, Qt::AscendingOrder);
  EXPECT_EQ(order(proxy), QStringLiteral("abcmn"));
}

TEST(TableClipboard, CopiesExactValuesAsTextAndShownOnesAsHtml) {
  RowTableModel<Row> model;
  model.setContent(columns(),
                   typedRows({{QStringLiteral("<a>"), 0.1}, {QStringLiteral("b\tc"), 2}}));
  QTableView table;
  table.setModel(&model);
  table.verticalHeader()->hide();
  EXPECT_EQ(copyOfSelection(table), nullptr);
  table.selectAll();
  const auto copied = copyOfSelection(table);
  ASSERT_NE(copied, nullptr);
  EXPECT_EQ(copied->text(), QStringLiteral("Name\tValue\n<a>\t0.10000000000000001\nb c\t2\n"));
  EXPECT_TRUE(copied->html().contains(QStringLiteral("<td>&lt;a&gt;</td><td>0.1</td>")));
}

TEST(TableClipboard, LeavesHiddenColumnsOut) {
  RowTableModel<Row> model;
  model.setContent(columns(), typedRows({{QStringLiteral("a"), 0.1}}));
  QTableView table;
  table.setModel(&model);
  table.verticalHeader()->hide();
  table.setColumnHidden(0, true);
  table.selectAll();
  EXPECT_EQ(copyOfSelection(table)->text(), QStringLiteral("Value\n0.10000000000000001\n"));
}

TEST(TableClipboard, SpreadsheetsComputeNoNames) {
  test::ContextFixture fixture;
  RowTableModel<Row> model;
  model.setContent(columns(),
                   typedRows({{QStringLiteral("=1+1"), -0.5}, {QStringLiteral("-1"), 2}}));
  QTableView table;
  setUpTable(table, fixture.themes);
  table.setModel(&model);
  table.verticalHeader()->hide();
  table.selectAll();
  EXPECT_EQ(copyOfSelection(table)->text(), QStringLiteral("Name\tValue\n'=1+1\t-0.5\n-1\t2\n"));
}

TEST(CellDelegate, ShowsNamesInOneLineWithNothingUnseen) {
  test::ContextFixture fixture;
  const CellDelegate delegate(fixture.themes);
  EXPECT_EQ(delegate.displayText(QStringLiteral("a\nb\u202ec\x1b <b>é</b>"), QLocale::c()),
            QStringLiteral("a b\\u202ec\\x1b <b>é</b>"));
}

TEST(CellDelegate, PaintsEveryRoleInBothThemes) {
  test::ContextFixture fixture;
  RowTableModel<Row> model;
  model.setContent(columns(), typedRows({{QStringLiteral("a"), 0.1}, {QStringLiteral("b"), 2}}));
  QTableView table;
  setUpTable(table, fixture.themes);
  table.setModel(&model);
  table.resize(400, 200);
  fitColumns(table);
  EXPECT_GE(table.rowHeight(0), 24);
  fixture.themes.setChoice(ThemeChoice::Light);
  const QImage light = table.grab().toImage();
  fixture.themes.setChoice(ThemeChoice::Dark);
  const QImage dark = table.grab().toImage();
  EXPECT_FALSE(test::isBlank(light));
  EXPECT_FALSE(test::isBlank(dark));
  EXPECT_NE(light, dark);
  fixture.themes.setChoice(ThemeChoice::Light);
}

TEST(TableTools, ColumnsOfAGroupHaveRoomForItsTitle) {
  test::ContextFixture fixture;
  std::vector<Column<Row>> grouped = columns();
  grouped[1].group = QStringLiteral("Numbers with a title that no number is as long as");
  RowTableModel<Row> model;
  model.setContent(std::move(grouped), typedRows({{QStringLiteral("a"), 1.0}}));
  QTableView table;
  setUpTable(table, fixture.themes);
  table.setModel(&model);
  fitColumns(table);
  EXPECT_GT(table.columnWidth(1),
            table.fontMetrics().horizontalAdvance(
                QStringLiteral("Numbers with a title that no number is as long as")));
  EXPECT_LT(table.columnWidth(0), 100);
}

TEST(TableTools, TheCurrentRowStaysInSightWhereTheTableGetsLower) {
  test::ContextFixture fixture;
  RowTableModel<Row> model;
  model.setContent(columns(), typedRows(std::vector<Row>(100)));
  const std::unique_ptr<QTableView> table(
      makeTable(&model, QStringLiteral("rows"), fixture.themes, nullptr));
  table->resize(300, 400);
  table->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(table.get()));
  table->setCurrentIndex(model.index(60, 0));
  const auto isSeen = [&] {
    const QRect row = table->visualRect(table->currentIndex());
    return row.top() >= 0 && row.bottom() < table->viewport()->height();
  };
  ASSERT_TRUE(isSeen());
  for (const int height : {380, 220, 100}) {
    table->resize(300, height);
    EXPECT_TRUE(isSeen()) << height;
  }
  table->scrollToTop();
  table->resize(300, 90);
  EXPECT_EQ(table->verticalScrollBar()->value(), 0) << "what the user scrolled away stays away";
}

TEST(TableTools, ColumnsGrowWithTheirContentAndNeverShrink) {
  test::ContextFixture fixture;
  RowTableModel<Row> model;
  model.setContent(columns(), typedRows({{QStringLiteral("a"), 1.0}}));
  QTableView table;
  setUpTable(table, fixture.themes);
  table.setModel(&model);
  fitColumns(table);
  const int name = table.columnWidth(0);
  const int value = table.columnWidth(1);
  model.setRows(typedRows({{QStringLiteral("a"), 12345678901.0}}));
  widenColumns(table);
  EXPECT_EQ(table.columnWidth(0), name);
  EXPECT_GE(table.columnWidth(1), table.sizeHintForIndex(model.index(0, 1)).width());
  EXPECT_GT(table.columnWidth(1), value);
  const int grown = table.columnWidth(1);
  model.setRows(typedRows({{QStringLiteral("a"), 1.0}}));
  widenColumns(table);
  EXPECT_EQ(table.columnWidth(1), grown);
}

/// A table with one long number in a narrow column.
class NarrowColumnTest : public testing::Test {
 protected:
  void SetUp() override {
    m_model.setContent(columns(),
                       typedRows({{QStringLiteral("model.layers.12.mlp"), 123456789.0}}));
    setUpTable(m_table, m_fixture.themes);
    m_table.setModel(&m_model);
    m_table.setColumnWidth(0, 60);
    m_table.setColumnWidth(1, 40);
    m_table.resize(500, 200);
    m_table.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_table));
    QCoreApplication::processEvents();
  }
  [[nodiscard]] int needed() {
    QStyleOptionViewItem option;
    option.initFrom(&m_table);
    return m_table.itemDelegate()->sizeHint(option, m_model.index(0, 1)).width();
  }
  [[nodiscard]] QImage cellPicture() {
    QCoreApplication::processEvents();
    return m_table.viewport()->grab(m_table.visualRect(m_model.index(0, 1))).toImage();
  }

  test::ContextFixture m_fixture;
  RowTableModel<Row> m_model;
  QuietTableView m_table;
};

TEST_F(NarrowColumnTest, AColumnGrowsToTheNumbersThatItShows) {
  EXPECT_GE(m_table.columnWidth(1), needed());
  EXPECT_EQ(m_table.columnWidth(0), 60) << "a name is shortened";
  m_model.setRows(typedRows({{QStringLiteral("a"), 1234567890123.0}}));
  m_table.viewport()->repaint();
  QCoreApplication::processEvents();
  EXPECT_GE(m_table.columnWidth(1), needed());
}

TEST_F(NarrowColumnTest, AClickOnTheHeaderMakesNoWidthTheUsers) {
  QWidget* const bar = m_table.horizontalHeader()->viewport();
  QTest::mousePress(bar, Qt::RightButton, {}, QPoint(20, 8));
  m_table.setColumnWidth(1, 40);
  m_table.viewport()->repaint();
  QCoreApplication::processEvents();
  EXPECT_GE(m_table.columnWidth(1), needed()) << "a menu may have taken the release";
  QTest::mouseRelease(bar, Qt::RightButton, {}, QPoint(20, 8));
}

TEST_F(NarrowColumnTest, AColumnThatTheUserMadeNarrowShowsNoPartOfANumber) {
  QHeaderView& header = *m_table.horizontalHeader();
  const int edge = header.sectionViewportPosition(1) + header.sectionSize(1) - 1;
  const int wanted = header.sectionViewportPosition(1) + 40;
  QWidget* const bar = header.viewport();
  QTest::mousePress(bar, Qt::LeftButton, {}, QPoint(edge, 8));
  QTest::mouseMove(bar, QPoint((edge + wanted) / 2, 8));
  QTest::mouseMove(bar, QPoint(wanted, 8));
  QTest::mouseRelease(bar, Qt::LeftButton, {}, QPoint(wanted, 8));
  const int chosen = m_table.columnWidth(1);
  ASSERT_LT(chosen, needed());
  const QImage narrow = cellPicture();
  EXPECT_EQ(m_table.columnWidth(1), chosen) << "the user's";
  fitColumns(m_table);
  EXPECT_EQ(m_table.columnWidth(1), chosen);
  m_model.setRows(typedRows({{QStringLiteral("a"), 987654321.0}}));
  EXPECT_EQ(cellPicture(), narrow) << "no digit is shown";
}

TEST_F(NarrowColumnTest, TheEdgeOfTheTableLeavesNoPartOfANumber) {
  m_table.setColumnWidth(1, needed());
  m_table.setColumnWidth(0, m_table.viewport()->width() - 40);
  const QImage cut = cellPicture();
  m_model.setRows(typedRows({{QStringLiteral("a"), 987654321.0}}));
  EXPECT_EQ(cellPicture(), cut) << "no digit is shown";
  m_table.setColumnWidth(0, m_table.viewport()->width() - needed());
  const QImage whole = cellPicture();
  EXPECT_NE(whole, cut);
  m_table.setColumnWidth(1, 3 * needed());
  const QRect seen(0, 0, needed() - kCellPadding, whole.height());
  EXPECT_EQ(cellPicture().copy(seen), whole.copy(seen)) << "where there is room for it";
}

TEST(CellDelegate, TheSampleOfAVariantStandsOutOfTheSelection) {
  test::ContextFixture fixture;
  RowTableModel<Row> model;
  model.setContent(columns(), typedRows({{QStringLiteral("a"), 1}}));
  const auto table =
      std::unique_ptr<QTableView>(makeTable(&model, QStringLiteral("t"), fixture.context().themes));
  QStyleOptionViewItem option;
  option.initFrom(table.get());
  option.rect = QRect(0, 0, 200, 24);
  option.state |= QStyle::State_Selected | QStyle::State_Enabled;
  option.showDecorationSelected = true;
  QImage image(200, 24, QImage::Format_RGB32);
  image.fill(option.palette.color(QPalette::Base));
  QPainter painter(&image);
  table->itemDelegate()->paint(&painter, option, model.index(0, 1));
  painter.end();
  EXPECT_EQ(image.pixelColor(kCellPadding, 6), option.palette.color(QPalette::Base));
  EXPECT_EQ(image.pixelColor(kCellPadding, 1), option.palette.color(QPalette::Highlight));
}

}  // namespace
}  // namespace ulp::views
