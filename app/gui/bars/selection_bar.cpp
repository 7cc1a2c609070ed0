#include "app/gui/bars/selection_bar.h"

#include <QtCore/QSignalBlocker>

#include "views/framework/words/metric_text.h"

namespace ulp::app {

MetricBox::MetricBox(views::ReportSet& reports, views::SelectionContext& selection, QWidget* parent)
    : QComboBox(parent), m_reports(reports), m_selection(selection) {
  setAccessibleName(tr("Metric"));
  setSizeAdjustPolicy(QComboBox::AdjustToContents);
  setMinimumContentsLength(12);
  connect(&m_reports, &views::ReportSet::documentChanged, this, &MetricBox::refill);
  connect(
      &m_selection, &views::SelectionContext::selectionChanged, this, &MetricBox::showSelection);
  connect(this, &QComboBox::activated, this, [this] {
    m_selection.selectMetric(currentData().toString());
  });
  refill();
}

void MetricBox::refill() {
  const QSignalBlocker silent(*this);
  clear();
  if (const views::DocumentPtr& document = m_reports.document()) {
    for (const views::MetricInfo& metric : document->metrics()) {
      addItem(metric.label, metric.id);
      setItemData(count() - 1, views::metricHelp(metric), Qt::ToolTipRole);
    }
  }
  setEnabled(count() > 0);
  showSelection();
}

void MetricBox::showSelection() {
  const QSignalBlocker silent(*this);
  setCurrentIndex(findData(m_selection.selection().metric));
  setToolTip(currentIndex() < 0 ? tr("Metric of all views")
                                : itemData(currentIndex(), Qt::ToolTipRole).toString());
}

PassBox::PassBox(views::SelectionContext& selection, QWidget* parent)
    : QComboBox(parent), m_selection(selection) {
  using views::PassFilter;
  setAccessibleName(tr("Pass"));
  setToolTip(tr("Passes that the views show"));
  addItem(tr("Forward and backward"), static_cast<int>(PassFilter::ForwardBackward));
  addItem(tr("Forward"), static_cast<int>(PassFilter::Forward));
  addItem(tr("Backward"), static_cast<int>(PassFilter::Backward));
  addItem(tr("Parameter gradients"), static_cast<int>(PassFilter::ParameterGradient));
  addItem(tr("Optimizer"), static_cast<int>(PassFilter::Optimizer));
  connect(this, &QComboBox::activated, this, [this] {
    m_selection.selectPasses(static_cast<PassFilter>(currentData().toInt()));
  });
  connect(&m_selection,
          &views::SelectionContext::selectionChanged,
          this,
          [this](const views::Selection& now) {
            const QSignalBlocker silent(*this);
            setCurrentIndex(findData(static_cast<int>(now.shown)));
          });
}

}  // namespace ulp::app
