#include "views/framework/tables/frozen_column.h"

#include <gtest/gtest.h>

#include <QtGui/QAccessible>
#include <QtGui/QStandardItemModel>
#include <QtTest/QTest>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QScrollBar>

#include "tests/views/context_fixture.h"
#include "views/framework/tables/table_tools.h"

namespace ulp::views {
namespace {

constexpr int kColumns = 12;

class FrozenColumnTest : public ::testing::Test, protected test::ContextFixture {
 protected:
  FrozenColumnTest() {
    for (int row = 0; row < 40; ++row) {
      QList<QStandardItem*> items;
      for (int column = 0; column < kColumns; ++column) {
        items.append(new QStandardItem(QStringLiteral("%1/%2").arg(row).arg(column)));
      }
      m_model.appendRow(items);
    }
    setUpTable(m_table, context().themes);
    m_table.setModel(&m_model);
    m_table.setSortingEnabled(true);
    m_frozen = new FrozenColumn(m_table, context().themes);
    for (int column = 0; column < kColumns; ++column) {
      m_table.setColumnWidth(column, 100);
    }
    m_table.resize(500, 300);
    m_table.show();
  }

  QStandardItemModel m_model;
  QTableView m_table;
  FrozenColumn* m_frozen = nullptr;
};

TEST_F(FrozenColumnTest, CoversTheLeftEdgeOnlyWhileScrolledSideways) {
  EXPECT_FALSE(m_frozen->isVisible());
  m_table.horizontalScrollBar()->setValue(150);
  ASSERT_TRUE(m_frozen->isVisible());
  EXPECT_EQ(m_frozen->width(), 100);
  EXPECT_EQ(m_frozen->geometry().left(), m_table.viewport()->geometry().left());
  m_table.horizontalScrollBar()->setValue(0);
  EXPECT_FALSE(m_frozen->isVisible());
}

TEST_F(FrozenColumnTest, IsNothingToScreenReaders) {
  m_table.horizontalScrollBar()->setValue(150);
  ASSERT_TRUE(m_frozen->isVisible());
  QAccessibleInterface* const read = QAccessible::queryAccessibleInterface(m_frozen);
  ASSERT_NE(read, nullptr);
  EXPECT_TRUE(read->state().invisible);
  EXPECT_EQ(read->childCount(), 0);
  QAccessibleInterface* const table = QAccessible::queryAccessibleInterface(&m_table);
  ASSERT_NE(table, nullptr);
  EXPECT_NE(read->parent(), table);
}

TEST_F(FrozenColumnTest, EndsInALine) {
  m_table.horizontalScrollBar()->setValue(150);
  const QImage seen = m_frozen->viewport()->grab().toImage();
  EXPECT_EQ(seen.pixelColor(seen.width() - 1, 150), m_frozen->palette().mid().color());
  EXPECT_NE(seen.pixelColor(seen.width() - 2, 150), m_frozen->palette().mid().color());
}

TEST_F(FrozenColumnTest, ShowsTheRowsThatTheTableShows) {
  m_table.horizontalScrollBar()->setValue(150);
  m_table.verticalScrollBar()->setValue(130);
  for (const int y : {1, 60, 200}) {
    EXPECT_EQ(m_frozen->rowAt(y), m_table.rowAt(y)) << y;
    EXPECT_EQ(m_frozen->columnAt(5), 0);
  }
  m_frozen->verticalScrollBar()->setValue(50);
  EXPECT_EQ(m_table.verticalScrollBar()->value(), 50);
}

TEST_F(FrozenColumnTest, LeavesNoPartOfTheNumbersThatItCovers) {
  QStandardItem& number = *m_model.item(0, 2);
  number.setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  number.setText(QStringLiteral("1234567.01"));
  m_table.horizontalScrollBar()->setValue(150);
  const QRect seen(m_frozen->width(), 0, 50, m_table.rowHeight(0));
  ASSERT_EQ(m_table.visualRect(number.index()).right(), seen.right());
  const QImage cut = m_table.viewport()->grab(seen).toImage();
  number.setText(QStringLiteral("9876543.89"));
  EXPECT_EQ(m_table.viewport()->grab(seen).toImage(), cut);
  m_table.horizontalScrollBar()->setValue(100);
  const QImage whole = m_table.viewport()->grab(seen.adjusted(0, 0, 50, 0)).toImage();
  number.setText(QStringLiteral("9876543.79"));
  EXPECT_NE(m_table.viewport()->grab(seen.adjusted(0, 0, 50, 0)).toImage(), whole);
}

TEST_F(FrozenColumnTest, SelectsInTheTable) {
  m_table.horizontalScrollBar()->setValue(150);
  const QRect third = m_frozen->visualRect(m_model.index(2, 0));
  QTest::mouseClick(m_frozen->viewport(), Qt::LeftButton, {}, third.center());
  EXPECT_EQ(m_table.currentIndex(), m_model.index(2, 0));
}

TEST_F(FrozenColumnTest, SortsTheTableByItsTitle) {
  m_table.horizontalScrollBar()->setValue(150);
  QTest::mouseClick(m_frozen->horizontalHeader()->viewport(), Qt::LeftButton, {}, QPoint(40, 10));
  EXPECT_EQ(m_table.horizontalHeader()->sortIndicatorSection(), 0);
  EXPECT_TRUE(m_table.selectionModel()->selectedIndexes().isEmpty());
}

TEST_F(FrozenColumnTest, DoesNotCoverTheCurrentCell) {
  m_table.horizontalScrollBar()->setValue(250);
  m_table.setCurrentIndex(m_model.index(0, 3));
  EXPECT_GE(m_table.visualRect(m_model.index(0, 3)).left(), m_frozen->width());
}

TEST_F(FrozenColumnTest, LeavesRoomForNumbersInANarrowTable) {
  m_table.setColumnWidth(0, 400);
  m_table.horizontalScrollBar()->setValue(450);
  ASSERT_TRUE(m_frozen->isVisible());
  const int room = m_table.viewport()->width();
  EXPECT_EQ(m_frozen->width(), room * 45 / 100);
  m_table.setCurrentIndex(m_model.index(0, 3));
  EXPECT_GE(m_table.visualRect(m_model.index(0, 3)).left(), m_frozen->width());
  EXPECT_LE(m_table.visualRect(m_model.index(0, 3)).right(), room);
}

}  // namespace
}  // namespace ulp::views
