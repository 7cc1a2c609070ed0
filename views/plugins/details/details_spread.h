#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "core/report/tables/data_table.h"
#include "views/framework/document/noise_runs.h"
#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A number of the selected tensor and variant: over the samples, and beside the noise floor.
struct SpreadRow {
  MetricInfo metric;
  double mean = std::numeric_limits<double>::quiet_NaN();
  double half = std::numeric_limits<double>::quiet_NaN();  ///< of the 95 % interval
  report::Spread spread;
  std::uint64_t samples = 1;
  double floor = std::numeric_limits<double>::quiet_NaN();  ///< NaN: unknown
  bool isNonFinite = false;                                 ///< why the mean is NaN
  bool isWithinNoise = false;
  bool isSystematic = false;  ///< a signed error whose interval excludes 0
};

using SpreadModel = RowTableModel<SpreadRow>;
using SpreadRows = std::shared_ptr<const std::vector<SpreadRow>>;

/// Every metric in report order, then the gain error. Null where the variant lacks the tensor, or
/// nothing is known of samples and noise.
[[nodiscard]] SpreadRows spreadRowsOf(const ReportDocument& document,
                                      int variant,
                                      int site,
                                      const NoiseRuns& noise);
/// Columns of samples and of the noise, each where the report knows of it.
[[nodiscard]] std::vector<Column<SpreadRow>> spreadColumns(const ReportDocument& document,
                                                           const NoiseRuns& noise);
/// The same as data; numbers in the unit that their row names.
[[nodiscard]] report::DataTable spreadTable(const QString& title,
                                            const ReportDocument& document,
                                            const NoiseRuns& noise,
                                            const std::vector<SpreadRow>& rows);

}  // namespace ulp::views
