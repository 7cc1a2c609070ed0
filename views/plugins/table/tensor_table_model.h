#pragma once

#include <vector>

#include <QtCore/QAbstractTableModel>

#include "core/report/tables/data_table.h"
#include "views/framework/document/noise_runs.h"
#include "views/plugins/table/sample_columns.h"

namespace ulp::views {

/// All comparisons of a report, one row each. A row is 8 bytes; texts are made when they are
/// painted. Which rows there are, and their order, is the work of queryTable().
class TensorTableModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  void setDocument(const DocumentPtr& document);
  void setRows(std::vector<TensorRow> rows);
  /// Values that are no worse than these variants' are dim.
  void setNoise(const NoiseRuns& noise);
  /// The metric that charts show, whose interval and noise floor have columns; -1: none.
  void setMetric(int metric);

  [[nodiscard]] const std::vector<TensorRow>& rows() const { return m_rows; }
  /// Row of a comparison, -1 when it is filtered out.
  [[nodiscard]] int find(int variant, int site) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section,
                                    Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] QVariant fixedData(const TensorRow& row, TensorColumn column, int role) const;
  [[nodiscard]] bool isNoise(const TensorRow& row, int metric) const;
  [[nodiscard]] QVariant metricData(const TensorRow& row, int metric, int role) const;
  [[nodiscard]] QVariant sampleData(const TensorRow& row, SampleColumn column, int role) const;

  DocumentPtr m_document;
  NoiseRuns m_noise;
  int m_metric = -1;
  std::vector<SampleColumn> m_sampleColumns;
  std::vector<TensorRow> m_rows;
};

/// The rows as data, with the named columns in that order; values in the units of their columns.
/// `metric`: the one that charts show. Reads only the document, so it may run on any thread.
[[nodiscard]] report::DataTable tensorTable(const ReportDocument& document,
                                            const std::vector<TensorRow>& rows,
                                            const std::vector<int>& columns,
                                            const QString& title,
                                            int metric = -1);

}  // namespace ulp::views
