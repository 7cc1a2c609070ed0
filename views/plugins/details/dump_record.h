#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/comparing/verdict/compared_dumps.h"
#include "core/report/tables/data_table.h"
#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// What the dumps say of the two sides of a tensor: "Maximum", of the baseline, of the candidate.
struct RecordedRow {
  QString title;
  QString baseline;
  QString candidate;
  bool differs = false;
};

/// Where a tensor was made: the call itself, what encloses it, and the frames of the call stack.
struct CallRow {
  enum class Kind : std::uint8_t { Call, Enclosing, Frame };
  Kind kind = Kind::Call;
  QString text;
};

using RecordedModel = RowTableModel<RecordedRow>;
using CallModel = RowTableModel<CallRow>;

/// What the dumps of a comparison hold of a tensor beside its elements.
struct DumpRecord {
  std::shared_ptr<const std::vector<RecordedRow>> recorded;
  std::shared_ptr<const std::vector<CallRow>> calls;  ///< innermost first
  QString problem;                                    ///< why there is nothing; empty: there is
  bool isOfOneDump = false;                           ///< the two sides are the same
};

/// Opens the dumps where that has not been done; takes as long as that takes.
[[nodiscard]] DumpRecord readDumpRecord(const CaptureOrigin& place,
                                        const Site& shown,
                                        const std::stop_token& stop);
[[nodiscard]] DumpRecord recordOf(const analysis::ComparedTensor& tensor);

[[nodiscard]] std::vector<Column<RecordedRow>> recordedColumns(bool isOfOneDump = false);
[[nodiscard]] std::vector<Column<CallRow>> callColumns();

}  // namespace ulp::views
