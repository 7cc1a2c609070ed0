#pragma once

#include "views/charts/plot/chart_widget.h"
#include "views/framework/widgets/accessible_chart.h"
#include "views/plugins/experts/flip_painter.h"

namespace ulp::views {

/// The share of flipped tokens by layer and by margin, a line a variant. A click on a point picks
/// it, left and right walk its line, up and down change the variant. The numbers of a place are
/// those of the variant and of the router; of margins the router is -1.
class FlipChart : public charts::ChartWidget, public AccessibleChart {
  Q_OBJECT

 public:
  explicit FlipChart(QWidget* parent = nullptr);

  void setData(FlipData data);
  /// Marks a router of a variant; -1: none.
  void setCurrent(int line, int router);
  [[nodiscard]] const FlipData& data() const { return m_data; }
  [[nodiscard]] const FlipSpot& current() const { return m_current; }
  [[nodiscard]] FlipFrame frame() const { return flipFrame(m_data, QRectF(rect()), font()); }
  [[nodiscard]] QSize minimumSizeHint() const override;

  [[nodiscard]] QString chartSummary() const override;
  [[nodiscard]] int pointCount() const override;
  [[nodiscard]] int currentPoint() const override;
  [[nodiscard]] QString pointName(int point) const override;
  [[nodiscard]] QString pointValue(int point) const override;
  [[nodiscard]] QRect pointRect(int point) const override;

 protected:
  void paintStill(QImage& picture) override;
  void paintMoving(QPainter& /*painter*/) override {}
  void hoverAt(const QPointF& point) override;
  void clickAt(const QPointF& point) override;
  bool walk(const charts::ChartStep& step) override;

 private:
  /// The points of the accessible chart: by layer, then by margin, line by line.
  [[nodiscard]] FlipSpot spotOf(int point) const;
  [[nodiscard]] QString placeText(const FlipSpot& spot) const;
  void pick(const FlipSpot& spot);

  FlipData m_data;
  FlipSpot m_current;
  FlipSpot m_hovered;
};

}  // namespace ulp::views
