#pragma once

#include <QtCore/QObject>

#include "views/charts/raster/raster_widget.h"
#include "views/framework/view/view.h"
#include "views/plugins/heatmap/heatmap_content.h"

namespace ulp::views {

/// Ties a heatmap to the selection of the window: what is picked in it is selected, what is
/// selected is marked in it, and what is hovered is hovered everywhere.
class HeatmapLink : public QObject {
  Q_OBJECT

 public:
  HeatmapLink(charts::RasterWidget& raster, const ViewContext& context);

  /// Null: nothing is shown.
  void setHeatmap(const HeatmapPtr& heatmap, const DocumentPtr& document);
  void showSelection(const Selection& selection);
  /// Column of the current tensor; -1: not on the axis.
  [[nodiscard]] int currentColumn() const { return m_raster.current().column; }

 private:
  void onPicked(int row, int column);
  void onHovered(int row, int column);
  void onHoverChanged(const Hover& hover);
  /// Of a tensor of a variant. Row -1: any; both -1: not shown.
  [[nodiscard]] charts::RasterCell cellOf(const QString& run, const QString& site, Pass pass) const;
  [[nodiscard]] charts::RasterCell moduleCell(int site) const;
  [[nodiscard]] int rowOfPart(const QString& label) const;

  charts::RasterWidget& m_raster;
  SelectionContext& m_selection;
  HeatmapPtr m_heatmap;
  DocumentPtr m_document;
  QString m_part;  ///< label of the current token or head
  bool m_isHovering = false;
};

/// What a raster shows of a heatmap: tensors, and rows by what they are.
[[nodiscard]] Viewpoint viewpointOf(const charts::RasterWidget& raster, const Heatmap& heatmap);
/// The same part of another heatmap, as far as it has such tensors and rows.
void showViewpoint(charts::RasterWidget& raster,
                   const Heatmap& heatmap,
                   const Viewpoint& viewpoint);

}  // namespace ulp::views
