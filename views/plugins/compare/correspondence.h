#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include <QtCore/QString>

#include "core/analysis/reports/structure_diff.h"
#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// How the tensors of an open report correspond to those of the first one.
struct Correspondence {
  analysis::StructureDiff diff;
  std::vector<analysis::SuggestedPair> suggestions;
};

/// `index` must be below the number of open reports. Takes time with the number of tensors. Errors:
/// those of analysis::SiteMapping::map().
[[nodiscard]] Result<Correspondence> correspond(const OpenReports& open, std::size_t index);

/// An open report in the list of them.
struct ReportRow {
  QString name;
  QString path;
  QString model;
  QString runs;
  QString inputs;  ///< whether its reference is that of the first report
  bool isFirst = false;
  bool sharesReference = false;
};

using ReportModel = RowTableModel<ReportRow>;
[[nodiscard]] std::vector<Column<ReportRow>> reportColumns();
[[nodiscard]] ReportModel::Rows reportRows(const OpenReports& open);

using TensorListModel = RowTableModel<analysis::SiteShape>;
[[nodiscard]] std::vector<Column<analysis::SiteShape>> tensorListColumns();

/// A rule or a pair of a mapping, as the list shows it.
struct MappingRow {
  bool isRule = false;
  std::size_t rule = 0;  ///< its place among the rules
  QString name;          ///< the regular expression, or the name that is paired
  QString readsAs;
};

using MappingModel = RowTableModel<MappingRow>;
[[nodiscard]] std::vector<Column<MappingRow>> mappingColumns();
[[nodiscard]] MappingModel::Rows mappingRows(const analysis::SiteMapping& mapping);
/// The mapping without one of its rows.
[[nodiscard]] analysis::SiteMapping without(const analysis::SiteMapping& mapping,
                                            const MappingRow& row);
/// The mapping with more pairs: names of the other report and how they read.
[[nodiscard]] analysis::SiteMapping withPairs(
    const analysis::SiteMapping& mapping,
    const std::vector<std::pair<std::string, std::string>>& pairs);

/// "1,402 tensors correspond, 3 differ in shape, 12 are only in first, 14 only in second."
[[nodiscard]] QString correspondenceText(const Correspondence& found,
                                         const QString& first,
                                         const QString& other);

}  // namespace ulp::views
