#include "views/framework/tables/table_part.h"

#include <gtest/gtest.h>

#include <QtGui/QStandardItemModel>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

namespace ulp::views {
namespace {

TEST(TablePart, ShowsWholeRows) {
  QStandardItemModel model(5, 2);
  QSplitter split(Qt::Vertical);
  auto* table = new QTableView(&split);
  auto* chart = new QWidget(&split);
  table->setModel(&model);
  chart->setMinimumHeight(100);
  const int full = fullHeight(*table);
  const int row = table->verticalHeader()->defaultSectionSize();
  split.resize(300, 2 * full + 10);
  EXPECT_EQ(partForRows(split, *table), full);
  // A little more than half, where the chart has its least height.
  split.resize(300, full * 9 / 5);
  EXPECT_EQ(partForRows(split, *table), full);
  chart->setMinimumHeight(full);
  const int part = partForRows(split, *table);
  EXPECT_LE(part, split.height() / 2);
  EXPECT_GT(part, split.height() / 2 - row);
  EXPECT_EQ((full - part) % row, 0);
  split.resize(300, 20);
  EXPECT_EQ(partForRows(split, *table), full - 4 * row);
}

}  // namespace
}  // namespace ulp::views
