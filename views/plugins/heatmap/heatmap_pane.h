#pragma once

#include <vector>

#include <QtWidgets/QWidget>

#include "views/charts/raster/color_viewpoint.h"
#include "views/framework/view/view.h"
#include "views/plugins/heatmap/heatmap_content.h"

namespace ulp::views::charts {
class RangeControl;
class RasterWidget;
}  // namespace ulp::views::charts

namespace ulp::views {

/// Shows a heatmap: its rows in the order that was asked for, its colours over a range that fits
/// its values until the user chooses one. Tied to the selection of the window: what is picked in it
/// is selected, what is selected is marked in it, and what is hovered is hovered everywhere.
class HeatmapPane : public QWidget {
  Q_OBJECT

 public:
  explicit HeatmapPane(const ViewContext& context, QWidget* parent = nullptr);

  /// Shows a heatmap that has rows and columns, given in the order of execution.
  void setHeatmap(Heatmap heatmap, const DocumentPtr& document, const Selection& selection);
  /// Shows nothing.
  void clear();
  /// Forgets which range the user chose: another report has other values.
  void forgetRange();
  void setSelection(const Selection& selection);
  /// Moves the selected tensor into sight. False: it is not among the columns.
  bool bringIntoSight();
  /// Where it is marked, in the raster; empty: nowhere that can be seen.
  [[nodiscard]] QRect markedArea() const;
  /// Index of the tensor that is marked: the selected one, or its layer; -1: none.
  [[nodiscard]] int markedSite() const;
  void setRowOrder(RowOrder order);
  void setColorMap(charts::ColorMap map);

  /// What is shown; null: nothing.
  [[nodiscard]] const HeatmapPtr& heatmap() const { return m_heatmap; }
  [[nodiscard]] RowOrder rowOrder() const { return m_order; }
  [[nodiscard]] charts::ColorMap colorMap() const { return m_map; }
  [[nodiscard]] charts::RasterWidget& raster() { return *m_raster; }
  [[nodiscard]] charts::RangeControl& range() const { return *m_range; }
  [[nodiscard]] std::vector<Exhibit> exhibits() const;

  /// Do what those of View do.
  [[nodiscard]] Viewpoint viewpoint() const;
  void follow(const Viewpoint& viewpoint);
  void shareExtents(const std::vector<AxisExtent>& extents);

 Q_SIGNALS:
  void viewpointChanged();
  void contentReplaced();

 private:
  void onPicked(int row, int column);
  void onHovered(int row, int column);
  void onHoverChanged(const Hover& hover);
  /// Of a tensor of a variant. Row -1: any; both -1: not shown.
  [[nodiscard]] charts::RasterCell cellOf(const QString& run, const QString& site, Pass pass) const;
  [[nodiscard]] charts::RasterCell moduleCell(int site) const;
  void markSelected();
  /// The cell of its layer; both -1: the columns have none of it.
  [[nodiscard]] charts::RasterCell layerCell() const;
  void showSorted();
  void fitUnlessChosen();
  void setRange(const charts::Range& range);
  void showColors();

  SelectionContext& m_window;
  DocumentPtr m_document;
  Selection m_selection;
  QString m_part;  ///< label of the current token or head
  bool m_isHovering = false;
  RowOrder m_order = RowOrder::Execution;
  charts::ColorMap m_map = charts::ColorMap::Cividis;
  QString m_rangeSubject;         ///< what the range was fitted to: metric and mode
  charts::SharedColors m_colors;  ///< of the heatmap
  HeatmapPtr m_base;              ///< in the order of execution
  HeatmapPtr m_heatmap;           ///< as it is shown
  charts::RasterWidget* m_raster;
  charts::RangeControl* m_range;
};

}  // namespace ulp::views
