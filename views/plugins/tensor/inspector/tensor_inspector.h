#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QtWidgets/QWidget>

#include "core/report/model/report.h"
#include "views/framework/exports/exhibit.h"
#include "views/framework/tables/row_table_model.h"
#include "views/plugins/tensor/inspector/distribution_plots.h"
#include "views/plugins/tensor/inspector/element_readout.h"

class QLabel;
class QTabWidget;
class QTableView;

namespace ulp::views {

class ThemeManager;

/// An element of large difference.
struct WorstElementRow {
  std::vector<std::int64_t> index;  ///< in the whole tensor
  double reference = 0;
  double variant = 0;
  double difference = 0;
  double ulp = 0;
};

using WorstElementModel = RowTableModel<WorstElementRow>;
using WorstElementRows = std::shared_ptr<const std::vector<WorstElementRow>>;

/// Returns the columns of the worst elements: where they are, A, B, their difference, in ULP.
[[nodiscard]] std::vector<Column<WorstElementRow>> worstElementColumns();

/// Beside the pictures: the element that is read, the worst ones, and how values are distributed.
class TensorInspector : public QWidget {
  Q_OBJECT

 public:
  explicit TensorInspector(const ThemeManager& themes, QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  /// Another pair. The worst elements of the report are shown until the exact ones are known.
  void setPair(const analysis::TensorPairPtr& pair,
               const report::Comparison* comparison,
               const PairNames& names);
  /// Null: being computed.
  void setStatistics(const analysis::PairStatisticsPtr& statistics);
  void setProfiles(const Profile& row, const Profile& column);
  [[nodiscard]] ElementReadout& readout() const { return *m_readout; }
  [[nodiscard]] QTableView& worstTable() const { return *m_worstTable; }
  [[nodiscard]] QTabWidget& tabs() const { return *m_tabs; }
  [[nodiscard]] std::vector<Exhibit> exhibits() const;

 Q_SIGNALS:
  /// Show this element.
  void elementPicked(const std::vector<std::int64_t>& index);

 private:
  void makeWorst();
  void showWorst(const WorstElementRows& rows, const QString& title);
  /// A plot of a pair as it is where both tensors are one.
  [[nodiscard]] Plot ofShown(Plot plot) const;
  void updateCharts();
  void showPlot(PaintedChart& chart, const Plot& plot);
  void showDensity(const analysis::PairStatisticsPtr& statistics);
  [[nodiscard]] Exhibit exhibitOf(const QString& id,
                                  const PaintedChart& chart,
                                  std::function<report::DataTable()> table) const;

  analysis::TensorPairPtr m_pair;
  analysis::PairStatisticsPtr m_statistics;
  PairNames m_names;
  Profile m_rowProfile;
  Profile m_columnProfile;
  ElementReadout* m_readout;
  QTabWidget* m_tabs;
  QLabel* m_worstTitle;
  WorstElementModel* m_worst;
  QTableView* m_worstTable;
  PaintedChart* m_histogram;
  PaintedChart* m_density;
  PaintedChart* m_exponents;
  PaintedChart* m_row;
  PaintedChart* m_column;
};

}  // namespace ulp::views
