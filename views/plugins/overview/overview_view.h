#pragma once

#include "views/framework/view/view.h"
#include "views/plugins/overview/overview_model.h"
#include "views/plugins/overview/verdict_rows.h"

class QLabel;
class QSplitter;
class QTableView;

namespace ulp::views {

namespace charts {
class DepthChart;
class DepthLink;
}  // namespace charts

class NanLastProxy;
class ReportRules;

/// The answer in one line for each run, whose parts lead to their places; below it one row a run,
/// one column a part of the pass, and the curves of the layers: where precision is lost, at a
/// glance.
class OverviewView : public View {
  Q_OBJECT

 public:
  static constexpr int kDrillLevel = 1;

  explicit OverviewView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  /// Of a module, at its layer in the chart.
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;

 protected:
  Sight bringIntoSight() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makePage();
  void rebuild();
  void rebuildChart();
  /// Judges the runs in the background, once their findings are known.
  void judge();
  void showVerdicts(Verdicts verdicts);
  void showVerdictPlace(const QModelIndex& index);
  /// As many lines as there are, at most a third of the page.
  void fitVerdicts();
  void shortenVerdicts();
  void shareHeight();
  void showHeadline();
  /// What the rules say that are asked of the report, in a line that leads to them.
  void showRules();
  void showSelection();
  void showSelectedVerdict();
  /// Whether the current cell of the table is one of the selected tensor.
  [[nodiscard]] bool isCellOfPlace() const;
  void onCurrentChanged(const QModelIndex& index);

  DocumentPtr m_document;
  Selection m_selection;
  QString m_shownMetric;
  QString m_shownNoise;
  PassFilter m_shownPasses = PassFilter::ForwardBackward;
  std::vector<VerdictColumn> m_verdictColumns;
  VerdictModel* m_verdictModel;
  QTableView* m_verdicts;
  OverviewModel* m_model;
  NanLastProxy* m_proxy;
  QTableView* m_table;
  QLabel* m_headline;
  ReportRules& m_rules;
  QLabel* m_rulesLine;
  QString m_tableHeadline;    ///< what has to be said of the table
  QString m_verdictHeadline;  ///< of several reports
  charts::DepthChart* m_chart;
  charts::DepthLink* m_link;
  QSplitter* m_split;
  bool m_isFollowing = false;  ///< the table is being set to the selection
};

}  // namespace ulp::views
