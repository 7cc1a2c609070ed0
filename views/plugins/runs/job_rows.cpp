#include "views/plugins/runs/job_rows.h"

#include <optional>
#include <utility>

#include <QtCore/QCoreApplication>

#include "views/framework/words/metric_text.h"
#include "views/plugins/runs/row_cells.h"
#include "views/plugins/runs/run_text.h"

namespace ulp::views {
namespace {

struct JobRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Runs)
};

std::optional<double> known(double value) {
  return value < 0 ? std::nullopt : std::optional(value);
}

double memoryOf(const queue::JobState& job) {
  if (!job.memory) {
    return -1;
  }
  return static_cast<double>(job.isOver() ? job.memory->peakBytes : job.memory->residentBytes);
}

JobRow jobRow(const queue::JobState& job) {
  const StateText state = jobStateText(job);
  const bool hasBegun = job.status != queue::JobStatus::Queued && job.elapsedSeconds > 0;
  JobRow row{.job = job.id,
             .name = studyName(job),
             .file = QString::fromStdString(job.request.studyFile.string()),
             .glyph = state.glyph,
             .state = state.word,
             .severity = state.severity,
             .fraction = job.status == queue::JobStatus::Queued ? -1 : job.fraction,
             .reason = {},
             .elapsed = hasBegun ? job.elapsedSeconds : -1,
             .left = job.isOver() ? -1 : job.etaSeconds.value_or(-1),
             .memory = memoryOf(job),
             .output = outputText(job)};
  if (job.status == queue::JobStatus::Failed) {
    row.reason = job.death.isEmpty() ? job.error : job.death;
  }
  return row;
}

QVariant jobNameCell(const JobRow& row, int role) {
  switch (role) {
    case Qt::DisplayRole:
    case RawRole:
      return row.name;
    case Qt::ToolTipRole:
      return row.file;
    default:
      return {};
  }
}

QVariant jobStateCell(const JobRow& row, int role) {
  return role == Qt::ToolTipRole
             ? QVariant(row.reason)
             : stateCell({.glyph = row.glyph, .word = row.state, .severity = row.severity}, role);
}

QVariant jobProgressCell(const JobRow& row, int role) {
  return progressCell(row.fraction, role);
}

template <class Text>
auto jobNumberCell(double JobRow::*value, Text text) {
  return numberCell<JobRow>([value](const JobRow& row) { return known(row.*value); }, text);
}

QVariant outputCell(const JobRow& row, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return row.output.isEmpty() ? missingText() : row.output;
    case Qt::ToolTipRole:
    case RawRole:
      return row.output;
    case DimRole:
      return true;
    default:
      return {};
  }
}

}  // namespace

std::shared_ptr<const std::vector<JobRow>> jobRows(const std::vector<queue::JobStatePtr>& jobs) {
  auto rows = std::make_shared<std::vector<JobRow>>();
  for (const queue::JobStatePtr& job : jobs) {
    rows->push_back(jobRow(*job));
  }
  return rows;
}

std::vector<Column<JobRow>> jobColumns() {
  const auto duration = [](double seconds) { return timeText(seconds); };
  const auto bytes = [](double count) { return bytesText(static_cast<std::uint64_t>(count)); };
  return {{.title = JobRowsWords::tr("Study"), .toolTip = {}, .group = {}, .cell = jobNameCell},
          {.title = JobRowsWords::tr("State"), .toolTip = {}, .group = {}, .cell = jobStateCell},
          {.title = JobRowsWords::tr("Progress"),
           .toolTip = JobRowsWords::tr("Done of the whole study"),
           .group = {},
           .cell = jobProgressCell},
          {.title = JobRowsWords::tr("Left"),
           .toolTip = JobRowsWords::tr("Time left, once one run has been timed"),
           .group = {},
           .alignment = kNumberAlignment,
           .cell = jobNumberCell(&JobRow::left, duration)},
          {.title = JobRowsWords::tr("Elapsed"),
           .toolTip = JobRowsWords::tr("Since the worker was started"),
           .group = {},
           .alignment = kNumberAlignment,
           .cell = jobNumberCell(&JobRow::elapsed, duration)},
          {.title = JobRowsWords::tr("Memory"),
           .toolTip = JobRowsWords::tr("Main memory of the worker: now, or the most that it had"),
           .group = {},
           .alignment = kNumberAlignment,
           .cell = jobNumberCell(&JobRow::memory, bytes)},
          {.title = JobRowsWords::tr("Results"),
           .toolTip = JobRowsWords::tr("Folder of the results"),
           .group = {},
           .cell = outputCell}};
}

report::DataTable jobTable(const std::vector<JobRow>& rows) {
  report::DataTable table;
  table.title = JobRowsWords::tr("Queue of studies").toStdString();
  table.columns = {{JobRowsWords::tr("Study").toStdString(), "", ""},
                   {JobRowsWords::tr("State").toStdString(), "", ""},
                   {JobRowsWords::tr("Progress").toStdString(), "", ""},
                   {JobRowsWords::tr("Left").toStdString(), "s", ""},
                   {JobRowsWords::tr("Elapsed").toStdString(), "s", ""},
                   {JobRowsWords::tr("Memory").toStdString(), "bytes", ""},
                   {JobRowsWords::tr("Results").toStdString(), "", ""},
                   {JobRowsWords::tr("Error").toStdString(), "", ""}};
  for (const JobRow& row : rows) {
    std::vector<report::DataCell> cells;
    addCell(cells, row.name);
    addCell(cells, row.state);
    addCell(cells, progressCell(row.fraction, RawRole).toString());
    addCell(cells, known(row.left));
    addCell(cells, known(row.elapsed));
    addCell(cells, known(row.memory));
    addCell(cells, row.output);
    addCell(cells, row.reason);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace ulp::views
