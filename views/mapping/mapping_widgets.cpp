#include "views/mapping/mapping_widgets.h"

#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"

namespace ulp::views {

QTableView* makeMappingTable(QAbstractItemModel* model,
                             const QString& name,
                             const ThemeManager& themes) {
  QTableView* const table = makeTable(model, name, themes);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  return table;
}

QPushButton* makeMappingButton(const QString& text, const QString& toolTip) {
  auto* button = new QPushButton(text);
  button->setAutoDefault(false);
  button->setToolTip(toolTip);
  return button;
}

}  // namespace ulp::views
