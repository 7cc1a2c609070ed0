#pragma once

#include <cstdint>
#include <optional>

#include <QtCore/QPointF>
#include <QtCore/QRectF>

#include "views/charts/plot/viewport.h"

class QMouseEvent;
class QWheelEvent;

namespace ulp::views::charts {

/// Zoom and pan with mouse and keys, the same in every chart: drag zooms, along one axis alone
/// where it is flat; Shift-drag pans; the wheel zooms at the cursor, with Ctrl along the vertical
/// axis alone; + and - zoom; 0 and F show everything.
class ViewportGestures {
 public:
  enum class Effect : std::uint8_t { None, Zoomed, Clicked };
  /// What wheel and keys zoom unless Ctrl says otherwise.
  enum class Along : std::uint8_t { Horizontal, Both };

  /// `viewport` is changed by gestures and outlives them.
  ViewportGestures(Viewport& viewport, Upwards upwards)
      : m_viewport(viewport), m_upwards(upwards) {}

  /// Where the visible part lies in the widget, in pixels; empty: there is nothing to zoom.
  void setPlot(const QRectF& plot) { m_plot = plot; }

  /// False: not a button of a gesture, or nothing to zoom.
  bool press(const QMouseEvent& event);
  [[nodiscard]] bool isDragging() const { return m_drag.has_value(); }
  /// What is seen moves with the mouse.
  [[nodiscard]] bool isPanning() const { return m_drag && m_drag->pans && m_drag->moved; }
  Effect move(const QMouseEvent& event);
  /// Zoomed after a drag, Clicked where the mouse stayed in its place.
  Effect release(const QMouseEvent& event);
  /// False: not a double click that shows everything.
  bool doubleClick(const QMouseEvent& event);
  /// False: there is nothing to zoom.
  bool wheel(const QWheelEvent& event, Along along);
  /// Zooms around `anchor`, in axis units, or around the middle of what is seen where that is
  /// outside of it. False: not a key of a gesture, or nothing to zoom.
  bool key(int key, const QPointF& anchor, Along along);

  /// The part that is being chosen; nothing while no such drag goes on.
  [[nodiscard]] std::optional<QRectF> rubberBand() const;

 private:
  struct Drag {
    QPointF start;
    QPointF last;
    bool pans = false;
    bool moved = false;
  };

  [[nodiscard]] PlotMap map() const { return {m_plot, m_viewport.x(), m_viewport.y(), m_upwards}; }
  bool zoomTo(const QRectF& area);

  Viewport& m_viewport;
  Upwards m_upwards;
  QRectF m_plot;
  std::optional<Drag> m_drag;
};

}  // namespace ulp::views::charts
