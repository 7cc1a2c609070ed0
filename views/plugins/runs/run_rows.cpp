#include "views/plugins/runs/run_rows.h"

#include <cmath>
#include <utility>

#include <QtCore/QCoreApplication>

#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/plugins/runs/row_cells.h"
#include "views/plugins/runs/run_text.h"

namespace ulp::views {
namespace {

constexpr int kLossDecimals = 6;

struct RunRowsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Runs)
};

std::optional<double> ifPositive(double value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

RunRow runRow(const queue::JobState& job, std::size_t index) {
  const queue::JobRun& run = job.runs[index];
  const StateText state = variantStateText(job, run);
  const bool isFinished = run.status == report::RunStatus::Finished;
  const bool isRunning = run.status == report::RunStatus::Running &&
                         static_cast<int>(index) == job.currentRun && !job.isOver();
  // A run that an earlier worker finished may be known by its name alone.
  const bool isMeasured = isFinished && (run.seconds > 0 || run.peakBytes > 0);
  RunRow row{.name = run.name,
             .glyph = state.glyph,
             .state = state.word,
             .severity = state.severity,
             .fraction = isRunning ? run.fraction : -1,
             .place = run.error};
  if (isRunning) {
    row.place = placeText(job);
    row.left = run.etaSeconds;
  }
  row.elapsed = ifPositive(run.elapsedSeconds);
  if (isFinished) {
    row.seconds = ifPositive(run.seconds);
    row.elapsed = row.elapsed ? row.elapsed : row.seconds;
    row.peak = ifPositive(static_cast<double>(run.peakBytes));
  }
  if (isMeasured) {
    row.loss = run.loss;
  }
  return row;
}

QString lossText(double loss) {
  if (std::isnan(loss)) {
    return QStringLiteral("NaN");
  }
  if (std::isinf(loss)) {
    return loss > 0 ? QStringLiteral("+Inf") : QStringLiteral("−Inf");
  }
  return QString::number(loss, 'f', kLossDecimals);
}

QVariant runNameCell(const RunRow& row, int role) {
  const bool isText = role == Qt::DisplayRole || role == RawRole || role == Qt::ToolTipRole;
  return isText ? QVariant(runLabel(row.name)) : QVariant();
}

QVariant runStateCell(const RunRow& row, int role) {
  return stateCell({.glyph = row.glyph, .word = row.state, .severity = row.severity}, role);
}

QVariant runProgressCell(const RunRow& row, int role) {
  return progressCell(row.fraction, role);
}

QVariant runPlaceCell(const RunRow& row, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return row.place.isEmpty() ? missingText() : row.place.section(QLatin1Char('\n'), 0, 0);
    case Qt::ToolTipRole:
    case RawRole:
      return row.place;
    case DimRole:
      return row.place.isEmpty();
    default:
      return {};
  }
}

template <class Text>
auto runNumberCell(std::optional<double> RunRow::*value, Text text) {
  return numberCell<RunRow>([value](const RunRow& row) { return row.*value; }, text);
}

QVariant elapsedCell(const RunRow& row, int role) {
  if (role == Qt::ToolTipRole && row.seconds) {
    return RunRowsWords::tr("Forward and backward pass alone: %1").arg(timeText(row.seconds));
  }
  return runNumberCell(&RunRow::elapsed, [](double seconds) { return timeText(seconds); })(row,
                                                                                           role);
}

QVariant lossCell(const RunRow& row, int role) {
  const bool isOdd = row.loss && !std::isfinite(*row.loss);
  switch (role) {
    case NonFiniteRole:
      return isOdd;
    case RawRole:
    case Qt::ToolTipRole:
      return isOdd ? lossText(*row.loss) : exactText(row.loss.value_or(std::nan("")));
    default:
      return runNumberCell(&RunRow::loss, lossText)(row, role);
  }
}

}  // namespace

std::shared_ptr<const std::vector<RunRow>> runRows(const queue::JobState* job) {
  auto rows = std::make_shared<std::vector<RunRow>>();
  for (std::size_t i = 0; job != nullptr && i < job->runs.size(); ++i) {
    rows->push_back(runRow(*job, i));
  }
  return rows;
}

std::vector<Column<RunRow>> runColumns() {
  const auto duration = [](double seconds) { return timeText(seconds); };
  const auto bytes = [](double count) { return bytesText(static_cast<std::uint64_t>(count)); };
  return {
      {.title = RunRowsWords::tr("Variant"), .toolTip = {}, .group = {}, .cell = runNameCell},
      {.title = RunRowsWords::tr("State"), .toolTip = {}, .group = {}, .cell = runStateCell},
      {.title = RunRowsWords::tr("Progress"),
       .toolTip = RunRowsWords::tr("Done of this run"),
       .group = {},
       .cell = runProgressCell},
      {.title = RunRowsWords::tr("Left"),
       .toolTip = RunRowsWords::tr("Time left of this run, once one has been timed"),
       .group = {},
       .alignment = kNumberAlignment,
       .cell = runNumberCell(&RunRow::left, duration)},
      {.title = RunRowsWords::tr("Elapsed"),
       .toolTip = RunRowsWords::tr("Since the run began: passes, casts, comparisons, writing"),
       .group = {},
       .alignment = kNumberAlignment,
       .cell = elapsedCell},
      {.title = RunRowsWords::tr("Loss"),
       .toolTip = {},
       .group = {},
       .alignment = kNumberAlignment,
       .cell = lossCell},
      {.title = RunRowsWords::tr("Peak memory"),
       .toolTip = RunRowsWords::tr("The most memory of the device; on the CPU of the whole worker"),
       .group = {},
       .alignment = kNumberAlignment,
       .cell = runNumberCell(&RunRow::peak, bytes)},
      {.title = RunRowsWords::tr("Where, or why not"),
       .toolTip = RunRowsWords::tr("Pass and module where the run is, or why it failed"),
       .group = {},
       .cell = runPlaceCell}};
}

report::DataTable runTable(const QString& study, const std::vector<RunRow>& rows) {
  report::DataTable table;
  table.title = RunRowsWords::tr("Runs of %1").arg(study).toStdString();
  table.columns = {{RunRowsWords::tr("Variant").toStdString(), "", ""},
                   {RunRowsWords::tr("State").toStdString(), "", ""},
                   {RunRowsWords::tr("Progress").toStdString(), "", ""},
                   {RunRowsWords::tr("Left").toStdString(), "s", ""},
                   {RunRowsWords::tr("Elapsed").toStdString(), "s", ""},
                   {RunRowsWords::tr("Loss").toStdString(), "", ""},
                   {RunRowsWords::tr("Peak memory").toStdString(), "bytes", ""},
                   {RunRowsWords::tr("Where, or why not").toStdString(), "", ""}};
  for (const RunRow& row : rows) {
    std::vector<report::DataCell> cells;
    addCell(cells, runLabel(row.name));
    addCell(cells, row.state);
    addCell(cells, progressCell(row.fraction, RawRole).toString());
    addCell(cells, row.left);
    addCell(cells, row.elapsed);
    addCell(cells, row.loss);
    addCell(cells, row.peak);
    addCell(cells, row.place);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace ulp::views
