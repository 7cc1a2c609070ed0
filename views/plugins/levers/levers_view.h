#pragma once

#include <memory>

#include "core/analysis/studies/lever_effects.h"
#include "views/framework/view/view.h"
#include "views/plugins/levers/effect_rows.h"

class QLabel;
class QScrollArea;
class QSplitter;
class QTableView;

namespace ulp::views {

class NanLastProxy;
class ParallelChart;

/// Which setting pays: the variants as lines over their settings and errors, and what each setting
/// changes when it alone is moved.
class LeversView : public View {
  Q_OBJECT

 public:
  explicit LeversView(const ViewContext& context, QWidget* parent = nullptr);
  ~LeversView() override;
  LeversView(const LeversView&) = delete;
  LeversView& operator=(const LeversView&) = delete;

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;

 protected:
  Sight bringIntoSight() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makePage();
  void compute();
  void showTable();
  void showChart();
  void showRun();
  void onPicked(int picked, int axis);
  void onHovered(int hovered, int axis);
  void onBrushed();
  void onEffectChosen(const QModelIndex& index);

  DocumentPtr m_document;
  Selection m_selection;
  QString m_shownMetric;
  std::shared_ptr<const analysis::LeverTable> m_levers;
  int m_axis = -1;  ///< that the keys stand on
  EffectModel* m_model;
  NanLastProxy* m_proxy;
  QTableView* m_table;
  QLabel* m_headline;
  QLabel* m_count;
  ParallelChart* m_chart;
  QScrollArea* m_scroll;
  QSplitter* m_split;
  QAction* m_oneScale;
  QAction* m_clear;
};

}  // namespace ulp::views
