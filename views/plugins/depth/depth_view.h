#pragma once

#include "views/charts/depth_chart/depth_chart.h"
#include "views/charts/depth_chart/depth_link.h"
#include "views/charts/depth_chart/depth_panels.h"
#include "views/charts/plot/variant_legend.h"
#include "views/framework/document/kept_tensors.h"
#include "views/framework/view/view.h"

class QComboBox;
class QScrollArea;

namespace ulp::views {

/// Error along the depth of the model, forward and backward on one folded axis.
class DepthView : public View {
  Q_OBJECT

 public:
  static constexpr int kDrillLevel = 2;

  explicit DepthView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QList<QWidget*> titleControls() const override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  void restoreState(const QJsonObject& state) override;
  /// Of a module that is not drawn, at its layer.
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;
  [[nodiscard]] Viewpoint viewpoint() const override;
  void follow(const Viewpoint& viewpoint) override;
  void shareExtents(const std::vector<AxisExtent>& extents) override;

  [[nodiscard]] charts::DepthChart& chart() { return *m_chart; }
  [[nodiscard]] charts::VariantLegend& legend() { return *m_legend; }
  [[nodiscard]] charts::DepthPanels& panels() { return *m_panels; }

 protected:
  Sight bringIntoSight() override;

 private:
  /// The switch sets an option of the chart.
  void bindOption(const QAction* toggle, bool charts::DepthOptions::*option);
  void makeActions();
  void makePage();
  void fillKinds();
  void setKind(const QString& kind);
  void rebuild();
  /// Shows the curves that are checked in the legend, and the legend where it is needed.
  void updateLegend();
  void updatePanels();
  void toggleNoise(const QString& variant);
  /// Curves of the samples of the selected variant, read in the background; cleared where they are
  /// not wanted.
  void updateSamples();
  void showSamples(const SampleValues& values);
  void connectPanels();
  void showSelection();
  /// What the values of the chart are; equal for charts that can share a scale.
  [[nodiscard]] QString valuesId() const;

  DocumentPtr m_document;
  Selection m_selection;
  bool m_stale = true;
  QString m_kind;
  charts::DepthChart* m_chart;
  charts::DepthLink* m_link;
  charts::DepthPanels* m_panels;
  QScrollArea* m_panelArea;
  charts::VariantLegend* m_legend;
  QComboBox* m_kinds;
  QAction* m_logarithmic = nullptr;
  QAction* m_legendShown = nullptr;
  QAction* m_guide = nullptr;
  QAction* m_multiples = nullptr;
  QAction* m_noise = nullptr;
  QAction* m_intervals = nullptr;
  QAction* m_samples = nullptr;
  std::optional<SampleValues> m_sampleValues;  ///< of this report
};

}  // namespace ulp::views
