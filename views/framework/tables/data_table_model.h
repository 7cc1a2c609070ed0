#pragma once

#include "core/report/tables/data_table.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A DataTable as an item model, whose rows are numbers of the table's rows: shown as formatTable()
/// writes it, sorted by its numbers, copied with every digit.
class DataTableModel final : public RowTableModel<std::size_t> {
 public:
  explicit DataTableModel(report::DataTable table, QObject* parent = nullptr);
};

}  // namespace ulp::views
