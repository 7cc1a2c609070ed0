#pragma once

#include <optional>
#include <vector>

#include "views/charts/depth/depth_exhibit.h"
#include "views/charts/depth/depth_raster.h"
#include "views/charts/plot/chart_widget.h"
#include "views/framework/widgets/accessible_chart.h"

namespace ulp::views::charts {

/// Error by depth. What is drawn is computed when it is next painted or asked for, however often it
/// was changed before. Places are a slot and a curve; a click picks the variant nearest to the
/// cursor (-1: none there).
///
/// Mouse: hover reads values, click picks, drag zooms, Shift-drag pans, wheel zooms along the depth
/// axis at the cursor (with Ctrl along the other one), double click shows everything.
/// Keys: arrows walk rows and variants, Home and End jump, + and - zoom, 0 shows everything, X pins
/// a second cursor, Return goes deeper.
class DepthChart : public ZoomedChart, public AccessibleChart {
  Q_OBJECT

 public:
  explicit DepthChart(QWidget* parent = nullptr);

  /// Keeps the zoom when the axis has the same rows.
  void setData(DepthData data);
  /// Sets all options at once; `visible` may be shorter than there are curves: the others are
  /// shown. Neither announces another selected row nor emits pinChanged().
  void setOptions(DepthOptions options);
  /// Draws what single samples of a curve's variant gave behind it; -1: none.
  void setSamples(int curve, std::vector<SampleCurve> samples);
  /// The second cursor, beside which the read-out shows ratios; -1: none.
  void setPinnedSlot(int slot);
  /// Pins where the crosshair is, or the selected row; takes the pin away if it is there already.
  void togglePin();
  /// The selected row and variant; -1: not on this axis. `inSlot`: what is selected of a layer that
  /// is drawn in its place; empty: the row itself.
  void setCurrent(int slot, int curve, const QString& inSlot = {});
  /// Moves a row and the value of a curve (-1: any) into sight, and zooms in where rows are too
  /// narrow to be told apart. Returns whether it had to zoom in.
  bool bringIntoSight(int slot, int curve);
  /// Whether a row can be seen, and the value of a curve there if it has one; -1: any.
  [[nodiscard]] bool isInSight(int slot, int curve) const;
  /// The crosshair, also from another chart; -1: none.
  void setHoveredSlot(int slot);
  /// What the vertical axis reaches over at least, so that several charts can share a scale.
  void setLeastExtent(const std::optional<Range>& y);

  [[nodiscard]] const DepthData& data() const { return m_data; }
  [[nodiscard]] const DepthOptions& options() const { return m_options; }
  [[nodiscard]] DepthPicture picture() const { return {m_data, m_options, m_viewport}; }
  /// The chart as it is now, on its background.
  [[nodiscard]] Exhibit exhibit(PaintPicture paint = paintDepth) const;
  [[nodiscard]] const DepthFrame& frame() const;
  [[nodiscard]] int hoveredSlot() const { return m_hoveredSlot; }
  /// What the visible curves need of the vertical axis.
  [[nodiscard]] const Range& extent() const { return m_extent; }
  [[nodiscard]] QSize sizeHint() const override { return {256, 192}; }
  [[nodiscard]] QRect pointRect(int point) const override;

 Q_SIGNALS:
  void pinChanged(int slot);
  /// The name of a curve at its end was clicked.
  void labelClicked(int curve);

 protected:
  [[nodiscard]] QString chartSummary() const override;
  [[nodiscard]] int pointCount() const override { return m_data.axis.size(); }
  [[nodiscard]] int currentPoint() const override { return m_options.currentSlot; }
  [[nodiscard]] QString pointName(int point) const override;
  [[nodiscard]] QString pointValue(int point) const override;

  void layOut() override;
  void paintStill(QImage& picture) override;
  void paintHover(QPainter& painter) override;
  void hoverAt(const QPointF& point) override;
  void clickAt(const QPointF& point) override;
  bool walk(const ChartStep& step) override;
  bool press(int key) override;
  [[nodiscard]] QRectF plotArea() const override { return frame().map.plot; }
  [[nodiscard]] QPointF keyAnchor() const override { return QPointF(m_options.currentSlot, 0); }

 private:
  void refit();
  /// Where a curve is at a row, on the vertical axis; NaN: nowhere, or curve -1.
  [[nodiscard]] double positionAt(int slot, int curve) const;
  [[nodiscard]] DepthDrawing drawing() const { return {frame(), m_data, m_options, theme()}; }
  [[nodiscard]] int slotAt(const QPointF& point) const;
  /// Of the visible curves at a slot, the one nearest to a point; -1: none.
  [[nodiscard]] int curveAt(int slot, const QPointF& point) const;
  /// Picks the next visible curve, or the one before.
  void stepCurve(int direction);

  DepthData m_data;
  DepthOptions m_options;
  DepthScale m_scale;
  Range m_extent;                      ///< of the visible curves
  std::optional<Range> m_leastExtent;  ///< of the vertical axis
  mutable DepthFrame m_frame;          ///< computed by frame()
  mutable bool m_frameIsStale = true;
  int m_hoveredSlot = -1;
  DepthRaster m_raster;
};

}  // namespace ulp::views::charts
