#pragma once

#include <QtCore/QObject>

#include "views/charts/depth_chart/depth_chart.h"
#include "views/framework/view/view.h"
#include "views/framework/view/viewpoint.h"

namespace ulp::views::charts {

/// Ties a depth chart to the selection of the window: what is picked in it is selected, what is
/// selected is marked in it, at its layer where it is not drawn, and the crosshair goes through all
/// linked charts.
class DepthLink : public QObject {
  Q_OBJECT

 public:
  DepthLink(DepthChart& chart, const ViewContext& context);

  /// The report that the chart's data come from.
  void setDocument(const DocumentPtr& document) { m_document = document; }
  void showSelection(const Selection& selection);

 private:
  void onPicked(int slot, int curve);
  void onHovered(int slot, int curve);
  void onHoverChanged(const Hover& hover);

  DepthChart& m_chart;
  SelectionContext& m_selection;
  DocumentPtr m_document;
};

/// The positions of a depth axis, which must outlive the result.
[[nodiscard]] NamedAxis namesOf(const DepthAxis& axis);

/// What a depth chart shows: its tensors, its values under `values`, which says what they are, and
/// the second cursor.
[[nodiscard]] Viewpoint viewpointOf(const DepthChart& chart, const QString& values);
/// Shows that part in another chart, as far as it has the tensors, and values of that name.
void showViewpoint(DepthChart& chart, const Viewpoint& viewpoint, const QString& values);
/// Lets the axis of values reach over the extent of that name; without one, over its own.
void showExtent(DepthChart& chart, const std::vector<AxisExtent>& extents, const QString& values);

}  // namespace ulp::views::charts
