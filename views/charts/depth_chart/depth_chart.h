#pragma once

#include <optional>
#include <vector>

#include <QtGui/QImage>
#include <QtWidgets/QAbstractScrollArea>

#include "views/charts/depth/depth_frame.h"
#include "views/charts/depth/depth_raster.h"
#include "views/charts/plot/viewport_gestures.h"
#include "views/framework/widgets/accessible_chart.h"

namespace ulp::views::charts {

/// Error by depth. What is drawn is computed when it is next painted or asked for, however often it
/// was changed before. The picture without the crosshair is kept, so that hovering repaints only
/// what moves.
///
/// Mouse: hover reads values, click picks, drag zooms, Shift-drag pans, wheel zooms along the depth
/// axis at the cursor (with Ctrl along the other one), double click shows everything.
/// Keys: arrows walk rows and variants, Home and End jump, + and - zoom, 0 shows everything, X pins
/// a second cursor, Return goes deeper.
class DepthChart : public QAbstractScrollArea, public AccessibleChart {
  Q_OBJECT

 public:
  explicit DepthChart(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  /// Keeps the zoom when the axis has the same rows.
  void setData(DepthData data);
  void setLogarithmic(bool logarithmic);
  /// Sets all options at once; `visible` may be shorter than there are curves: the others are
  /// shown. Neither announces another selected row nor emits pinChanged().
  void setOptions(DepthOptions options);
  /// Draws what single samples of a curve's variant gave behind it; -1: none.
  void setSamples(int curve, std::vector<SampleCurve> samples);
  /// The second cursor, beside which the read-out shows ratios; -1: none.
  void setPinnedSlot(int slot);
  /// Pins where the crosshair is, or the selected row; takes the pin away if it is there already.
  void togglePin();
  /// The selected row and variant; -1: not on this axis.
  void setCurrent(int slot, int curve);
  /// The crosshair, also from another chart; -1: none.
  void setHoveredSlot(int slot);
  void showEverything();

  [[nodiscard]] const DepthData& data() const { return m_data; }
  [[nodiscard]] const DepthOptions& options() const { return m_options; }
  [[nodiscard]] const DepthFrame& frame() const;
  [[nodiscard]] const Viewport& viewRange() const { return m_viewport; }
  [[nodiscard]] int hoveredSlot() const { return m_hoveredSlot; }
  /// For zoom that several charts share. Does not emit viewRangeChanged().
  void setViewRange(const Range& x, const Range& y);
  /// What the vertical axis reaches over at least, so that several charts can share a scale.
  void setLeastExtent(const std::optional<Range>& y);
  /// What the visible curves need of the vertical axis.
  [[nodiscard]] const Range& extent() const { return m_extent; }

  [[nodiscard]] QString chartSummary() const override;
  [[nodiscard]] int pointCount() const override { return m_data.axis.size(); }
  [[nodiscard]] int currentPoint() const override { return m_options.currentSlot; }
  [[nodiscard]] QString pointName(int point) const override;
  [[nodiscard]] QString pointValue(int point) const override;
  [[nodiscard]] QRect pointRect(int point) const override;

 Q_SIGNALS:
  /// -1, -1: the mouse left.
  void hovered(int slot, int curve);
  /// The user picked a row and the variant nearest to the cursor (-1: none there).
  void picked(int slot, int curve);
  void activated();
  void pinChanged(int slot);
  /// The user has zoomed or panned.
  void viewRangeChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void refit();
  /// Marks the kept picture stale and schedules a paint.
  void redraw();
  /// Redraws, and tells that the user has zoomed or panned.
  void zoomed();
  void paintStill();
  /// Returns the gesture handler, with its plot rectangle brought up to date.
  [[nodiscard]] ViewportGestures& gestures();
  [[nodiscard]] DepthDrawing drawing() const { return {frame(), m_data, m_options, m_theme}; }
  [[nodiscard]] int slotAt(const QPointF& point) const;
  /// Of the visible curves at a slot, the one nearest to a point; -1: none.
  [[nodiscard]] int curveAt(int slot, const QPointF& point) const;
  void hoverAt(const QPointF& point);
  /// Where values are read: under the mouse, or at the selection while a cursor is pinned.
  [[nodiscard]] int readSlot() const;
  void stepCurve(int direction);
  void stepSlot(int slot);

  Theme m_theme;
  DepthData m_data;
  DepthOptions m_options;
  DepthScale m_scale;
  Viewport m_viewport;
  ViewportGestures m_gestures{m_viewport, Upwards::Grows};
  Range m_extent;                      ///< of the visible curves
  std::optional<Range> m_leastExtent;  ///< of the vertical axis
  mutable DepthFrame m_frame;          ///< computed by frame()
  mutable bool m_frameIsStale = true;
  int m_hoveredSlot = -1;
  DepthRaster m_raster;
  QImage m_still;
  bool m_stillIsStale = true;
  bool m_showsFocus = false;  ///< reached by keyboard, so the ring is needed
};

}  // namespace ulp::views::charts
