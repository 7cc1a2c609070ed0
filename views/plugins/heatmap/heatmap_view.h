#pragma once

#include "views/framework/view/view.h"
#include "views/plugins/heatmap/heatmap_pane.h"

class QActionGroup;
class QComboBox;
class QToolButton;

namespace ulp::views {

class HeatmapParts;
struct HeatmapGap;

/// Errors as colours: variants, modules, tokens, heads, samples, steps, ranks or positions against
/// the layers of the model. Chooses what is shown; HeatmapPane shows it.
class HeatmapView : public View {
  Q_OBJECT

 public:
  static constexpr int kDrillLevel = 2;

  explicit HeatmapView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QList<QWidget*> titleControls() const override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override { return m_pane->exhibits(); }
  [[nodiscard]] QJsonObject saveState() const override;
  void restoreState(const QJsonObject& state) override;
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;
  [[nodiscard]] Viewpoint viewpoint() const override { return m_pane->viewpoint(); }
  void follow(const Viewpoint& viewpoint) override { m_pane->follow(viewpoint); }
  void shareExtents(const std::vector<AxisExtent>& extents) override {
    m_pane->shareExtents(extents);
  }

  void setMode(HeatmapMode mode);
  void setRowOrder(RowOrder order);
  [[nodiscard]] HeatmapMode mode() const { return m_mode; }
  /// What is shown; null: nothing.
  [[nodiscard]] const HeatmapPtr& heatmap() const { return m_pane->heatmap(); }
  /// Nothing is being made in the background.
  [[nodiscard]] bool isSettled() const;

 protected:
  Sight bringIntoSight() override;

 private:
  [[nodiscard]] double spikeThreshold() const;
  void makeLists();
  void makeMenus();
  void makePage();
  void applyMode(HeatmapMode mode);
  void setKind(const QString& kind);
  /// Changes to the rows, or else to the mode, in which a site has a place. False: it has none.
  bool changeToShow(const Site& site);
  void fillModes();
  void fillKinds();
  void fillUnits();
  void rebuild();
  void rebuildFromReport();
  /// Shows what was made, or that the report has nothing of this kind.
  void showHeatmap(Heatmap heatmap);
  void showGap(const HeatmapGap& gap);
  [[nodiscard]] HeatmapGap noUnits();
  /// Why the mode Positions shows nothing; nothing: it shows something.
  [[nodiscard]] std::optional<HeatmapGap> noPositions();

  DocumentPtr m_document;
  Selection m_selection;
  HeatmapMode m_mode = HeatmapMode::Variants;
  QString m_kind;       ///< rows or modules that the columns stand for
  QString m_unit;       ///< id of a UnitFilter, in modes Steps and Ranks
  bool m_stale = true;  ///< the picture is of another report or selection
  HeatmapPane* m_pane;
  HeatmapParts* m_parts;
  QComboBox* m_modes;
  QComboBox* m_kinds;
  QComboBox* m_units;
  QToolButton* m_orderButton;
  QToolButton* m_mapButton;
  QActionGroup* m_orders;
  QActionGroup* m_maps;
  double m_spikeFactor;  ///< from which on spikes are marked
};

}  // namespace ulp::views
