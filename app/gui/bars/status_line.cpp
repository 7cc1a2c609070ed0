#include "app/gui/bars/status_line.h"

#include <QtCore/QFileInfo>
#include <QtWidgets/QLabel>
#include <QtWidgets/QProgressBar>

#include "core/base/text/format_number.h"
#include "runner/queue/job_queue.h"
#include "views/comparing/dump_comparer.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/exports/export_jobs.h"
#include "views/framework/widgets/accessible_chart.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/words/literal_text.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::app {
namespace {

constexpr int kProgressSteps = 1000;

QString studyName(const queue::JobState& job) {
  return QString::fromStdString(job.request.studyFile.filename().string());
}

}  // namespace

StatusLine::StatusLine(const views::ViewContext& context,
                       const views::DumpComparer& comparer,
                       QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_comparer(comparer),
      m_point(new QLabel(this)),
      m_export(new QLabel(this)),
      m_written(new QProgressBar(this)),
      m_comparison(new QLabel(this)),
      m_compared(new QProgressBar(this)),
      m_queue(new QLabel(this)),
      m_progress(new QProgressBar(this)) {
  m_point->setTextFormat(Qt::PlainText);
  m_point->setMinimumWidth(1);
  for (QProgressBar* bar : {m_written, m_compared, m_progress}) {
    bar->setRange(0, kProgressSteps);
    bar->setTextVisible(false);
    bar->setFixedWidth(fontMetrics().averageCharWidth() * 20);
    bar->setMaximumHeight(fontMetrics().height() - 2);
  }
  m_written->setAccessibleName(tr("Progress of the export"));
  m_compared->setAccessibleName(tr("Progress of the comparison"));
  m_progress->setAccessibleName(tr("Progress of the run"));
  m_export->setTextFormat(Qt::PlainText);
  m_comparison->setTextFormat(Qt::PlainText);
  views::rowOf(this,
               {{m_point, 1}, m_export, m_written, m_comparison, m_compared, m_queue, m_progress},
               {.margins = QMargins(8, 2, 8, 2), .spacing = 8});
  const auto point = [this] { showPoint(); };
  const views::Workspace& workspace = context.workspace;
  connect(&context.selection, &views::SelectionContext::hoverChanged, this, point);
  connect(&context.selection, &views::SelectionContext::selectionChanged, this, point);
  connect(&workspace.reports, &views::ReportSet::documentChanged, this, point);
  connect(&workspace.reports, &views::ReportSet::loadingChanged, this, point);
  connect(&workspace.study, &views::StudyDocument::loadingChanged, this, point);
  connect(&context.queue, &queue::JobQueue::jobChanged, this, &StatusLine::showQueue);
  connect(&context.queue, &queue::JobQueue::queueChanged, this, &StatusLine::showQueue);
  connect(&context.queue, &queue::JobQueue::jobChanged, this, &StatusLine::announceEnds);
  connect(&comparer, &views::DumpComparer::progressed, this, &StatusLine::showComparison);
  connect(&context.exports, &views::ExportJobs::progressed, this, &StatusLine::showExport);
  showPoint();
  showExport();
  showComparison();
  showQueue();
}

QString StatusLine::progressText(const QString& what,
                                 const std::optional<double>& secondsLeft,
                                 int waiting) {
  QStringList parts{what};
  if (secondsLeft) {
    parts << tr("%1 left").arg(QString::fromStdString(formatDuration(*secondsLeft)));
  }
  if (waiting > 0) {
    parts << tr("%1 waiting").arg(waiting);
  }
  return parts.join(QStringLiteral(", "));
}

void StatusLine::showExport() {
  const std::optional<views::LongExport> running = m_context.exports.longExport();
  m_export->setVisible(running.has_value());
  m_written->setVisible(running && running->fraction > 0);
  if (running) {
    m_export->setText(progressText(
        tr("Writing %1").arg(QFileInfo(running->file).fileName()), running->secondsLeft, 0));
    m_written->setValue(static_cast<int>(running->fraction * kProgressSteps));
  }
}

void StatusLine::showComparison() {
  m_comparison->setVisible(m_comparer.isRunning());
  m_compared->setVisible(m_comparer.isRunning());
  if (!m_comparer.isRunning()) {
    return;
  }
  m_comparison->setText(
      m_comparer.isStopping()
          ? progressText(tr("Stopping…"), std::nullopt, m_comparer.waitingCount())
          : progressText((m_comparer.isOfOneDump() ? tr("Reading %1") : tr("Comparing %1"))
                             .arg(m_comparer.title()),
                         m_comparer.secondsLeft(),
                         m_comparer.waitingCount()));
  m_compared->setValue(static_cast<int>(m_comparer.fraction() * kProgressSteps));
}

QString StatusLine::pointText(const views::ReportDocument& document,
                              const views::Hover& point,
                              const QString& metric) {
  const int site = document.findSite(point.site.toStdString(), point.pass);
  if (site < 0) {
    return {};
  }
  const QString place = QStringLiteral("%1 · %2").arg(views::shortName(point.site.toStdString()),
                                                      views::passText(point.pass));
  const QString value = valueText(document, point, metric);
  return value.isEmpty() ? place : QStringLiteral("%1 · %2: %3").arg(point.run, place, value);
}

QString StatusLine::valueText(const views::ReportDocument& document,
                              const views::Hover& point,
                              const QString& metric) {
  const int site = document.findSite(point.site.toStdString(), point.pass);
  const int variant = document.findVariant(point.run);
  const int column = document.findMetric(metric);
  if (site < 0 || variant < 0 || column < 0) {
    return {};
  }
  const views::MetricInfo& info = document.metrics()[static_cast<std::size_t>(column)];
  const double value = document.value(variant, site, column);
  const QString interval = views::intervalText(
      document.spread(variant, site, column), document.variant(variant).samples, info.unit);
  if (interval.isEmpty()) {
    const bool isNonFinite = document.isNonFinite(variant, site, column);
    return QStringLiteral("%1 %2").arg(info.label,
                                       views::metricTextWithUnit(value, info, isNonFinite));
  }
  const QString unit = views::unitText(info.unit);
  return QStringLiteral("%1 %2%3 %4")
      .arg(info.label, views::metricText(value, info), interval, unit)
      .trimmed();
}

void StatusLine::showPoint() {
  const views::DocumentPtr& document = m_context.workspace.reports.document();
  if (m_context.workspace.isLoading()) {
    m_point->setText(tr("Opening…"));
    return;
  }
  if (!document) {
    m_point->clear();
    return;
  }
  const views::Selection& selection = m_context.selection.selection();
  const views::Hover& hover = m_context.selection.hover();
  if (!hover.isEmpty()) {
    m_point->setText(pointText(*document, hover, selection.metric));
    return;
  }
  // The breadcrumbs say where.
  const views::Hover current{
      .run = selection.run(), .site = selection.site, .pass = selection.pass};
  m_point->setText(valueText(*document, current, selection.metric));
}

QString StatusLine::endText(const queue::JobState& job) {
  const QString name = studyName(job);
  switch (job.status) {
    case queue::JobStatus::Finished:
      return tr("%1 has finished.").arg(name);
    case queue::JobStatus::Failed:
      return tr("%1 has failed.").arg(name);
    case queue::JobStatus::Cancelled:
      return tr("%1 was stopped.").arg(name);
    case queue::JobStatus::Queued:
    case queue::JobStatus::Running:
    case queue::JobStatus::Cancelling:
      break;
  }
  return {};
}

void StatusLine::announceEnds() {
  for (const queue::JobStatePtr& job : m_context.queue.states()) {
    bool& said = m_isOver[job->id];
    if (job->isOver() && !said) {
      views::announce(*this, endText(*job));
    }
    said = job->isOver();
  }
}

void StatusLine::showQueue() {
  queue::JobStatePtr running;
  int waiting = 0;
  for (const queue::JobStatePtr& job : m_context.queue.states()) {
    if (job->status == queue::JobStatus::Queued) {
      ++waiting;
    } else if (!job->isOver()) {
      running = job;
    }
  }
  m_progress->setVisible(running != nullptr);
  const bool isHeldUp = !running && waiting > 0 && m_context.queue.isPaused();
  m_queue->setVisible(running != nullptr || isHeldUp);
  if (isHeldUp) {
    m_queue->setText(tr("Queue paused, %1 waiting").arg(waiting));
  }
  if (!running) {
    return;
  }
  m_queue->setText(
      running->status == queue::JobStatus::Cancelling
          ? progressText(tr("Stopping…"), std::nullopt, waiting)
          : progressText(tr("Running %1").arg(studyName(*running)), running->etaSeconds, waiting));
  m_progress->setValue(static_cast<int>(running->fraction * kProgressSteps));
}

}  // namespace ulp::app
