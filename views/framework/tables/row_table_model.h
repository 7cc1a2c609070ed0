#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <QtCore/QAbstractTableModel>
#include <QtCore/QString>

#include "views/framework/tables/table_roles.h"

namespace ulp::views {

inline constexpr Qt::Alignment kNumberAlignment = Qt::AlignRight | Qt::AlignVCenter;

/// A column of a RowTableModel. `cell` answers every role; what it does not know is an invalid
/// QVariant.
template <class Row>
struct Column {
  QString title;
  QString toolTip;
  QString group;  ///< shown above neighbouring columns of the same group
  Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
  std::function<QVariant(const Row&, int role)> cell;
};

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
    } else if (!m_rows->empty() && !m_columns.empty()) {
      Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
  }

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
    return column.cell(row(index.row()), role);
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
  std::vector<Column<Row>> m_columns;
  Rows m_rows;
};

}  // namespace ulp::views
