#include "views/framework/widgets/accessible_chart.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include <QtCore/QPointer>
#include <QtGui/QAccessible>
#include <QtWidgets/QAccessibleWidget>
#include <QtWidgets/QWidget>

namespace ulp::views {
namespace {

/// One point. Lives as long as its chart's interface; may outlive the point itself.
class PointInterface : public QAccessibleInterface, public QAccessibleTableCellInterface {
 public:
  PointInterface(QWidget& widget, const AccessibleChart& chart, int point)
      : m_widget(&widget), m_chart(chart), m_point(point) {}

  [[nodiscard]] int point() const { return m_point; }
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
  void* interface_cast(QAccessible::InterfaceType type) override {
    const bool isCell = type == QAccessible::TableCellInterface && columns() > 0;
    return isCell ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
  }

  [[nodiscard]] QString text(QAccessible::Text what) const override {
    if (!isValid() || (what != QAccessible::Name && what != QAccessible::Value)) {
      return {};
    }
    const QString value = m_chart.pointValue(m_point);
    if (what == QAccessible::Value) {
      return value;
    }
    // Many readers speak only the name of what has the focus.
    const QString name = m_chart.pointName(m_point);
    return value.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, value);
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
    state.selected = isSelected();
    state.focused = isSelected() && m_widget->hasFocus();
    state.offscreen = isValid() && m_chart.pointRect(m_point).isEmpty();
    return state;
  }

  [[nodiscard]] bool isSelected() const override {
    return isValid() && m_chart.currentPoint() == m_point;
  }
  [[nodiscard]] QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
  [[nodiscard]] QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
  [[nodiscard]] int columnIndex() const override { return m_point % std::max(1, columns()); }
  [[nodiscard]] int rowIndex() const override { return m_point / std::max(1, columns()); }
  [[nodiscard]] int columnExtent() const override { return 1; }
  [[nodiscard]] int rowExtent() const override { return 1; }
  [[nodiscard]] QAccessibleInterface* table() const override { return parent(); }

 private:
  [[nodiscard]] int columns() const { return m_widget == nullptr ? 0 : m_chart.columnCount(); }

  QPointer<QWidget> m_widget;
  const AccessibleChart& m_chart;
  int m_point;
};

class ChartInterface : public QAccessibleWidget, public QAccessibleTableInterface {
 public:
  ChartInterface(QWidget& widget, const AccessibleChart& chart)
      // Were it a table, readers would speak a whole row whenever another one is entered.
      : QAccessibleWidget(&widget, QAccessible::Chart), m_chart(chart) {}
  ~ChartInterface() override {
    for (const auto& [point, id] : m_points) {
      QAccessible::deleteAccessibleInterface(id);
    }
  }
  ChartInterface(const ChartInterface&) = delete;
  ChartInterface& operator=(const ChartInterface&) = delete;

  void* interface_cast(QAccessible::InterfaceType type) override {
    const bool isTable = type == QAccessible::TableInterface && columnCount() > 0;
    return isTable ? static_cast<QAccessibleTableInterface*>(this)
                   : QAccessibleWidget::interface_cast(type);
  }
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
    const auto* const point = dynamic_cast<const PointInterface*>(child);
    return point != nullptr && point->parent() == this ? point->point() : -1;
  }
  [[nodiscard]] QAccessibleInterface* focusChild() const override {
    return widget()->hasFocus() ? child(m_chart.currentPoint()) : nullptr;
  }
  [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
    return child(m_chart.pointUnder(widget()->mapFromGlobal(QPoint(x, y))));
  }
  [[nodiscard]] QString text(QAccessible::Text what) const override {
    return what == QAccessible::Description ? m_chart.chartSummary()
                                            : QAccessibleWidget::text(what);
  }

  [[nodiscard]] QAccessibleInterface* caption() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* summary() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* cellAt(int row, int column) const override {
    const bool exists = row >= 0 && row < rowCount() && column >= 0 && column < columnCount();
    return exists ? child(row * columnCount() + column) : nullptr;
  }
  [[nodiscard]] int rowCount() const override {
    return m_chart.pointCount() / std::max(1, columnCount());
  }
  [[nodiscard]] int columnCount() const override { return m_chart.columnCount(); }
  [[nodiscard]] QString rowDescription(int row) const override { return m_chart.rowName(row); }
  [[nodiscard]] QString columnDescription(int column) const override {
    return m_chart.columnName(column);
  }
  [[nodiscard]] int selectedCellCount() const override {
    return static_cast<int>(selectedCells().size());
  }
  [[nodiscard]] int selectedColumnCount() const override { return 0; }
  [[nodiscard]] int selectedRowCount() const override { return 0; }
  [[nodiscard]] QList<QAccessibleInterface*> selectedCells() const override {
    QAccessibleInterface* const cell = child(m_chart.currentPoint());
    return cell == nullptr ? QList<QAccessibleInterface*>() : QList{cell};
  }
  [[nodiscard]] QList<int> selectedColumns() const override { return {}; }
  [[nodiscard]] QList<int> selectedRows() const override { return {}; }
  [[nodiscard]] bool isColumnSelected(int /*column*/) const override { return false; }
  [[nodiscard]] bool isRowSelected(int /*row*/) const override { return false; }
  bool selectRow(int /*row*/) override { return false; }
  bool selectColumn(int /*column*/) override { return false; }
  bool unselectRow(int /*row*/) override { return false; }
  bool unselectColumn(int /*column*/) override { return false; }
  void modelChange(QAccessibleTableModelChangeEvent* /*event*/) override {}

 private:
  const AccessibleChart& m_chart;
  mutable std::unordered_map<int, QAccessible::Id> m_points;  ///< those that were asked for
};

QAccessibleInterface* makeInterface(const QString& /*className*/, QObject* object) {
  auto* widget = qobject_cast<QWidget*>(object);
  const auto* chart = dynamic_cast<const AccessibleChart*>(widget);
  // Qt takes it over.
  return chart == nullptr ? nullptr : std::make_unique<ChartInterface>(*widget, *chart).release();
}

}  // namespace

int AccessibleChart::pointUnder(const QPoint& place) const {
  for (int point = 0; point < pointCount(); ++point) {
    if (pointRect(point).contains(place)) {
      return point;
    }
  }
  return -1;
}

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
