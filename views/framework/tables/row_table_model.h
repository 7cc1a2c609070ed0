#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <QtCore/QAbstractProxyModel>
#include <QtCore/QAbstractTableModel>
#include <QtCore/QString>

#include "core/report/tables/data_table.h"
#include "views/framework/tables/table_roles.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {

inline constexpr Qt::Alignment kNumberAlignment = Qt::AlignRight | Qt::AlignVCenter;

/// What cells of a column say: one function a role. Where nothing is said of SortRole or RawRole
/// that is the text shown, for other roles an invalid QVariant.
template <class Row>
using CellRoles = std::map<int, std::function<QVariant(const Row&)>>;

/// A column of a RowTableModel.
template <class Row>
struct Column {
  QString title;
  QString toolTip;
  QString group;  ///< shown above neighbouring columns of the same group
  Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
  /// In place of `roles`: answers every role.
  std::function<QVariant(const Row&, int role)> cell;
  CellRoles<Row> roles;

  [[nodiscard]] QVariant valueOf(const Row& row, int role) const {
    if (cell) {
      return cell(row, role);
    }
    auto found = roles.find(role);
    if (found == roles.end() && (role == SortRole || role == RawRole)) {
      found = roles.find(Qt::DisplayRole);
    }
    return found == roles.end() ? QVariant() : found->second(row);
  }
};

/// The roles of a text, which the tool tip repeats: a column may be too narrow for it.
template <class Row, class Text>
[[nodiscard]] CellRoles<Row> textRoles(Text text) {
  return {{Qt::DisplayRole, text}, {Qt::ToolTipRole, text}};
}

/// The roles of a number; `exact`: as it is copied, and as the tool tip repeats it.
template <class Row, class Value>
[[nodiscard]] CellRoles<Row> numberRoles(Value value,
                                         std::function<QString(double)> text,
                                         std::function<QString(double)> exact = exactText) {
  const auto written = [value](const std::function<QString(double)>& write) {
    return [value, write](const Row& row) { return write(std::invoke(value, row)); };
  };
  return {{Qt::DisplayRole, written(text)},
          {SortRole, value},
          {RawRole, written(exact)},
          {Qt::ToolTipRole, written(exact)}};
}

/// The rows as data: numbers as they are sorted by, where that is a double, else what is copied.
template <class Row>
[[nodiscard]] report::DataTable dataOf(const QString& title,
                                       const std::vector<Column<Row>>& columns,
                                       const std::vector<Row>& rows) {
  report::DataTable table{.title = title.toStdString()};
  for (const Column<Row>& column : columns) {
    table.columns.push_back({column.title.toStdString(), {}, column.group.toStdString()});
  }
  for (const Row& row : rows) {
    std::vector<report::DataCell>& cells = table.rows.emplace_back();
    for (const Column<Row>& column : columns) {
      const QVariant key = column.valueOf(row, SortRole);
      if (!key.isValid()) {
        cells.emplace_back();
      } else if (key.typeId() == QMetaType::Double) {
        cells.emplace_back(key.toDouble());
      } else {
        cells.emplace_back(column.valueOf(row, RawRole).toString().toStdString());
      }
    }
  }
  return table;
}

/// Read-only table over an immutable row vector and a set of columns.
template <class Row>
class RowTableModel : public QAbstractTableModel {
 public:
  using Rows = std::shared_ptr<const std::vector<Row>>;

  using QAbstractTableModel::QAbstractTableModel;

  void setContent(std::vector<Column<Row>> columns, Rows rows) {
    beginResetModel();
    m_columns = std::move(columns);
    m_rows = std::move(rows);
    endResetModel();
  }
  /// Keeps selection and scroll position when only values changed.
  void setRows(Rows rows) {
    const bool sameShape = m_rows && rows && m_rows->size() == rows->size();
    if (!sameShape) {
      beginResetModel();
    }
    m_rows = std::move(rows);
    if (!sameShape) {
      endResetModel();
    } else {
      emitAllChanged();
    }
  }
  /// Takes other columns in place of as many: selection and scroll position stay.
  void setColumns(std::vector<Column<Row>> columns) {
    m_columns = std::move(columns);
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    emitAllChanged();
  }

  [[nodiscard]] const std::vector<Column<Row>>& columns() const { return m_columns; }
  /// Null: nothing is shown.
  [[nodiscard]] const Rows& rows() const { return m_rows; }
  /// `row` must exist.
  [[nodiscard]] const Row& row(int row) const { return (*m_rows)[static_cast<std::size_t>(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final {
    return parent.isValid() || !m_rows ? 0 : static_cast<int>(m_rows->size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const final {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
      return {};
    }
    const Column<Row>& column = m_columns[static_cast<std::size_t>(index.column())];
    if (role == Qt::TextAlignmentRole) {
      return QVariant::fromValue(column.alignment);
    }
    return column.valueOf(row(index.row()), role);
  }
  [[nodiscard]] QVariant headerData(int section,
                                    Qt::Orientation orientation,
                                    int role) const final {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
      return {};
    }
    const Column<Row>& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
      case Qt::DisplayRole:
        return column.title;
      case Qt::ToolTipRole:
        return column.toolTip;
      case Qt::TextAlignmentRole:
        return QVariant::fromValue(column.alignment);
      case GroupRole:
        return column.group;
      default:
        return {};
    }
  }

 private:
  void emitAllChanged() {
    if (rowCount() > 0 && columnCount() > 0) {
      Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
  }

  std::vector<Column<Row>> m_columns;
  Rows m_rows;
};

/// The rows in the order of a proxy that shows the model.
template <class Row>
[[nodiscard]] std::vector<Row> shownRows(const RowTableModel<Row>& model,
                                         const QAbstractProxyModel& order) {
  std::vector<Row> rows;
  for (int i = 0; i < order.rowCount(); ++i) {
    rows.push_back(model.row(order.mapToSource(order.index(i, 0)).row()));
  }
  return rows;
}

}  // namespace ulp::views
