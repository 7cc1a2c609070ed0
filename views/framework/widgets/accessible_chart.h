#pragma once

#include <QtCore/QRect>
#include <QtCore/QString>

class QWidget;

namespace ulp::views {

/// What a chart tells screen readers: its points one after another, as the arrow keys walk them. A
/// chart widget inherits this beside QWidget; points are made into accessible objects only when
/// somebody asks for them.
class AccessibleChart {
 public:
  AccessibleChart() = default;
  virtual ~AccessibleChart() = default;
  AccessibleChart(const AccessibleChart&) = delete;
  AccessibleChart& operator=(const AccessibleChart&) = delete;

  /// One sentence: what is drawn and how much of it.
  [[nodiscard]] virtual QString chartSummary() const = 0;
  [[nodiscard]] virtual int pointCount() const = 0;
  [[nodiscard]] virtual int currentPoint() const = 0;  ///< -1: none
  [[nodiscard]] virtual QString pointName(int point) const = 0;
  /// In words, with the unit, and what is not a number.
  [[nodiscard]] virtual QString pointValue(int point) const = 0;
  /// In the widget's pixels; empty: not in sight.
  [[nodiscard]] virtual QRect pointRect(int point) const = 0;
};

/// From now on widgets that are AccessibleCharts have an accessible interface of role Chart whose
/// children are their points. May be called more than once.
void installChartAccessibility();

/// The current point has moved: says so to a screen reader if the chart has the focus.
void announceCurrentPoint(QWidget& chart);
/// The chart shows other points.
void announcePointsReplaced(QWidget& chart);
/// Says something that the user should hear without looking, such as the end of a run. `widget`
/// carries it as its name.
void announce(QWidget& widget, const QString& text);

}  // namespace ulp::views
