#pragma once

#include <vector>

#include <QtGui/QPixmap>
#include <QtWidgets/QWidget>

#include "views/charts/depth_chart/depth_chart.h"
#include "views/framework/exports/exhibit.h"

namespace ulp::views::charts {

/// All that a picture of a depth chart is made of.
struct DepthPicture {
  DepthData data;
  DepthOptions options;
  Viewport viewport;
  DepthScale scale;
};
[[nodiscard]] DepthPicture pictureOf(const DepthChart& chart);

/// A depth chart on any painter, in `area`, as the widget shows it (depth_exhibit.h).
void paintDepth(QPainter& painter,
                const QRectF& area,
                const DepthPicture& picture,
                const Theme& theme);

/// How an exhibit of a picture is painted.
using PaintPicture = void (*)(QPainter& painter,
                              const QRectF& area,
                              const DepthPicture& picture,
                              const Theme& theme);
/// The chart as it is now.
[[nodiscard]] Exhibit depthExhibit(const DepthChart& chart, PaintPicture paint = paintDepth);

/// Columns of the grid for `count` panels in `size`, each wide rather than high.
[[nodiscard]] int panelColumns(int count, const QSizeF& size);
/// One panel for each visible variant, as the widget below shows them, on any painter.
void paintDepthPanels(QPainter& painter,
                      const QRectF& area,
                      const DepthPicture& picture,
                      const Theme& theme);

/// One panel for each visible variant, all on the same axes: small multiples of a depth chart.
/// Mouse: hover reads in all panels, click picks; arrow keys walk rows and variants.
class DepthPanels : public QWidget {
  Q_OBJECT

 public:
  explicit DepthPanels(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  void setPicture(DepthPicture picture);
  void setCurrent(int slot, int curve);
  void setHoveredSlot(int slot);

  /// Panels in reading order, as indices of curves.
  [[nodiscard]] const std::vector<int>& curves() const { return m_curves; }
  [[nodiscard]] QRectF panelRect(int panel) const;

 Q_SIGNALS:
  void picked(int slot, int curve);
  void hovered(int slot, int curve);
  void activated();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] int panelAt(const QPointF& point) const;
  [[nodiscard]] int slotAt(int panel, const QPointF& point) const;
  void paintHovered(QPainter& painter, int panel) const;
  void redraw();

  Theme m_theme;
  DepthPicture m_picture;
  std::vector<int> m_curves;
  int m_hoveredSlot = -1;
  int m_hoveredPanel = -1;
  QPixmap m_still;
  bool m_stillIsStale = true;
};

}  // namespace ulp::views::charts
