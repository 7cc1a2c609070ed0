#pragma once

#include <memory>
#include <vector>

#include "core/analysis/tensors/pair_statistics.h"
#include "core/report/model/report.h"
#include "core/report/tables/data_table.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// An element of large difference.
struct WorstElementRow {
  std::vector<std::int64_t> index;  ///< in the whole tensor
  double reference = 0;
  double variant = 0;
  double difference = 0;
  double ulp = 0;
};

using WorstElementModel = RowTableModel<WorstElementRow>;
using WorstElementRows = std::shared_ptr<const std::vector<WorstElementRow>>;

/// Those that the report names, known at once; they are of the whole tensor also where only a
/// sample of it was kept.
[[nodiscard]] WorstElementRows worstOfReport(const report::Comparison* comparison,
                                             const analysis::TensorPair& pair);
/// Those that the exact pass over the pair found.
[[nodiscard]] WorstElementRows worstOfStatistics(const analysis::PairStatistics& statistics,
                                                 const analysis::TensorPair& pair);
[[nodiscard]] std::vector<Column<WorstElementRow>> worstElementColumns();
[[nodiscard]] report::DataTable worstElementTable(const std::vector<WorstElementRow>& rows);

}  // namespace ulp::views
