#include "views/plugins/runs/run_rows.h"

#include <cmath>
#include <functional>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/base/text/format_number.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/plugins/runs/run_text.h"

namespace ulp::views {
namespace {

using Number = std::optional<double>;

constexpr std::size_t kLeftColumn = 3;
constexpr std::size_t kElapsedColumn = 4;
constexpr std::size_t kJobMemoryColumn = 5;
constexpr std::size_t kRunMemoryColumn = 6;
constexpr int kLossDecimals = 6;

struct RunRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Runs)
};

Number ifPositive(double value) {
  return value > 0 ? Number(value) : std::nullopt;
}

RunRow jobRow(const queue::JobState& job) {
  const bool isQueued = job.status == queue::JobStatus::Queued;
  RunRow row{.job = job.id,
             .name = studyName(job),
             .label = job.request.host.isEmpty()
                          ? studyName(job)
                          : QStringLiteral("%1 · %2").arg(studyName(job), job.request.host),
             .toolTip = QString::fromStdString(job.request.studyFile.string()),
             .state = jobStateText(job),
             .fraction = isQueued ? Number() : job.fraction,
             .elapsed = isQueued ? Number() : ifPositive(job.elapsedSeconds),
             .place = outputText(job)};
  if (job.status == queue::JobStatus::Failed) {
    row.reason = job.death.isEmpty() ? job.error : job.death;
  }
  if (!job.isOver()) {
    row.left = job.etaSeconds;
  }
  if (job.memory) {
    row.memory =
        static_cast<double>(job.isOver() ? job.memory->peakBytes : job.memory->residentBytes);
  }
  return row;
}

/// Errors of a run begin with its name, which the row shows already.
QString withoutName(const queue::JobRun& run) {
  const QString name = run.name + QStringLiteral(": ");
  return run.error.startsWith(name) ? run.error.mid(name.size()) : run.error;
}

RunRow runRow(const queue::JobState& job, std::size_t index) {
  const queue::JobRun& run = job.runs[index];
  const bool isFinished = run.status == report::RunStatus::Finished;
  const bool hasBegun = run.status == report::RunStatus::Running && !job.isOver();
  const bool isRunning = hasBegun && job.isCurrent(static_cast<int>(index));
  // A run that an earlier worker finished may be known by its name alone.
  const bool isMeasured = isFinished && (run.seconds > 0 || run.peakBytes > 0);
  RunRow row{.name = run.name,
             .label = runLabel(run.name),
             .toolTip = runLabel(run.name),
             .state = variantStateText(job, run),
             .elapsed = ifPositive(run.elapsedSeconds),
             .place = withoutName(run)};
  if (hasBegun) {
    row.fraction = run.fraction < 0 ? Number() : run.fraction;
  }
  if (isRunning) {
    row.place = run.phase.isEmpty() ? placeText(job) : placeText(run.phase, run.site);
    row.left = run.etaSeconds;
  }
  if (isFinished) {
    row.seconds = ifPositive(run.seconds);
    row.elapsed = row.elapsed ? row.elapsed : row.seconds;
    row.memory = ifPositive(static_cast<double>(run.peakBytes));
  }
  if (isMeasured) {
    row.loss = run.loss;
  }
  return row;
}

QString lossText(const Number& loss) {
  if (!loss) {
    return missingText();
  }
  return std::isfinite(*loss) ? QString::number(*loss, 'f', kLossDecimals)
                              : QString::fromStdString(formatExact(*loss));
}

/// The roles of a text that may be empty, which then is a gap, also where it is exported.
template <class Text>
CellRoles<RunRow> gapRoles(Text text) {
  const auto isGap = [text](const RunRow& row) { return std::invoke(text, row).isEmpty(); };
  return {{Qt::DisplayRole,
           [=](const RunRow& row) { return isGap(row) ? missingText() : std::invoke(text, row); }},
          {SortRole,
           [=](const RunRow& row) {
             return isGap(row) ? QVariant() : QVariant(std::invoke(text, row));
           }},
          {RawRole, text},
          {DimRole, isGap}};
}

Column<RunRow> runNameColumn(const QString& title) {
  return {.title = title,
          .roles = {{Qt::DisplayRole, &RunRow::label}, {Qt::ToolTipRole, &RunRow::toolTip}}};
}

/// Glyph and word; the glyph in the colour of its severity. The tool tip says why a job failed.
Column<RunRow> stateColumn() {
  return {.title = RunRowsWords::tr("State"),
          .roles = {{Qt::DisplayRole, [](const RunRow& row) { return stateText(row.state); }},
                    {RawRole, [](const RunRow& row) { return row.state.word; }},
                    {SeverityRole,
                     [](const RunRow& row) {
                       return row.state.severity == Severity::Fine
                                  ? QVariant()
                                  : QVariant(static_cast<int>(row.state.severity));
                     }},
                    {Qt::ToolTipRole, &RunRow::reason}}};
}

/// A bar with its percentage.
Column<RunRow> progressColumn(const QString& toolTip) {
  Column<RunRow> column{.title = RunRowsWords::tr("Progress"),
                        .toolTip = toolTip,
                        .roles = gapRoles([](const RunRow& row) {
                          return row.fraction ? shareText(*row.fraction) : QString();
                        })};
  column.roles[ProgressRole] = [](const RunRow& row) {
    return row.fraction ? QVariant(*row.fraction) : QVariant();
  };
  return column;
}

