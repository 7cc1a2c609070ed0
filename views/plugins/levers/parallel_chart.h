#pragma once

#include <optional>

#include "views/charts/plot/chart_widget.h"
#include "views/framework/widgets/accessible_chart.h"
#include "views/plugins/levers/parallel_painter.h"

namespace ulp::views {

/// Parallel coordinates: a line a variant over settings and errors. Dragging along an axis keeps
/// the lines that cross that part, a click on the axis or Escape lets go; arrow keys walk lines and
/// axes, Space keeps what is as good as the current point. Places are a line and an axis.
class ParallelChart : public charts::ChartWidget, public AccessibleChart {
  Q_OBJECT

 public:
  explicit ParallelChart(QWidget* parent = nullptr);

  /// Brushes stay where the axes are the same.
  void setData(ParallelData data);
  void setCurrent(const ParallelSpot& spot);
  /// A line that another view hovers; -1: none.
  void setHoveredLine(int line);
  [[nodiscard]] const ParallelData& data() const { return m_data; }
  [[nodiscard]] const ParallelLook& look() const { return m_look; }
  [[nodiscard]] ParallelFrame frame() const;
  /// A brush that is not one of 0 … kNonFinitePlace is none.
  void setBrush(int axis, std::optional<charts::Range> brush);
  void clearBrushes();
  [[nodiscard]] bool isBrushed() const;
  [[nodiscard]] QSize minimumSizeHint() const override;

  [[nodiscard]] QString chartSummary() const override;
  [[nodiscard]] int pointCount() const override;
  [[nodiscard]] int currentPoint() const override;
  [[nodiscard]] QString pointName(int point) const override;
  [[nodiscard]] QString pointValue(int point) const override;
  [[nodiscard]] QRect pointRect(int point) const override;

 Q_SIGNALS:
  void brushesChanged();

 protected:
  void layOut() override;
  /// Paints the hovered line, too.
  void paintStill(QImage& picture) override;
  void paintMoving(QPainter& /*painter*/) override {}
  void hoverAt(const QPointF& point) override;
  void clickAt(const QPointF& point) override;
  bool walk(const charts::ChartStep& step) override;
  bool press(int key) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  struct Drag {
    int axis = -1;  ///< -1: it began beside every axis
    QPointF start;
    bool moved = false;
  };

  [[nodiscard]] int axisAt(const QPointF& point) const;
  [[nodiscard]] charts::Range dragRange(const Drag& drag, double y) const;
  void stepLine(int direction);
  void brushAtCurrent();
  [[nodiscard]] ParallelSpot spotOf(int point) const;
  [[nodiscard]] QString readoutOf(const ParallelSpot& spot) const;

  ParallelData m_data;
  ParallelLook m_look;
  std::optional<Drag> m_drag;
};

}  // namespace ulp::views
