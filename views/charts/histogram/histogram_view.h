#pragma once

#include "views/charts/histogram/histogram.h"
#include "views/charts/plot/chart_widget.h"
#include "views/framework/widgets/accessible_chart.h"

namespace ulp::views::charts {

/// A histogram that says what is in each bin: under the mouse, and with the arrow keys from bin to
/// bin; a click or Return picks the bin, which is the first number of a place. Escape shows
/// everything, too.
class HistogramView : public ZoomedChart, public AccessibleChart {
  Q_OBJECT

 public:
  explicit HistogramView(QWidget* parent = nullptr);

  void setData(HistogramData data);
  [[nodiscard]] const HistogramData& data() const { return m_data; }
  /// The bin at a place of the widget; -1: none.
  [[nodiscard]] int binAt(const QPointF& point) const;
  /// The counts of a bin, set by set, largest first.
  [[nodiscard]] QString readout(int bin) const;
  /// What the axes show.
  [[nodiscard]] HistogramExtent seen() const { return {m_viewport.x(), m_viewport.y()}; }
  /// Of a bin, over the whole height of the plot, in the widget's pixels; as much as is seen of it.
  [[nodiscard]] QRectF binRect(int bin) const;
  [[nodiscard]] QSize sizeHint() const override { return {256, 192}; }

  [[nodiscard]] QString chartSummary() const override;
  [[nodiscard]] int pointCount() const override;
  /// The bin that keys stand on; -1: none.
  [[nodiscard]] int currentPoint() const override { return m_current; }
  [[nodiscard]] QString pointName(int point) const override;
  [[nodiscard]] QString pointValue(int point) const override;
  [[nodiscard]] QRect pointRect(int point) const override { return binRect(point).toAlignedRect(); }

 protected:
  void layOut() override;
  void paintStill(QImage& picture) override;
  /// Hovered and current bin, also while a part is being chosen.
  void paintMoving(QPainter& painter) override;
  void hoverAt(const QPointF& point) override;
  void clickAt(const QPointF& point) override;
  bool walk(const ChartStep& step) override;
  bool enter() override;
  bool press(int key) override;
  [[nodiscard]] QRectF plotArea() const override;
  [[nodiscard]] QPointF keyAnchor() const override;

 private:
  void setCurrent(int bin);
  /// Moves what is seen just as far as the bin needs.
  void showBin(int bin);

  HistogramData m_data;
  HistogramPicture m_picture;
  int m_current = -1;
  int m_hovered = -1;
};

}  // namespace ulp::views::charts