/// A number that may not be known.
Column<RunRow> numberColumn(const QString& title,
                            const QString& toolTip,
                            Number RunRow::*value,
                            QString (*write)(const Number&)) {
  return {
      .title = title,
      .toolTip = toolTip,
      .alignment = kNumberAlignment,
      .roles = {
          {Qt::DisplayRole, [=](const RunRow& row) { return write(row.*value); }},
          {SortRole,
           [=](const RunRow& row) { return row.*value ? QVariant(*(row.*value)) : QVariant(); }},
          {RawRole,
           [=](const RunRow& row) {
             return row.*value ? QString::fromStdString(formatExact(*(row.*value))) : QString();
           }},
          {DimRole, [=](const RunRow& row) { return !(row.*value); }}}};
}

Column<RunRow> leftColumn(const QString& toolTip) {
  return numberColumn(RunRowsWords::tr("Left"), toolTip, &RunRow::left, timeText);
}

Column<RunRow> elapsedColumn(const QString& toolTip) {
  auto column = numberColumn(RunRowsWords::tr("Elapsed"), toolTip, &RunRow::elapsed, timeText);
  column.roles[Qt::ToolTipRole] = [](const RunRow& row) {
    return row.seconds
               ? RunRowsWords::tr("Forward and backward pass alone: %1").arg(timeText(row.seconds))
               : QString();
  };
  return column;
}

Column<RunRow> runLossColumn() {
  auto column = numberColumn(RunRowsWords::tr("Loss"), {}, &RunRow::loss, lossText);
  column.roles[NonFiniteRole] = [](const RunRow& row) {
    return row.loss && !std::isfinite(*row.loss);
  };
  column.roles[Qt::ToolTipRole] = column.roles[RawRole];
  return column;
}

Column<RunRow> runPlaceColumn(const QString& title, const QString& toolTip) {
  Column<RunRow> column{.title = title, .toolTip = toolTip, .roles = gapRoles(&RunRow::place)};
  column.roles[Qt::ToolTipRole] = &RunRow::place;
  return column;
}

report::DataTable withUnits(report::DataTable table, std::size_t memoryColumn) {
  table.columns[kLeftColumn].unit = "s";
  table.columns[kElapsedColumn].unit = "s";
  table.columns[memoryColumn].unit = "bytes";
  return table;
}

}  // namespace

RunsModel::Rows jobRows(const std::vector<queue::JobStatePtr>& jobs) {
  auto rows = std::make_shared<std::vector<RunRow>>();
  for (const queue::JobStatePtr& job : jobs) {
    rows->push_back(jobRow(*job));
  }
  return rows;
}

RunsModel::Rows runRows(const queue::JobState* job) {
  auto rows = std::make_shared<std::vector<RunRow>>();
  for (std::size_t i = 0; job != nullptr && i < job->runs.size(); ++i) {
    rows->push_back(runRow(*job, i));
  }
  return rows;
}

std::vector<Column<RunRow>> jobColumns() {
  std::vector<Column<RunRow>> columns{
      runNameColumn(RunRowsWords::tr("Study")),
      stateColumn(),
      progressColumn(RunRowsWords::tr("Done of the whole study")),
      leftColumn(RunRowsWords::tr("Time left, once one run has been timed")),
      elapsedColumn(RunRowsWords::tr("Since the worker was started")),
      numberColumn(RunRowsWords::tr("Memory"),
                   RunRowsWords::tr("Main memory of the worker: now, or the most that it had"),
                   &RunRow::memory,
                   bytesText),
      runPlaceColumn(RunRowsWords::tr("Results"), RunRowsWords::tr("Folder of the results"))};
  columns.back().roles[DimRole] = [](const RunRow& /*row*/) { return true; };
  return columns;
}

std::vector<Column<RunRow>> runColumns() {
  std::vector<Column<RunRow>> columns{
      runNameColumn(RunRowsWords::tr("Variant")),
      stateColumn(),
      progressColumn(RunRowsWords::tr("Done of this run")),
      leftColumn(RunRowsWords::tr("Time left of this run, once one has been timed")),
      elapsedColumn(
          RunRowsWords::tr("In which the run went on: passes, casts, comparisons, writing")),
      runLossColumn(),
      numberColumn(
          RunRowsWords::tr("Peak memory"),
          RunRowsWords::tr("The most memory of the device; on the CPU of the whole worker"),
          &RunRow::memory,
          bytesText),
      runPlaceColumn(RunRowsWords::tr("Where, or why not"),
                     RunRowsWords::tr("Pass and module where the run is, or why it failed"))};
  columns.back().roles[Qt::DisplayRole] = [](const RunRow& row) {
    return row.place.isEmpty() ? missingText() : row.place.section(QLatin1Char('\n'), 0, 0);
  };
  return columns;
}

report::DataTable jobTable(const std::vector<RunRow>& rows) {
  auto columns = jobColumns();
  columns.push_back({.title = RunRowsWords::tr("Error"), .roles = gapRoles(&RunRow::reason)});
  return withUnits(dataOf(RunRowsWords::tr("Queue of studies"), columns, rows), kJobMemoryColumn);
}

report::DataTable runTable(const QString& study, const std::vector<RunRow>& rows) {
  return withUnits(dataOf(RunRowsWords::tr("Runs of %1").arg(study), runColumns(), rows),
                   kRunMemoryColumn);
}

}  // namespace ulp::views
