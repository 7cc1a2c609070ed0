#pragma once

#include <memory>
#include <string>
#include <vector>

#include <QtCore/QAbstractTableModel>

#include "core/report/tables/data_table.h"
#include "core/report/tables/text_table.h"

namespace ulp::views {

/// A DataTable as an item model: shown as formatTable() writes it, sorted by its numbers, copied
/// with every digit.
class DataTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit DataTableModel(report::DataTable table, QObject* parent = nullptr);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section,
                                    Qt::Orientation orientation,
                                    int role) const override;

 private:
  report::DataTable m_table;
  report::TextTable m_text;
};

}  // namespace ulp::views
