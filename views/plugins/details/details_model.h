#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/report/tables/data_table.h"
#include "views/framework/document/noise_runs.h"
#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A number of the selected tensor in one variant.
struct DetailsCell {
  QString text;
  QString exact{};               ///< empty: missing
  QString more{};                ///< behind the exact text in the tool tip; empty: nothing
  report::DataCell value{};      ///< in the unit of the row
  std::optional<double> half{};  ///< of its interval, in that unit; nothing: there are no samples
  bool isNonFinite = false;
  bool isNoise = false;  ///< within the noise
};

/// One metric of the selected tensor, or one count of non-finite elements.
struct DetailsRow {
  QString title;  ///< with the unit
  QString label;
  QString unit{};
  QString help{};
  std::vector<DetailsCell> cells{};  ///< one a variant
};

/// An element of largest difference.
struct WorstRow {
  QString index;  ///< "0, 5, 17"
  std::vector<std::int64_t> position;
  double reference = 0;
  double variant = 0;
};

using DetailsModel = RowTableModel<DetailsRow>;
using WorstModel = RowTableModel<WorstRow>;

/// A fact about the tensor: "Shape", "1 × 128 × 576".
struct Fact {
  QString title;
  QString value;
  QString toolTip{};  ///< HTML; empty: none
};

[[nodiscard]] std::vector<Fact> factsOf(const ReportDocument& document, int variant, int site);
/// Metrics in report order, then the non-finite counts; column 0 names them, column v + 1 is
/// variant v.
[[nodiscard]] std::shared_ptr<const std::vector<DetailsRow>> detailsOf(
    const ReportDocument& document, int site, const NoiseRuns& noise = {});
[[nodiscard]] std::vector<Column<DetailsRow>> detailsColumns(const ReportDocument& document);
[[nodiscard]] std::shared_ptr<const std::vector<WorstRow>> worstOf(const ReportDocument& document,
                                                                   int variant,
                                                                   int site);
/// The names of the runs head the columns, the last one of which is the variant less the baseline.
[[nodiscard]] std::vector<Column<WorstRow>> worstColumns(const QString& baseline,
                                                         const QString& variant);

/// The metrics of a tensor as data: one row a metric and a count, one column a variant; values in
/// the unit that their row names. Means over several samples have their intervals in columns of
/// their own.
[[nodiscard]] report::DataTable metricsTable(const ReportDocument& document, int site);

}  // namespace ulp::views
