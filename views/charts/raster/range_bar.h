#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <QtWidgets/QWidget>

#include "views/charts/raster/color_scale.h"

namespace ulp::views::charts {

/// Histogram of values over a colour scale with two ends that can be dragged.
/// Mouse: drag an end, or the range between them; double click asks for the fitted range.
/// Keys: left and right move the active end (with Shift by more), up and down choose the end,
/// Home and End move it to the smallest and the largest value.
class RangeBar : public QWidget {
  Q_OBJECT

 public:
  enum class End : std::uint8_t { Low, High };

  explicit RangeBar(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  void setDistribution(const ValueDistribution& distribution);
  void setScale(const ColorScale& scale);
  /// Labels show values times `factor`, 100 for percentages; `text` writes one value in full.
  void setUnit(double factor, std::function<QString(double)> text);

  [[nodiscard]] const ColorScale& scale() const { return m_scale; }
  [[nodiscard]] End activeEnd() const { return m_active; }
  /// Where an end of the range is drawn.
  [[nodiscard]] double pixelOf(End end) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void rangeEdited(const ulp::views::charts::Range& range);
  void fitRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Drag {
    bool whole = false;  ///< the range between the ends, not one end
    double start = 0;    ///< axis units under the mouse
    Range range;         ///< axis units
  };

  [[nodiscard]] QRectF barArea() const;
  /// Axis units to pixels and back, along the bar.
  [[nodiscard]] PlotMap map() const { return {barArea(), m_domain, {}}; }
  void fitDomain();
  void moveEnd(double position);
  void setEnd(double value);
  void setRange(const Range& range);
  void describe();
  void paintHistogram(QPainter& painter, const QRectF& area, const ScaleColors& colors) const;
  void paintScale(QPainter& painter, const QRectF& area, const ScaleColors& colors) const;
  void paintEnds(QPainter& painter) const;

  Theme m_theme;
  ValueDistribution m_distribution;
  ColorScale m_scale;
  Range m_domain{-3, 0};  ///< axis units shown; stays while an end is dragged
  double m_factor = 1;
  std::function<QString(double)> m_text;
  End m_active = End::High;
  std::optional<Drag> m_drag;
};

}  // namespace ulp::views::charts
