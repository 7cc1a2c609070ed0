#pragma once

#include <QtCore/QObject>

#include "views/charts/depth_chart/depth_chart.h"
#include "views/framework/view/view.h"

namespace ulp::views::charts {

/// Ties a depth chart to the selection of the window: what is picked in it is selected, what is
/// selected is marked in it, and the crosshair goes through all linked charts.
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

}  // namespace ulp::views::charts
