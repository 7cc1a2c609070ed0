#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/comparing/verdict/compared_dumps.h"
#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A tensor of a unit of a dump. Texts are made when they are painted.
struct DumpLine {
  std::int32_t tensor = 0;  ///< in UnitTensors::tensors
  std::int32_t site = -1;   ///< in the document; -1: it does not have it (any more)
};

using DumpModel = RowTableModel<DumpLine>;

/// A unit of a dump beside what the report says of it.
struct DumpTable {
  DocumentPtr document;
  int variant = -1;  ///< the run of the unit
  analysis::UnitTensors unit;
  std::vector<DumpLine> lines;  ///< all, as they were made
  /// How maximum, minimum, mean and norm are written, each in one column.
  std::array<ColumnFormat, 4> formats{};
};
using DumpTablePtr = std::shared_ptr<const DumpTable>;

/// Opens the unit where that has not been done; takes as long as that takes. Errors: those of
/// ComparedDumps::tensorsOf().
[[nodiscard]] Result<DumpTablePtr> readDumpTable(const DocumentPtr& document,
                                                 const CaptureOrigin& place,
                                                 const QString& run,
                                                 const std::stop_token& stop);

struct DumpColumn : Column<DumpLine> {
  /// What the column is sorted by; NaN: missing, which stands last. Empty: by its text.
  std::function<double(const DumpLine&)> key;
  QString condition{};  ///< how a filter asks for its number: "norm"; empty: it cannot
};

/// The columns of a table, which they share.
[[nodiscard]] std::vector<DumpColumn> dumpColumns(const DumpTablePtr& table);

/// What is shown of a table.
struct DumpQuery {
  /// Words of the call, the module, the tensor or the format, all of which a line must have, and
  /// conditions on numbers: norm>5, nan>=1.
  QString filter;
  bool isNotFinite = false;  ///< tensors with NaN or infinity alone
  int sortColumn = -1;       ///< -1: in order of execution
  Qt::SortOrder order = Qt::AscendingOrder;

  friend bool operator==(const DumpQuery&, const DumpQuery&) = default;
};

/// The lines that a query asks for, in its order; as far as it comes until it is stopped.
[[nodiscard]] std::vector<DumpLine> queryDump(const DumpTablePtr& table,
                                              const DumpQuery& query,
                                              const std::stop_token& stop = {});

/// "input 0", "output", "gradient of parameter weight".
[[nodiscard]] QString roleText(const dumps::DumpRow& row);

}  // namespace ulp::views
