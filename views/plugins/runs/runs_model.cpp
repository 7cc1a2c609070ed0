#include "views/plugins/runs/runs_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QtCore/QCoreApplication>

#include "core/base/format_number.h"
#include "views/framework/metric_text.h"
#include "views/framework/severity.h"

namespace ulp::views {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr Qt::Alignment kNumbers = Qt::AlignRight | Qt::AlignVCenter;

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::Runs", text);
}

StateText jobStateText(queue::JobStatus status) {
  switch (status) {
    case queue::JobStatus::Queued:
      return runStateText(report::RunStatus::Pending);
    case queue::JobStatus::Running:
      return runStateText(report::RunStatus::Running);
    case queue::JobStatus::Cancelling:
      return {QStringLiteral("◐"), translate("stopping"), Severity::Fine};
    case queue::JobStatus::Finished:
      return runStateText(report::RunStatus::Finished);
    case queue::JobStatus::Failed:
      return runStateText(report::RunStatus::Failed);
    case queue::JobStatus::Cancelled:
      return runStateText(report::RunStatus::Cancelled);
  }
  return {};
}

QString durationText(double seconds) {
  return QString::fromStdString(formatDuration(seconds));
}

QueueRow jobRow(const queue::JobState& job) {
  const StateText state = jobStateText(job.status);
  const bool going = job.status == queue::JobStatus::Running;
  QueueRow row{.job = job.id,
               .isJob = true,
               .name = QString::fromStdString(job.request.studyFile.filename().string()),
               .glyph = state.glyph,
               .state = state.word,
               .severity = state.severity,
               .fraction = job.status == queue::JobStatus::Queued ? -1 : job.fraction,
               .progress = job.error,
               .time = job.elapsedSeconds > 0 ? durationText(job.elapsedSeconds) : QString(),
               .loss = kUnknown};
  if (going && job.etaSeconds) {
    row.time = translate("%1 left").arg(durationText(*job.etaSeconds));
  }
  return row;
}

QueueRow runRow(const queue::JobState& job, std::size_t index) {
  const queue::JobRun& run = job.runs[index];
  const StateText state = runStateText(run.status);
  const bool finished = run.status == report::RunStatus::Finished;
  QueueRow row{.job = job.id,
               .isJob = false,
               .name = run.name,
               .glyph = state.glyph,
               .state = state.word,
               .severity = state.severity,
               .fraction = -1,
               .progress = run.error,
               .time = finished ? durationText(run.seconds) : QString(),
               .loss = finished ? run.loss : kUnknown};
  if (run.status == report::RunStatus::Running && static_cast<int>(index) == job.currentRun) {
    row.progress =
        job.site.isEmpty() ? job.phase : QStringLiteral("%1 · %2").arg(job.phase, job.site);
  }
  return row;
}

QVariant nameCell(const QueueRow& row, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return row.isJob ? row.name : QStringLiteral("      ") + row.name;
    case RawRole:
      return row.name;
    default:
      return {};
  }
}

QVariant stateCell(const QueueRow& row, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return QStringLiteral("%1 %2").arg(row.glyph, row.state);
    case RawRole:
      return row.state;
    case SeverityRole:
      return row.severity == Severity::Fine ? QVariant() : static_cast<int>(row.severity);
    default:
      return {};
  }
}

QVariant progressCell(const QueueRow& row, int role) {
  switch (role) {
    case Qt::DisplayRole:
      if (row.fraction >= 0 && row.progress.isEmpty()) {
        return QStringLiteral("%1 %").arg(static_cast<int>(std::floor(row.fraction * 100)));
      }
      return row.progress;
    case Qt::ToolTipRole:
      return row.progress;
    case ProgressRole:
      return row.fraction < 0 || !row.progress.isEmpty() ? QVariant() : QVariant(row.fraction);
    case DimRole:
      return true;
    default:
      return {};
  }
}

QVariant lossCell(const QueueRow& row, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return std::isnan(row.loss) ? QString() : QString::number(row.loss, 'f', 6);
    case RawRole:
    case Qt::ToolTipRole:
      return exactText(row.loss);
    default:
      return {};
  }
}

}  // namespace

std::shared_ptr<const std::vector<QueueRow>> queueRows(
    const std::vector<queue::JobStatePtr>& jobs) {
  auto rows = std::make_shared<std::vector<QueueRow>>();
  std::for_each(jobs.rbegin(), jobs.rend(), [&rows](const queue::JobStatePtr& job) {
    rows->push_back(jobRow(*job));
    for (std::size_t i = 0; i < job->runs.size(); ++i) {
      rows->push_back(runRow(*job, i));
    }
  });
  return rows;
}

std::vector<Column<QueueRow>> queueColumns() {
  return {
      {.title = translate("Study, run"), .toolTip = {}, .group = {}, .cell = nameCell},
      {.title = translate("State"), .toolTip = {}, .group = {}, .cell = stateCell},
      {.title = translate("Progress"), .toolTip = {}, .group = {}, .cell = progressCell},
      {.title = translate("Time"),
       .toolTip = {},
       .group = {},
       .alignment = kNumbers,
       .cell = [](const QueueRow& row,
                  int role) { return role == Qt::DisplayRole ? QVariant(row.time) : QVariant(); }},
      {.title = translate("Loss"),
       .toolTip = {},
       .group = {},
       .alignment = kNumbers,
       .cell = lossCell}};
}

report::DataTable queueTable(const std::vector<QueueRow>& rows) {
  report::DataTable table;
  table.title = translate("Queue of studies").toStdString();
  for (const char* title : {"Study", "Run", "State", "Progress", "Time", "Loss"}) {
    table.columns.push_back({translate(title).toStdString(), "", ""});
  }
  QString study;
  for (const QueueRow& row : rows) {
    study = row.isJob ? row.name : study;
    std::vector<report::DataCell> cells;
    const auto add = [&cells](const QString& text) {
      if (text.isEmpty()) {
        cells.emplace_back();
      } else {
        cells.emplace_back(text.toStdString());
      }
    };
    add(study);
    add(row.isJob ? QString() : row.name);
    add(row.state);
    add(progressCell(row, Qt::DisplayRole).toString());
    add(row.time);
    if (std::isnan(row.loss)) {
      cells.emplace_back();
    } else {
      cells.emplace_back(row.loss);
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace ulp::views
