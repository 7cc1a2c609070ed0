#include "views/framework/widgets/accessible_chart.h"

#include <map>
#include <memory>

#include <QtCore/QPointer>
#include <QtGui/QAccessible>
#include <QtWidgets/QAccessibleWidget>
#include <QtWidgets/QWidget>

namespace ulp::views {
namespace {

/// One point. Lives as long as its chart's interface; may outlive the point itself.
class PointInterface : public QAccessibleInterface {
 public:
  PointInterface(QWidget& widget, const AccessibleChart& chart, int point)
      : m_widget(&widget), m_chart(chart), m_point(point) {}

  [[nodiscard]] bool isValid() const override {
    return m_widget != nullptr && m_point < m_chart.pointCount();
  }
  [[nodiscard]] QObject* object() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(m_widget);
  }
  [[nodiscard]] QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* /*child*/) const override {
    return -1;
  }
  [[nodiscard]] QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override {
    return nullptr;
  }
  [[nodiscard]] QString text(QAccessible::Text what) const override {
    if (!isValid()) {
      return {};
    }
    switch (what) {
      case QAccessible::Name:
        // Many readers speak only the name of what has the focus.
        return QStringLiteral("%1, %2").arg(m_chart.pointName(m_point),
                                            m_chart.pointValue(m_point));
      case QAccessible::Value:
        return m_chart.pointValue(m_point);
      default:
        return {};
    }
  }
  void setText(QAccessible::Text /*what*/, const QString& /*text*/) override {}
  [[nodiscard]] QRect rect() const override {
    const QRect place = isValid() ? m_chart.pointRect(m_point) : QRect();
    return place.isEmpty() ? QRect() : QRect(m_widget->mapToGlobal(place.topLeft()), place.size());
  }
  [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State state;
    state.focusable = true;
    state.selectable = true;
    state.readOnly = true;
    state.invalid = !isValid();
    const bool current = isValid() && m_chart.currentPoint() == m_point;
    state.selected = current;
    state.focused = current && m_widget->hasFocus();
    state.offscreen = isValid() && m_chart.pointRect(m_point).isEmpty();
    return state;
  }

 private:
  QPointer<QWidget> m_widget;
  const AccessibleChart& m_chart;
  int m_point;
};

class ChartInterface : public QAccessibleWidget {
 public:
  ChartInterface(QWidget& widget, const AccessibleChart& chart)
      : QAccessibleWidget(&widget, QAccessible::Chart), m_chart(chart) {}
  ~ChartInterface() override {
    for (const auto& [point, id] : m_points) {
      QAccessible::deleteAccessibleInterface(id);
    }
  }
  ChartInterface(const ChartInterface&) = delete;
  ChartInterface& operator=(const ChartInterface&) = delete;

  [[nodiscard]] int childCount() const override { return m_chart.pointCount(); }
  [[nodiscard]] QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= m_chart.pointCount()) {
      return nullptr;
    }
    const auto known = m_points.find(index);
    if (known != m_points.end()) {
      return QAccessible::accessibleInterface(known->second);
    }
    // The registry of Qt owns it until deleteAccessibleInterface().
    auto made = std::make_unique<PointInterface>(*widget(), m_chart, index);
    m_points[index] = QAccessible::registerAccessibleInterface(made.get());
    return made.release();
  }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
    for (const auto& [point, id] : m_points) {
      if (QAccessible::accessibleInterface(id) == child) {
        return point;
      }
    }
    return -1;
  }
  [[nodiscard]] QAccessibleInterface* focusChild() const override {
    return widget()->hasFocus() ? child(m_chart.currentPoint()) : nullptr;
  }
  [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
    const QPoint place = widget()->mapFromGlobal(QPoint(x, y));
    for (int i = 0; i < m_chart.pointCount(); ++i) {
      if (m_chart.pointRect(i).contains(place)) {
        return child(i);
      }
    }
    return nullptr;
  }
  [[nodiscard]] QString text(QAccessible::Text what) const override {
    return what == QAccessible::Description ? m_chart.chartSummary()
                                            : QAccessibleWidget::text(what);
  }

 private:
  const AccessibleChart& m_chart;
  mutable std::map<int, QAccessible::Id> m_points;
};

QAccessibleInterface* makeInterface(const QString& /*className*/, QObject* object) {
  auto* widget = qobject_cast<QWidget*>(object);
  const auto* chart = dynamic_cast<const AccessibleChart*>(widget);
  // Qt takes it over.
  return chart == nullptr ? nullptr : std::make_unique<ChartInterface>(*widget, *chart).release();
}

}  // namespace

void installChartAccessibility() {
  QAccessible::installFactory(&makeInterface);
}

void announceCurrentPoint(QWidget& chart) {
  const auto* points = dynamic_cast<const AccessibleChart*>(&chart);
  if (!QAccessible::isActive() || points == nullptr || !chart.hasFocus() ||
      points->currentPoint() < 0 || points->currentPoint() >= points->pointCount()) {
    return;
  }
  QAccessibleEvent event(&chart, QAccessible::Focus);
  event.setChild(points->currentPoint());
  QAccessible::updateAccessibility(&event);
}

void announcePointsReplaced(QWidget& chart) {
  if (!QAccessible::isActive()) {
    return;
  }
  QAccessibleEvent event(&chart, QAccessible::ObjectReorder);
  QAccessible::updateAccessibility(&event);
}

void announce(QWidget& widget, const QString& text) {
  widget.setAccessibleName(text);
  for (const QAccessible::Event kind : {QAccessible::NameChanged, QAccessible::Alert}) {
    QAccessibleEvent event(&widget, kind);
    QAccessible::updateAccessibility(&event);
  }
}

}  // namespace ulp::views
