#pragma once

#include <QtCore/QRect>
#include <QtCore/QString>

class QWidget;

namespace ulp::views {

/// What a chart tells screen readers: its points one after another, as the arrow keys walk them, or
/// as the cells of a table. A chart widget inherits this beside QWidget; points are made into
/// accessible objects only when somebody asks for them.
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
  /// In words, with the unit, and what is not a number; empty: the name says it.
  [[nodiscard]] virtual QString pointValue(int point) const = 0;
  /// In the widget's pixels; empty: not in sight.
  [[nodiscard]] virtual QRect pointRect(int point) const = 0;
  /// At a place in the widget's pixels; -1: none.
  [[nodiscard]] virtual int pointUnder(const QPoint& place) const;

  /// How many points make a row of a table; 0: they are no table.
  [[nodiscard]] virtual int columnCount() const { return 0; }
  [[nodiscard]] virtual QString rowName(int /*row*/) const { return {}; }
  [[nodiscard]] virtual QString columnName(int /*column*/) const { return {}; }
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
