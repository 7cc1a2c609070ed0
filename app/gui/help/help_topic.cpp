#include "app/gui/help/help_topic.h"

#include <algorithm>

#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QApplication>
#include <QtWidgets/QHeaderView>

#include "app/gui/bars/selection_bar.h"
#include "views/framework/view/view_host.h"

namespace ulp::app {
namespace {

using Metrics = std::vector<views::MetricInfo>;

template <class Wanted>
Wanted* enclosing(QWidget* widget) {
  while (widget != nullptr && qobject_cast<Wanted*>(widget) == nullptr) {
    widget = widget->parentWidget();
  }
  return qobject_cast<Wanted*>(widget);
}

/// Empty: it explains none.
QString explainedBy(const QVariant& toolTip, const Metrics& metrics) {
  const QString text = toolTip.toString();
  const auto found = std::ranges::find_if(metrics, [&](const views::MetricInfo& metric) {
    return !metric.formula.isEmpty() && text.startsWith(views::metricHelp(metric));
  });
  return found == metrics.end() ? QString() : found->id;
}

QString metricOfColumn(const QAbstractItemModel* model, int column, const Metrics& metrics) {
  return model == nullptr || column < 0
             ? QString()
             : explainedBy(model->headerData(column, Qt::Horizontal, Qt::ToolTipRole), metrics);
}

QString metricUnder(const QPoint& mouse, const Metrics& metrics) {
  QWidget* const widget = QApplication::widgetAt(mouse);
  if (const auto* box = enclosing<MetricBox>(widget)) {
    return box->currentData().toString();
  }
  const auto* header = enclosing<QHeaderView>(widget);
  if (header == nullptr || header->orientation() != Qt::Horizontal) {
    return {};
  }
  const int column = header->logicalIndexAt(header->viewport()->mapFromGlobal(mouse));
  return metricOfColumn(header->model(), column, metrics);
}

QString metricOfFocus(QWidget* focus, const Metrics& metrics) {
  if (const auto* box = enclosing<MetricBox>(focus)) {
    return box->currentData().toString();
  }
  const auto* table = enclosing<QAbstractItemView>(focus);
  if (table == nullptr || !table->currentIndex().isValid()) {
    return {};
  }
  const QModelIndex current = table->currentIndex();
  const QString ofColumn = metricOfColumn(current.model(), current.column(), metrics);
  return ofColumn.isEmpty() ? explainedBy(current.siblingAtColumn(0).data(Qt::ToolTipRole), metrics)
                            : ofColumn;
}

}  // namespace

HelpTopic helpTopic(const QPoint& mouse, QWidget* focus, const Metrics& metrics) {
  HelpTopic topic{.metric = metricUnder(mouse, metrics)};
  if (topic.metric.isEmpty()) {
    topic.metric = metricOfFocus(focus, metrics);
  }
  const auto* host = enclosing<views::ViewHost>(focus);
  if (host == nullptr) {
    host = enclosing<views::ViewHost>(QApplication::widgetAt(mouse));
  }
  if (host != nullptr) {
    topic.viewKey = host->descriptor().shortcut.toString(QKeySequence::PortableText);
  }
  return topic;
}

}  // namespace ulp::app
