#include "views/framework/tables/table_clipboard.h"

#include <algorithm>
#include <set>
#include <vector>

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QTableView>

#include "views/framework/tables/table_roles.h"

namespace ulp::views {
namespace {

/// What is selected, as whole rows and columns: a hole in a selection is copied with its
/// neighbours.
struct CopiedArea {
  std::vector<int> rows;
  std::vector<int> columns;
};

CopiedArea selectedArea(const QTableView& table) {
  std::set<int> rows;
  std::set<int> columns;
  for (const QItemSelectionRange& range : table.selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom(); ++row) {
      rows.insert(row);
    }
    for (int column = range.left(); column <= range.right(); ++column) {
      if (!table.isColumnHidden(column)) {
        columns.insert(column);
      }
    }
  }
  CopiedArea area{{rows.begin(), rows.end()}, {columns.begin(), columns.end()}};
  std::sort(area.columns.begin(), area.columns.end(), [&table](int a, int b) {
    return table.horizontalHeader()->visualIndex(a) < table.horizontalHeader()->visualIndex(b);
  });
  return area;
}

QString headerText(const QAbstractItemModel& model, int section, Qt::Orientation orientation) {
  return model.headerData(section, orientation).toString();
}

QString plainCell(QString text) {
  return text.replace(QLatin1Char('\t'), QLatin1Char(' '))
      .replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString exactCell(const QModelIndex& index) {
  const QVariant raw = index.data(RawRole);
  return plainCell(raw.isValid() ? raw.toString() : index.data().toString());
}

/// Whether the numbers of a column are means with an interval, which is copied as a column of its
/// own.
bool holdsIntervals(const QAbstractItemModel& model, const std::vector<int>& rows, int column) {
  return std::ranges::any_of(
      rows, [&](int row) { return model.index(row, column).data(IntervalRole).isValid(); });
}

QString tsvOf(const QAbstractItemModel& model, const CopiedArea& area, bool rowHeaders) {
  QString text;
  const auto addCell = [&text](const QString& cell, bool first) {
    if (!first) {
      text += QLatin1Char('\t');
    }
    text += cell;
  };
  if (rowHeaders) {
    text += QLatin1Char('\t');
  }
  std::vector<bool> hasIntervals;
  for (std::size_t i = 0; i < area.columns.size(); ++i) {
    const QString header = plainCell(headerText(model, area.columns[i], Qt::Horizontal));
    hasIntervals.push_back(holdsIntervals(model, area.rows, area.columns[i]));
    addCell(header, i == 0);
    if (hasIntervals.back()) {
      addCell(header + QStringLiteral(" ±"), false);
    }
  }
  for (const int row : area.rows) {
    text += QLatin1Char('\n');
    if (rowHeaders) {
      text += plainCell(headerText(model, row, Qt::Vertical)) + QLatin1Char('\t');
    }
    for (std::size_t i = 0; i < area.columns.size(); ++i) {
      const QModelIndex cell = model.index(row, area.columns[i]);
      addCell(exactCell(cell), i == 0);
      if (hasIntervals[i]) {
        addCell(cell.data(IntervalRole).toString(), false);
      }
    }
  }
  return text + QLatin1Char('\n');
}

QString htmlOf(const QAbstractItemModel& model, const CopiedArea& area, bool rowHeaders) {
  QString html = QStringLiteral("<table><tr>");
  const auto head = [](const QString& text) {
    return QStringLiteral("<th>%1</th>").arg(text.toHtmlEscaped());
  };
  if (rowHeaders) {
    html += head({});
  }
  for (const int column : area.columns) {
    html += head(headerText(model, column, Qt::Horizontal));
  }
  html += QStringLiteral("</tr>");
  for (const int row : area.rows) {
    html += QStringLiteral("<tr>");
    if (rowHeaders) {
      html += head(headerText(model, row, Qt::Vertical));
    }
    for (const int column : area.columns) {
      html += QStringLiteral("<td>%1</td>")
                  .arg(model.index(row, column).data().toString().toHtmlEscaped());
    }
    html += QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

}  // namespace

std::unique_ptr<QMimeData> copyOfSelection(const QTableView& table) {
  if (table.selectionModel() == nullptr || !table.selectionModel()->hasSelection()) {
    return nullptr;
  }
  const CopiedArea area = selectedArea(table);
  const bool rowHeaders = !table.verticalHeader()->isHidden();
  auto data = std::make_unique<QMimeData>();
  data->setText(tsvOf(*table.model(), area, rowHeaders));
  data->setHtml(htmlOf(*table.model(), area, rowHeaders));
  return data;
}

void addCopyAction(QTableView& table) {
  auto* copy =
      new QAction(QCoreApplication::translate("ulp::views::TableClipboard", "Copy"), &table);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QAction::triggered, &table, [&table] {
    if (auto data = copyOfSelection(table)) {
      QGuiApplication::clipboard()->setMimeData(data.release());
    }
  });
  table.addAction(copy);
  table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

}  // namespace ulp::views
