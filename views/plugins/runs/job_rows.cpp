#include "views/plugins/runs/job_rows.h"

#include <cmath>
#include <optional>
#include <utility>

#include <QtCore/QCoreApplication>

#include "views/framework/metric_text.h"
#include "views/plugins/runs/run_text.h"

namespace ulp::views {
namespace {

constexpr Qt::Alignment kNumbers = Qt::AlignRight | Qt::AlignVCenter;
constexpr double kPercent = 100;

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::Runs", text);
}

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

QVariant nameCell(const JobRow& row, int role) {
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

QVariant stateCell(const JobRow& row, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return QStringLiteral("%1 %2").arg(row.glyph, row.state);
    case RawRole:
      return row.state;
    case Qt::ToolTipRole:
      return row.reason;
    case SeverityRole:
      return row.severity == Severity::Fine ? QVariant() : static_cast<int>(row.severity);
    default:
      return {};
  }
}

QString shareText(double fraction) {
  return QStringLiteral("%1 %").arg(static_cast<int>(std::floor(fraction * kPercent)));
}

QVariant progressCell(const JobRow& row, int role) {
  const bool hasBegun = row.fraction >= 0;
  switch (role) {
    case Qt::DisplayRole:
      return hasBegun ? shareText(row.fraction) : missingText();
    case RawRole:
      return hasBegun ? shareText(row.fraction) : QString();
    case ProgressRole:
      return hasBegun ? QVariant(row.fraction) : QVariant();
    case DimRole:
      return !hasBegun;
    default:
      return {};
  }
}

/// A number that may not be known.
template <class Text>
auto numberCell(double JobRow::*value, Text text) {
  return [value, text](const JobRow& row, int role) -> QVariant {
    const std::optional<double> number = known(row.*value);
    switch (role) {
      case Qt::DisplayRole:
        return number ? text(*number) : missingText();
      case RawRole:
        return number ? exactText(*number) : QString();
      case DimRole:
        return !number;
      default:
        return {};
    }
  };
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

void add(std::vector<report::DataCell>& cells, const QString& text) {
  if (text.isEmpty()) {
    cells.emplace_back();
  } else {
    cells.emplace_back(text.toStdString());
  }
}

void add(std::vector<report::DataCell>& cells, std::optional<double> number) {
  if (number) {
    cells.emplace_back(*number);
  } else {
    cells.emplace_back();
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
  return {{.title = translate("Study"), .toolTip = {}, .group = {}, .cell = nameCell},
          {.title = translate("State"), .toolTip = {}, .group = {}, .cell = stateCell},
          {.title = translate("Progress"),
           .toolTip = translate("Done of the whole study"),
           .group = {},
           .cell = progressCell},
          {.title = translate("Left"),
           .toolTip = translate("Time left, once one run has been timed"),
           .group = {},
           .alignment = kNumbers,
           .cell = numberCell(&JobRow::left, duration)},
          {.title = translate("Elapsed"),
           .toolTip = translate("Since the worker was started"),
           .group = {},
           .alignment = kNumbers,
           .cell = numberCell(&JobRow::elapsed, duration)},
          {.title = translate("Memory"),
           .toolTip = translate("Main memory of the worker: now, or the most that it had"),
           .group = {},
           .alignment = kNumbers,
           .cell = numberCell(&JobRow::memory, bytes)},
          {.title = translate("Results"),
           .toolTip = translate("Folder of the results"),
           .group = {},
           .cell = outputCell}};
}

report::DataTable jobTable(const std::vector<JobRow>& rows) {
  report::DataTable table;
  table.title = translate("Queue of studies").toStdString();
  table.columns = {{translate("Study").toStdString(), "", ""},
                   {translate("State").toStdString(), "", ""},
                   {translate("Progress").toStdString(), "", ""},
                   {translate("Left").toStdString(), "s", ""},
                   {translate("Elapsed").toStdString(), "s", ""},
                   {translate("Memory").toStdString(), "bytes", ""},
                   {translate("Results").toStdString(), "", ""},
                   {translate("Error").toStdString(), "", ""}};
  for (const JobRow& row : rows) {
    std::vector<report::DataCell> cells;
    add(cells, row.name);
    add(cells, row.state);
    add(cells, progressCell(row, RawRole).toString());
    add(cells, known(row.left));
    add(cells, known(row.elapsed));
    add(cells, known(row.memory));
    add(cells, row.output);
    add(cells, row.reason);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace ulp::views
