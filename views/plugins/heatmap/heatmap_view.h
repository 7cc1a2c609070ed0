#pragma once

#include <optional>

#include <QtCore/QElapsedTimer>

#include "views/charts/raster/color_scale.h"
#include "views/framework/view/view.h"
#include "views/plugins/heatmap/heatmap_content.h"
#include "views/plugins/heatmap/heatmap_data.h"

class QActionGroup;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace ulp::views::charts {
class RangeControl;
class RasterWidget;
}  // namespace ulp::views::charts

namespace ulp::views {

class EmptyState;
class HeatmapLink;
class PartErrorsLoader;

/// Errors as colours: variants, modules, tokens, heads, samples, steps or ranks against the layers
/// of the model.
class HeatmapView : public View {
  Q_OBJECT

 public:
  static constexpr int kDrillLevel = 2;

  explicit HeatmapView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QList<QAction*> viewActions() const override;
  [[nodiscard]] QList<QWidget*> titleControls() const override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] QJsonObject saveState() const override;
  void restoreState(const QJsonObject& state) override;
  [[nodiscard]] Viewpoint viewpoint() const override;
  void follow(const Viewpoint& viewpoint) override;
  void shareExtents(const std::vector<AxisExtent>& extents) override;

  void setMode(HeatmapMode mode);
  void setRowOrder(RowOrder order);
  [[nodiscard]] HeatmapMode mode() const { return m_mode; }
  /// What is shown; null: nothing.
  [[nodiscard]] const HeatmapPtr& heatmap() const { return m_heatmap; }
  [[nodiscard]] charts::RasterWidget& raster() { return *m_raster; }
  [[nodiscard]] charts::RangeControl& range() { return *m_range; }
  [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
  /// Nothing is being made in the background.
  [[nodiscard]] bool isSettled() const;

 private:
  void makeActions();
  void makeMenus();
  void makePage();
  void connectParts();
  void applyMode(HeatmapMode mode);
  void fillModes();
  void fillKinds();
  void fillUnits();
  void rebuild();
  void rebuildFromReport();
  void rebuildFromTensors();
  void rebuildFromSamples();
  void showNoSamples(const Error& error);
  void showNoUnits();
  void onPartsProgressed();
  void showPartsState();
  [[nodiscard]] QString partsText() const;
  void showEmpty(const QString& title, const QString& text);
  void showNoParts();
  void showNoHeads();
  void offerAllPasses();
  void offerSetting();
  void take(Heatmap heatmap);
  void showSorted();
  void setRange(const charts::Range& range);
  void showColors();
  void fitUnlessChosen();
  [[nodiscard]] int currentVariant() const;
  [[nodiscard]] bool hasParts() const {
    return m_mode == HeatmapMode::Tokens || m_mode == HeatmapMode::Heads;
  }

  DocumentPtr m_document;
  Selection m_selection;
  HeatmapMode m_mode = HeatmapMode::Variants;
  RowOrder m_order = RowOrder::Execution;
  charts::ColorMap m_map = charts::ColorMap::Cividis;
  QString m_kind;       ///< rows or modules that the columns stand for
  QString m_unit;       ///< id of a UnitFilter, in modes Steps and Ranks
  bool m_stale = true;  ///< the picture is of another report or selection
  bool m_rangeIsChosen = false;
  QString m_rangeOf;                         ///< what the range was fitted to: metric and mode
  charts::ColorScale m_fitted;               ///< to the values of this view
  std::optional<charts::Range> m_sharedFit;  ///< to those of all views that are linked
  std::shared_ptr<const Heatmap> m_base;     ///< in the order of execution
  HeatmapPtr m_heatmap;                      ///< as it is shown
  charts::DepthAxis m_partAxis;
  bool m_partsAreShown = false;  ///< those of the last request
  QElapsedTimer m_partsTime;     ///< since they were shown
  charts::RasterWidget* m_raster;
  charts::RangeControl* m_range;
  HeatmapLink* m_link;
  PartErrorsLoader* m_loader;
  QComboBox* m_modes;
  QComboBox* m_kinds;
  QComboBox* m_units;
  QToolButton* m_orderButton;
  QToolButton* m_mapButton;
  QActionGroup* m_orders;
  QActionGroup* m_maps;
  QAction* m_everything = nullptr;
  QLabel* m_progress;
  QPushButton* m_stop;
  QWidget* m_progressRow;
  EmptyState* m_empty;
  QWidget* m_page;
  QStackedLayout* m_pages;
};

}  // namespace ulp::views
