#pragma once

#include <vector>

#include "views/plugins/table/tensor_columns.h"

namespace ulp::views {

/// All comparisons of a report, one row each. A row is 8 bytes; texts are made when they are
/// painted. Which rows there are, and their order, is the work of queryTable().
class TensorTableModel final : public RowTableModel<TensorRow> {
 public:
  using RowTableModel::RowTableModel;

  void setDocument(const DocumentPtr& document);
  /// Shows other rows, and resets: another row stands where the selected one was.
  void setRows(std::vector<TensorRow> rows);
  /// The metric that charts show, whose interval and noise floor have columns (-1: none). Values
  /// that are no worse than `noise` are dim.
  void setMetric(int metric, const NoiseRuns& noise = {});
  /// What rules say of the document; null: nothing.
  void setVerdicts(const RuleVerdictsPtr& verdicts);
  /// Row of a comparison, -1 when it is filtered out. Needs a call of setDocument() before.
  [[nodiscard]] int find(int variant, int site) const;

 private:
  [[nodiscard]] std::vector<Column<TensorRow>> makeColumns() const;

  DocumentPtr m_document;
  NoiseRuns m_noise;
  RuleVerdictsPtr m_verdicts;
  int m_metric = -1;
};

/// The rows as data, with the named columns in that order; values in the units of their columns.
/// `metric`: the one that charts show. Reads only document and verdicts, so it may run on any
/// thread.
[[nodiscard]] report::DataTable tensorTable(const ReportDocument& document,
                                            const std::vector<TensorRow>& rows,
                                            const std::vector<int>& columns,
                                            const QString& title,
                                            int metric = -1,
                                            const RuleVerdictsPtr& verdicts = {});

}  // namespace ulp::views
