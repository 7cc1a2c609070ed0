#include "views/mapping/mapping_widgets.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"

namespace ulp::views {

QTableView* makeMappingTable(QAbstractItemModel* model,
                             const QString& name,
                             const ThemeManager& themes) {
  auto* table = new QuietTableView;
  setUpTable(*table, themes);
  table->setModel(model);
  table->setAccessibleName(name);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  return table;
}

QHBoxLayout* makeMappingRow() {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kMappingGap);
  return row;
}

QVBoxLayout* makeMappingColumn(QWidget* parent, int spacing) {
  auto* column = new QVBoxLayout(parent);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(spacing);
  return column;
}

QPushButton* makeMappingButton(const QString& text, const QString& toolTip) {
  auto* button = new QPushButton(text);
  button->setAutoDefault(false);
  button->setToolTip(toolTip);
  return button;
}

}  // namespace ulp::views
