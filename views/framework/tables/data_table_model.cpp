#include "views/framework/tables/data_table_model.h"

#include <cmath>
#include <utility>

#include "core/report/tables/format_table.h"
#include "views/framework/tables/table_roles.h"

namespace ulp::views {
namespace {

Qt::Alignment alignmentOf(const report::TableColumn& column) {
  return (column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

QVariant sortValue(const report::DataCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return QString::fromStdString(*text);
  }
  const double* number = std::get_if<double>(&cell);
  return number == nullptr ? QVariant() : QVariant(*number);
}

bool isNotFinite(const report::DataCell& cell) {
  const double* number = std::get_if<double>(&cell);
  return number != nullptr && !std::isfinite(*number);
}

}  // namespace

DataTableModel::DataTableModel(report::DataTable table, QObject* parent)
    : QAbstractTableModel(parent),
      m_table(std::move(table)),
      m_text(report::formatTable(m_table)) {}

int DataTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int DataTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant DataTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
    return {};
  }
  const auto row = static_cast<std::size_t>(index.row());
  const auto column = static_cast<std::size_t>(index.column());
  const report::DataCell& cell = m_table.rows[row][column];
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(m_text.rows[row][column]);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(alignmentOf(m_text.columns[column]));
    case RawRole:
    case Qt::ToolTipRole:
      return QString::fromStdString(report::exactCell(cell));
    case SortRole:
      return sortValue(cell);
    case DimRole:
      return std::holds_alternative<std::monostate>(cell);
    case NonFiniteRole:
      return isNotFinite(cell) ? QVariant(true) : QVariant();
    default:
      return {};
  }
}

QVariant DataTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
    return {};
  }
  const report::TableColumn& column = m_text.columns[static_cast<std::size_t>(section)];
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(column.title);
    case GroupRole:
      return QString::fromStdString(column.group);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(alignmentOf(column));
    default:
      return {};
  }
}

}  // namespace ulp::views
