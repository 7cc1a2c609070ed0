#include "app/gui/bars/selection_bar.h"

#include <algorithm>

#include "core/analysis/reports/rebase_dumps.h"
#include "views/framework/document/kept_tensors.h"
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
  addItem(tr("All passes"), static_cast<int>(PassFilter::All));
  setItemData(count() - 1,
              tr("Charts by layer show forward and backward, tables everything"),
              Qt::ToolTipRole);
  connect(this, &QComboBox::activated, this, [this] {
    m_selection.selectPasses(static_cast<PassFilter>(currentData().toInt()));
  });
  connect(&m_selection,
          &views::SelectionContext::selectionChanged,
          this,
          [this](const views::Selection& now) {
            setCurrentIndex(findData(static_cast<int>(now.shown)));
          });
}

using views::Relation;

BaselineBox::BaselineBox(views::ReportSet& reports,
                         views::SelectionContext& selection,
                         QWidget* parent)
    : QComboBox(parent), m_reports(reports), m_selection(selection) {
  setObjectName(QStringLiteral("baseline"));
  setAccessibleName(tr("Baseline"));
  setToolTip(tr("The run that all others are compared with (B makes it the selected variant)"));
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(12);
  connect(&m_reports, &views::ReportSet::documentChanged, this, &BaselineBox::refill);
  connect(
      &m_selection, &views::SelectionContext::selectionChanged, this, &BaselineBox::showSelection);
  connect(this, &QComboBox::activated, this, [this] {
    const QString run = currentData().toString();
    m_selection.selectBaseline(run, relationFor(m_reports, m_selection.selection(), run));
  });
  refill();
}

void BaselineBox::refill() {
  clear();
  if (const views::DocumentPtr& document = m_reports.document()) {
    const report::Report& joined = *document->basis().open->joined.report;
    if (joined.reference.empty()) {
      addItem(tr("none"), QString());
    }
    for (const report::Run& run : joined.runs) {
      if (run.role == report::RunRole::Floor) {
        continue;
      }
      const QString name = QString::fromStdString(run.name);
      addItem(name, run.name == joined.reference ? QString() : name);
    }
  }
  setEnabled(count() > 1);
  showSelection();
}

void BaselineBox::showSelection() {
  setCurrentIndex(findData(m_selection.selection().baseline));
}

RelationBox::RelationBox(views::SelectionContext& selection, QWidget* parent)
    : QComboBox(parent), m_selection(selection) {
  setObjectName(QStringLiteral("relation"));
  setAccessibleName(tr("Shown"));
  setSizeAdjustPolicy(QComboBox::AdjustToContents);
  const auto add = [this](const QString& text, const QString& help, Relation relation) {
    addItem(text, static_cast<int>(relation));
    setItemData(count() - 1, help, Qt::ToolTipRole);
  };
  add(tr("Error against it"),
      tr("Tensors of every run compared with those of the baseline; needs kept tensors, or dumps"),
      Relation::Error);
  add(tr("Error less its error"),
      tr("Error against the reference, less that of the baseline"),
      Relation::Difference);
  add(tr("Error ÷ its error"),
      tr("Error against the reference as a multiple of that of the baseline"),
      Relation::Ratio);
  connect(this, &QComboBox::activated, this, [this] {
    m_selection.selectBaseline(m_selection.selection().baseline,
                               static_cast<Relation>(currentData().toInt()));
  });
  connect(
      &m_selection, &views::SelectionContext::selectionChanged, this, &RelationBox::showSelection);
  showSelection();
}

void RelationBox::showSelection() {
  const views::Selection& now = m_selection.selection();
  setCurrentIndex(findData(static_cast<int>(now.relation)));
  setEnabled(!now.baseline.isEmpty());
  setToolTip(isEnabled() ? itemData(currentIndex(), Qt::ToolTipRole).toString()
                         : tr("What is shown of a run, once a run other than the reference is "
                              "the baseline"));
}

Relation relationFor(const views::ReportSet& reports,
                     const views::Selection& selection,
                     const QString& run) {
  if (!selection.baseline.isEmpty()) {
    return selection.relation;
  }
  const views::DocumentPtr& document = reports.document();
  if (document && !analysis::comparisonsAgainst(
                       run.toStdString(), document->basis().open->joined, reports.sources())
                       .empty()) {
    return Relation::Error;
  }
  const bool canCompare =
      std::ranges::all_of(reports.sources(), [](const analysis::ReportSource& source) {
        return views::keepsTensors(source.loaded.folder);
      });
  return canCompare ? Relation::Error : Relation::Ratio;
}

}  // namespace ulp::app
