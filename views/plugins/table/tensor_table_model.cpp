#include "views/plugins/table/tensor_table_model.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ulp::views {

std::vector<Column<TensorRow>> TensorTableModel::makeColumns() const {
  if (!m_document) {
    return {};
  }
  const auto columns = tensorColumns(*m_document, m_metric, m_noise, m_verdicts);
  return {columns.begin(), columns.end()};
}

void TensorTableModel::setDocument(const DocumentPtr& document) {
  // Columns of the document before must not outlive it.
  const DocumentPtr before = std::exchange(m_document, document);
  m_noise = {};
  m_verdicts = nullptr;
  m_metric = -1;
  setContent(makeColumns(), std::make_shared<const std::vector<TensorRow>>());
}

void TensorTableModel::setRows(std::vector<TensorRow> rows) {
  // Resets: another row stands where the selected one was.
  setContent(columns(), std::make_shared<const std::vector<TensorRow>>(std::move(rows)));
}

void TensorTableModel::setMetric(int metric, const NoiseRuns& noise) {
  if (metric != m_metric || noise != m_noise) {
    m_metric = metric;
    m_noise = noise;
    setColumns(makeColumns());
  }
}

void TensorTableModel::setVerdicts(const RuleVerdictsPtr& verdicts) {
  if (verdicts != m_verdicts && m_document) {
    m_verdicts = verdicts;
    setColumns(makeColumns());
  }
}

int TensorTableModel::find(int variant, int site) const {
  const auto found = std::ranges::find_if(
      *rows(), [&](const TensorRow& row) { return row.variant == variant && row.site == site; });
  return found == rows()->end() ? -1 : static_cast<int>(found - rows()->begin());
}

report::DataTable tensorTable(const ReportDocument& document,
                              const std::vector<TensorRow>& rows,
                              const std::vector<int>& columns,
                              const QString& title,
                              int metric,
                              const RuleVerdictsPtr& verdicts) {
  const std::vector<TensorTableColumn> all = tensorColumns(document, metric, {}, verdicts);
  report::DataTable table{.title = title.toStdString()};
  for (const int column : columns) {
    const MetricInfo& info = all.at(static_cast<std::size_t>(column)).info;
    table.columns.push_back({info.label.toStdString(), unitText(info.unit).toStdString(), ""});
  }
  table.rows.reserve(rows.size());
  for (const TensorRow& row : rows) {
    std::vector<report::DataCell>& cells = table.rows.emplace_back();
    cells.reserve(columns.size());
    for (const int column : columns) {
      cells.push_back(all[static_cast<std::size_t>(column)].exported(row));
    }
  }
  return table;
}

}  // namespace ulp::views
