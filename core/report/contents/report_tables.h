#pragma once

#include <vector>

#include "core/report/contents/export_selection.h"
#include "core/report/model/report.h"
#include "core/report/summary/summary.h"
#include "core/report/tables/data_table.h"

/// The parts of a report as data, each as one table; values in the units of their columns. Where a
/// study took several samples, numbers are means with half of their 95 % interval beside them;
/// where it measured its noise floor, 1 marks the runs of the floor and the numbers that it covers.
namespace ulp::report {

/// How far each selected variant, and each run of the noise floor, is from the reference in the
/// log-probabilities of the chosen tokens (LogProbabilityError), one row each; without rows: the
/// report does not say.
[[nodiscard]] DataTable logProbabilityData(const Report& report, const ExportSelection& selection);

/// What the routers of each selected variant chose beside the reference (RouterChoice), one row
/// each; without rows: the report has none.
[[nodiscard]] DataTable routersData(const Report& report, const ExportSelection& selection);

/// Leaves the rows of a summary that are of selected variants.
[[nodiscard]] std::vector<SummaryRow> selectedRows(std::vector<SummaryRow> rows,
                                                   const ExportSelection& selection);
/// Places in summaryColumns() that a table of `rows` shows of the selected passes.
[[nodiscard]] std::vector<std::size_t> selectedColumns(const std::vector<SummaryRow>& rows,
                                                       const ExportSelection& selection);
/// One row a variant, the columns of the summary.
[[nodiscard]] DataTable summaryData(const Report& report,
                                    const ExportSelection& selection,
                                    const SelectedMetric& metric);
/// State, loss, time and memory of each run, with what it changes.
[[nodiscard]] DataTable runsData(const Report& report, const ExportSelection& selection);
/// The column of a metric in a table of tensors, and what it holds of a row.
[[nodiscard]] DataColumn metricColumn(const SelectedMetric& metric);
[[nodiscard]] DataCell metricCell(const SelectedMetric& metric, const Comparison& row);
/// Every tensor of every variant with all selected metrics.
[[nodiscard]] DataTable tensorsData(const Report& report, const ExportSelection& selection);
/// The layer rows in execution order, one column a variant: what the depth chart draws.
[[nodiscard]] DataTable depthData(const Report& report,
                                  const ExportSelection& selection,
                                  const SelectedMetric& metric);

}  // namespace ulp::report
