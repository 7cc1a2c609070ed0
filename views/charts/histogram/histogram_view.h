#pragma once

#include <QtCharts/QChartView>

#include "views/charts/histogram/histogram.h"
#include "views/charts/plot/viewport_gestures.h"
#include "views/framework/widgets/accessible_chart.h"

namespace ulp::views::charts {

/// A histogram that says what is in each bin: under the mouse, and with the arrow keys from bin to
/// bin; a click or Return picks the bin. It zooms as ViewportGestures say; Escape shows everything,
/// too.
class HistogramView : public QChartView, public AccessibleChart {
  Q_OBJECT

 public:
  explicit HistogramView(QWidget* parent = nullptr);

  void setData(HistogramData data);
  void setTheme(const Theme& theme);
  [[nodiscard]] const HistogramData& data() const { return m_data; }
  /// The bin that keys stand on; -1: none.
  [[nodiscard]] int currentBin() const { return m_current; }
  /// The bin at a place of the widget; -1: none.
  [[nodiscard]] int binAt(const QPointF& point) const;
  /// The counts of a bin, set by set, largest first.
  [[nodiscard]] QString readout(int bin) const;
  /// What the axes show.
  [[nodiscard]] HistogramExtent seen() const { return {m_viewport.x(), m_viewport.y()}; }
  [[nodiscard]] bool isZoomed() const { return m_viewport.isZoomed(); }
  /// Of a bin, over the whole height of the plot, in the widget's pixels; as much as is seen of it.
  [[nodiscard]] QRectF binRect(int bin) const;

  [[nodiscard]] QSize minimumSizeHint() const override;

  [[nodiscard]] QString chartSummary() const override;
  [[nodiscard]] int pointCount() const override;
  [[nodiscard]] int currentPoint() const override { return m_current; }
  [[nodiscard]] QString pointName(int point) const override;
  [[nodiscard]] QString pointValue(int point) const override;
  [[nodiscard]] QRect pointRect(int point) const override;

 Q_SIGNALS:
  void binPicked(int bin);

 protected:
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void rebuild();
  void setCurrent(int bin);
  void showBin(int bin);
  void hoverAt(const QMouseEvent& event);
  [[nodiscard]] QRectF plotRect() const;
  /// With the plot where it is now.
  [[nodiscard]] ViewportGestures& gestures();

  HistogramData m_data;
  Theme m_theme = lightTheme();
  Viewport m_viewport;
  ViewportGestures m_gestures{m_viewport, Upwards::Grows};
  int m_current = -1;
  int m_hovered = -1;
};

}  // namespace ulp::views::charts
