#pragma once

#include <limits>
#include <vector>

#include "core/report/tables/data_table.h"
#include "views/framework/tables/row_table_model.h"
#include "views/plugins/log_probabilities/gap_data.h"

namespace ulp::views {

/// A row of the table of gaps.
struct GapRow {
  QString name;
  int style = 0;
  QString problem;           ///< empty: there are numbers
  bool isNonFinite = false;  ///< no token is finite, which is the problem
  report::LogProbabilityGap gap{};
  QString worstPlace{};  ///< sequence and position of the largest difference; empty: none
  double largestSum = std::numeric_limits<double>::quiet_NaN();
  double errorCorrelation = std::numeric_limits<double>::quiet_NaN();
  LogitsGap logits{};
};

using GapModel = RowTableModel<GapRow>;

/// "17", or "2, 17" where there are several sequences.
[[nodiscard]] QString placeText(const GapRun& run, std::size_t place);

/// `logits`: parallel to data.runs, or empty.
[[nodiscard]] std::vector<GapRow> makeGapRows(const GapData& data,
                                              const std::vector<LogitsGap>& logits = {});
/// Columns in which no row has a number are left out.
[[nodiscard]] std::vector<Column<GapRow>> gapColumns(const std::vector<GapRow>& rows,
                                                     double epsilon);
[[nodiscard]] report::DataTable gapData(const QString& title,
                                        const std::vector<GapRow>& rows,
                                        double epsilon);
/// The runs that have no finite token, and the one that is farthest from the baseline; empty: there
/// is none.
[[nodiscard]] QString gapHeadline(const GapData& data,
                                  const std::vector<GapRow>& rows,
                                  double epsilon);

}  // namespace ulp::views
