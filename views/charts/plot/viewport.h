#pragma once

#include <cstdint>

#include <QtCore/QPointF>
#include <QtCore/QRectF>

namespace ulp::views::charts {

struct Range {
  double low = 0;
  double high = 1;

  [[nodiscard]] double span() const { return high - low; }
  [[nodiscard]] bool contains(double value) const { return value >= low && value <= high; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// What part of a chart is seen, in axis units. The same zoom and pan for every chart.
class Viewport {
 public:
  /// New data: a view of everything stays a view of everything; a zoomed one keeps its place as far
  /// as that exists.
  void setFull(const Range& x, const Range& y);
  /// A view is never narrower than this part of everything; 1e-4 unless told otherwise, for beyond
  /// it rounding would show.
  void setNarrowest(double partX, double partY);
  void reset();
  /// Narrows (factor < 1) or widens around a point that stays where it is.
  void zoomX(double factor, double anchor);
  void zoomY(double factor, double anchor);
  void zoomTo(const Range& x, const Range& y);
  /// By parts of the visible span.
  void pan(double partX, double partY);

  [[nodiscard]] const Range& x() const { return m_x; }
  [[nodiscard]] const Range& y() const { return m_y; }
  [[nodiscard]] const Range& fullX() const { return m_fullX; }
  [[nodiscard]] const Range& fullY() const { return m_fullY; }
  [[nodiscard]] bool isZoomed() const { return m_x != m_fullX || m_y != m_fullY; }
  friend bool operator==(const Viewport&, const Viewport&) = default;

 private:
  Range m_fullX;
  Range m_fullY;
  Range m_x;
  Range m_y;
  double m_narrowestX = 1e-4;
  double m_narrowestY = 1e-4;
};

/// What vertical values do upwards on the screen: grow as on an axis, or shrink as the numbers of
/// rows.
enum class Upwards : std::uint8_t { Grows, Shrinks };

/// Axis units to pixels and back.
struct PlotMap {
  QRectF plot;
  Range x;
  Range y;
  Upwards upwards = Upwards::Grows;

  [[nodiscard]] double pixelX(double value) const {
    return plot.left() + (value - x.low) / x.span() * plot.width();
  }
  [[nodiscard]] double pixelY(double value) const {
    const double fromLow = (value - y.low) / y.span() * plot.height();
    return upwards == Upwards::Grows ? plot.bottom() - fromLow : plot.top() + fromLow;
  }
  [[nodiscard]] double valueX(double pixel) const {
    return x.low + (pixel - plot.left()) / plot.width() * x.span();
  }
  [[nodiscard]] double valueY(double pixel) const {
    const double fromLow = upwards == Upwards::Grows ? plot.bottom() - pixel : pixel - plot.top();
    return y.low + fromLow / plot.height() * y.span();
  }
};

}  // namespace ulp::views::charts
