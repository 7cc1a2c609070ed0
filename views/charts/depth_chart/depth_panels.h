#pragma once

#include <vector>

#include "views/charts/depth/depth_exhibit.h"
#include "views/charts/plot/chart_widget.h"

namespace ulp::views::charts {

/// Columns of the grid for `count` panels in `size`, each wide rather than high.
[[nodiscard]] int panelColumns(int count, const QSizeF& size);
/// One panel for each visible variant, as the widget below shows them, on any painter.
void paintDepthPanels(QPainter& painter,
                      const QRectF& area,
                      const DepthPicture& picture,
                      const Theme& theme);

/// One panel for each visible variant, all on the same axes: small multiples of a depth chart.
/// Places are a slot and a curve.
/// Mouse: hover reads in all panels, click picks. Keys: arrows walk rows and variants, Home and End
/// jump, Return goes deeper.
class DepthPanels : public ChartWidget {
  Q_OBJECT

 public:
  explicit DepthPanels(QWidget* parent = nullptr);

  void setPicture(DepthPicture picture);
  /// As DepthChart::setCurrent().
  void setCurrent(int slot, int curve, const QString& inSlot = {});
  void setHoveredSlot(int slot);

  /// Panels in reading order, as indices of curves.
  [[nodiscard]] const std::vector<int>& curves() const { return m_curves; }
  [[nodiscard]] QRectF panelRect(int panel) const;
  /// The selected row in the panel of the selected variant; empty: there is none.
  [[nodiscard]] QRect currentRect() const;

 protected:
  void paintStill(QImage& picture) override;
  void paintMoving(QPainter& painter) override;
  void hoverAt(const QPointF& point) override;
  void clickAt(const QPointF& point) override;
  bool walk(const ChartStep& step) override;

 private:
  [[nodiscard]] int panelAt(const QPointF& point) const;
  [[nodiscard]] int slotAt(int panel, const QPointF& point) const;
  [[nodiscard]] DepthFrame frameOf(int panel) const;
  void paintHovered(QPainter& painter, int panel) const;

  DepthPicture m_picture;
  DepthScale m_scale;
  std::vector<int> m_curves;
  int m_hoveredSlot = -1;
  int m_hoveredPanel = -1;
};

}  // namespace ulp::views::charts
