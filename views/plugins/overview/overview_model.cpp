#include "views/plugins/overview/overview_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/base/text/format_number.h"
#include "views/framework/document/other_inputs.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/term_text.h"

namespace ulp::views {
namespace {

struct OverviewModelWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Overview)
};

/// Clip decisions of all terms that are others than in the reference.
double flipsOf(const report::StepSummary& step) {
  double flips = kUndefined;
  for (const report::LossTermSummary& term : step.terms) {
    if (term.clips && term.clips->flips) {
      flips = (std::isnan(flips) ? 0 : flips) + static_cast<double>(*term.clips->flips);
    }
  }
  return flips;
}

/// Reports of dumps and of other tools have neither loss nor times.
bool isMeasured(const report::Run& run) {
  return run.hasLoss || run.seconds > 0;
}

OverviewRow rowOf(const report::Run& run, int style) {
  // A run that waits or broke off has no time: 0 would be one.
  const bool hasRun = run.status == report::RunStatus::Finished || run.seconds > 0;
  return {.run = QString::fromStdString(run.name),
          .style = style,
          .status = run.status,
          .loss = run.loss,
          .hasLoss = run.hasLoss && run.status == report::RunStatus::Finished,
          .samples = run.samples,
          .lossSpread = run.lossSpread,
          .flips = flipsOf(run.step),
          .flippedTokens = report::flippedShare(run.routers),
          .seconds = hasRun && isMeasured(run) ? run.seconds : kUndefined,
          .peakBytes = run.peakBytes,
          .error = QString::fromStdString(run.error)};
}

/// Where the worst finite value of the table is.
struct WorstCell {
  int row = -1;
  int cell = -1;
};

WorstCell findWorst(const std::vector<OverviewRow>& rows, const MetricInfo& metric) {
  WorstCell worst;
  double most = -std::numeric_limits<double>::infinity();
  const double sign = metric.better == numerics::Better::Lower ? 1 : -1;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t cell = 0; cell < rows[row].cells.size(); ++cell) {
      const report::SummaryCell& here = rows[row].cells[cell];
      if (!here.site.name.empty() && sign * here.value > most) {
        most = sign * here.value;
        worst = {static_cast<int>(row), static_cast<int>(cell)};
      }
    }
  }
  return worst;
}

CellRoles<OverviewRow> runRoles() {
  return {{Qt::DisplayRole, &OverviewRow::run},
          {VariantRole,
           [](const OverviewRow& row) { return row.style < 0 ? QVariant() : QVariant(row.style); }},
          {DimRole, [](const OverviewRow& row) { return row.style < 0; }},
          {Qt::ToolTipRole, [](const OverviewRow& row) {
             return row.error.isEmpty() ? row.run
                                        : QStringLiteral("%1\n%2").arg(row.run, row.error);
           }}};
}

QVariant overviewStateCell(const OverviewRow& row, int role) {
  const StateText state = runStateText(row.status);
  switch (role) {
    case Qt::DisplayRole:
      return QStringLiteral("%1 %2").arg(state.glyph, state.word);
    case SortRole:
      return static_cast<int>(row.status);
    case RawRole:
      return state.word;
    case SeverityRole:
      return state.severity == Severity::Fine ? QVariant() : static_cast<int>(state.severity);
    case DimRole:
      return state.severity == Severity::Fine;
    case Qt::ToolTipRole:
      return row.error;
    default:
      return {};
  }
}

QString summaryToolTip(const report::SummaryCell& cell, const MetricInfo& metric) {
  QString text = QStringLiteral("%1 = %2").arg(
      metric.label,
      std::isnan(cell.value) ? metricText(cell.value, metric, cell.nonFinite > 0)
                             : exactText(cell.value));
  if (!cell.site.name.empty()) {
    text.prepend(QString::fromStdString(cell.site.name) + QLatin1Char('\n'));
  }
  if (const QString spread = spreadHelp(cell.spread, cell.samples, metric); !spread.isEmpty()) {
    text += QLatin1Char('\n') + spread;
  }
  if (cell.nonFinite > 0) {
    text += QLatin1Char('\n') + OverviewModelWords::tr("%1 elements are not finite")
                                    .arg(static_cast<qulonglong>(cell.nonFinite));
  }
  return text;
}

/// How the means of a column are written, with their intervals behind them.
struct CellFormat {
  ColumnFormat number{};
  qsizetype intervalSize = 0;  ///< characters of the longest

  void widenFor(const report::Spread& spread, std::uint64_t samples, numerics::MetricUnit unit) {
    intervalSize = std::max(intervalSize, intervalText(spread, samples, unit).size());
  }
  /// So that the numbers in front stand under each other.
  [[nodiscard]] QString padded(const QString& interval, double value) const {
    return std::isfinite(value) ? interval.leftJustified(intervalSize, QChar::Nbsp) : interval;
  }
};

QString summaryText(const report::SummaryCell& cell,
                    const CellFormat& format,
                    const MetricInfo& metric) {
  const QString interval = intervalText(cell.spread, cell.samples, metric.unit);
  const QString value =
      format.number.text(cell.value, cell.nonFinite > 0) + format.padded(interval, cell.value);
  return cell.nonFinite == 0 ? value : severityGlyph(Severity::Broken) + QLatin1Char(' ') + value;
}

/// Of a mean over several samples alone, in the unit of the exact text beside it.
QVariant intervalCell(const report::Spread& spread, std::uint64_t samples) {
  return samples < 2 || !isKnown(spread)
             ? QVariant()
             : QVariant(exactText(report::halfInterval(spread, samples)));
}

QString noiseHelp(const OverviewRow& row, std::size_t index, const MetricInfo& metric) {
  QString text;
  if (index < row.floors.size() && !std::isnan(row.floors[index])) {
    text += QLatin1Char('\n') +
            OverviewModelWords::tr("noise: %1").arg(metricTextWithUnit(row.floors[index], metric));
  }
  if (index < row.withinNoise.size() && row.withinNoise[index]) {
    text += QLatin1Char('\n') +
            OverviewModelWords::tr("within the noise, which need not mean anything");
  }
  return text;
}

QVariant summaryCell(const OverviewRow& row,
                     std::size_t index,
                     int role,
                     const CellFormat& format,
                     const MetricInfo& metric) {
  if (index >= row.cells.size()) {
    const bool shown = role == Qt::DisplayRole;
    return shown ? QVariant(missingText()) : (role == DimRole ? QVariant(true) : QVariant());
  }
  const report::SummaryCell& cell = row.cells[index];
  const bool isNoise = index < row.withinNoise.size() && row.withinNoise[index];
  switch (role) {
    case Qt::DisplayRole:
      return summaryText(cell, format, metric);
    case SortRole:
      return cell.value;
    case RawRole:
      return exactText(cell.value);
    case IntervalRole:
      return intervalCell(cell.spread, cell.samples);
    case Qt::ToolTipRole:
      return summaryToolTip(cell, metric) + noiseHelp(row, index, metric);
    case DimRole:
      return isNoise || (std::isnan(cell.value) && cell.nonFinite == 0);
    case NonFiniteRole:
      return cell.nonFinite > 0;
    case EmphasisRole:
      return row.worstCell == static_cast<int>(index);
    default:
      return {};
  }
}

/// The metric of a variant along the layers, not yet scaled.
struct DepthValues {
  std::vector<double> values;
  std::vector<bool> nonFinite;
  std::size_t fold = 0;
};

DepthValues depthValues(const ReportDocument& document, int variant, int metric) {
  DepthValues depth;
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    for (std::size_t i = 0; i < document.sites().size(); ++i) {
      const Site& site = document.sites()[i];
      if (site.pass != pass || site.level != Level::Layer || site.name == "loss") {
        continue;
      }
      const auto place = static_cast<int>(i);
      const report::Comparison* row = document.comparison(variant, place);
      depth.values.push_back(document.value(variant, place, metric));
      depth.nonFinite.push_back(row != nullptr && row->variantNonFinite.total() > 0);
    }
    depth.fold = pass == Pass::Forward ? depth.values.size() : depth.fold;
  }
  return depth;
}

/// Widens low … high, in log10 where that is asked for, to hold the values.
void widen(const std::vector<double>& values, bool logarithmic, double& low, double& high) {
  for (const double value : values) {
    if (std::isfinite(value) && (!logarithmic || value > 0)) {
      low = std::min(low, logarithmic ? std::log10(value) : value);
      high = std::max(high, logarithmic ? std::log10(value) : value);
    }
  }
}

/// One scale for all variants, so that curves can be compared by eye.
void addSparklines(const ReportDocument& document,
                   int metric,
                   const MetricInfo& info,
                   std::vector<OverviewRow>& rows) {
  const bool logarithmic = info.scale == numerics::MetricScale::Logarithmic;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  std::vector<DepthValues> depths(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].style < 0 || rows[i].cells.empty()) {
      continue;
    }
    depths[i] = depthValues(document, document.findVariant(rows[i].run), metric);
    widen(depths[i].values, logarithmic, low, high);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!depths[i].values.empty()) {
      rows[i].depth = std::make_shared<const Sparkline>(
          Sparkline{.heights = sparkHeights(depths[i].values, logarithmic, low, high),
                    .nonFinite = std::move(depths[i].nonFinite),
                    .fold = depths[i].fold,
                    .style = rows[i].style});
    }
  }
}

void markNoise(const ReportDocument& document,
               const NoiseRuns& noise,
               int metric,
               std::vector<OverviewRow>& rows) {
  for (OverviewRow& row : rows) {
    const int variant = document.findVariant(row.run);
    for (const report::SummaryCell& cell : row.cells) {
      const int site = document.findSite(cell.site.name, cell.site.pass);
      const bool isKnown = variant >= 0 && site >= 0;
      row.floors.push_back(isKnown ? noiseFloorAt(document, noise, {variant, site, metric})
                                   : kUndefined);
      row.withinNoise.push_back(isKnown && isWithinNoise(document, noise, {variant, site, metric}));
    }
  }
}

/// The floor's runs have the same summary as variants; each column is measured by the worst of
/// them, as it is in reports in text.
void markFloor(const ReportDocument& document,
               const MetricInfo& metric,
               const std::vector<report::SummaryRow>& summary,
               std::vector<OverviewRow>& rows) {
  const std::vector<double> worst = report::summaryFloor(summary, metric.id.toStdString());
  if (worst.empty()) {
    return;
  }
  for (OverviewRow& row : rows) {
    if (!document.hasNoiseFloor(document.findVariant(row.run))) {
      continue;
    }
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      row.floors.push_back(worst[row.columns[i]]);
      row.withinNoise.push_back(
          numerics::isNoWorse(row.cells[i].value, row.floors.back(), metric.better));
    }
  }
}

CellRoles<OverviewRow> depthRoles() {
  return {{SparklineRole,
           [](const OverviewRow& row) {
             return row.depth ? QVariant::fromValue(row.depth) : QVariant();
           }},
          {Qt::DisplayRole,
           [](const OverviewRow& row) { return row.depth ? QVariant() : QVariant(missingText()); }},
          {DimRole, [](const OverviewRow& row) { return row.depth == nullptr; }},
          {Qt::AccessibleTextRole, [](const OverviewRow& row) {
             return row.depth ? OverviewModelWords::tr("curve of the error by depth")
                              : OverviewModelWords::tr("no curve yet");
           }}};
}

Column<OverviewRow> numberColumn(const QString& title,
                                 double OverviewRow::*member,
                                 QString (*textOf)(double)) {
  Column<OverviewRow> column{.title = title,
                             .group = OverviewModelWords::tr("Run"),
                             .alignment = kNumberAlignment,
                             .roles = numberRoles<OverviewRow>(member, [textOf](double value) {
                               return std::isnan(value) ? missingText() : textOf(value);
                             })};
  column.roles[DimRole] = [member](const OverviewRow& row) {
    return row.style < 0 || std::isnan(row.*member);
  };
  return column;
}

/// Takes the columns out that no variant has.
void keepShown(std::vector<OverviewRow>& rows) {
  const std::vector<std::size_t> shown = report::shownColumns(rows, &OverviewRow::cells);
  for (OverviewRow& row : rows) {
    row.columns = shown;
    std::vector<report::SummaryCell> kept;
    for (std::size_t i = 0; i < shown.size() && !row.cells.empty(); ++i) {
      kept.push_back(std::move(row.cells[shown[i]]));
    }
    row.cells = std::move(kept);
  }
}

/// With its interval where it is a mean over several samples.
Column<OverviewRow> lossColumn(const std::vector<OverviewRow>& rows) {
  static const MetricInfo kLoss{.scale = numerics::MetricScale::Linear};
  const auto isBroken = [](const OverviewRow& row) {
    return row.hasLoss && !std::isfinite(row.loss);
  };
  Column<OverviewRow> column =
      numberColumn(OverviewModelWords::tr("Loss"), &OverviewRow::loss, [](double value) {
        return QString::number(value, 'f', 6);
      });
  CellFormat format;
  for (const OverviewRow& row : rows) {
    format.widenFor(row.lossSpread, row.samples, kLoss.unit);
  }
  const CellRoles<OverviewRow> plain = column.roles;
  column.roles[NonFiniteRole] = isBroken;
  column.roles[DimRole] = [isBroken, isDim = plain.at(DimRole)](const OverviewRow& row) {
    return !isBroken(row) && isDim(row).toBool();
  };
  column.roles[Qt::DisplayRole] = [isBroken, format, text = plain.at(Qt::DisplayRole)](
                                      const OverviewRow& row) {
    return isBroken(row)
               ? severityGlyph(Severity::Broken) + QLatin1Char(' ') +
                     QString::fromStdString(formatExact(row.loss))
               : text(row).toString() +
                     format.padded(intervalText(row.lossSpread, row.samples, kLoss.unit), row.loss);
  };
  column.roles[IntervalRole] = [](const OverviewRow& row) {
    return intervalCell(row.lossSpread, row.samples);
  };
  column.roles[Qt::ToolTipRole] = [exact = plain.at(RawRole)](const OverviewRow& row) {
    const QString help = spreadHelp(row.lossSpread, row.samples, kLoss);
    return help.isEmpty() ? exact(row).toString()
                          : exact(row).toString() + QLatin1Char('\n') + help;
  };
  return column;
}

std::vector<Column<OverviewRow>> columnsOf(const std::vector<OverviewRow>& rows,
                                           const MetricInfo& metric) {
  std::vector<Column<OverviewRow>> columns;
  columns.push_back({.title = OverviewModelWords::tr("Variant"), .roles = runRoles()});
  columns.push_back(
      {.title = OverviewModelWords::tr("By depth"),
       .toolTip = OverviewModelWords::tr("The metric along the layers, forward then backward, on "
                                         "one scale for all variants; triangles mark values that "
                                         "are not finite"),
       .roles = depthRoles()});
  const std::vector<std::size_t> shown = columnsIn(rows);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const report::SummaryColumn& summary = report::summaryColumns()[shown[i]];
    std::vector<double> values;
    CellFormat format;
    for (const OverviewRow& row : rows) {
      if (i < row.cells.size()) {
        values.push_back(row.cells[i].value);
        format.widenFor(row.cells[i].spread, row.cells[i].samples, metric.unit);
      }
    }
    format.number = ColumnFormat(values, metric);
    columns.push_back(
        {.title = summaryTitle(summary),
         .toolTip = metricHelp(metric),
         .group = QStringLiteral("%1 · %2").arg(passName(summary.pass), metricHeader(metric)),
         .alignment = kNumberAlignment,
         .cell = [i, format, metric](const OverviewRow& row, int role) {
           return summaryCell(row, i, role, format, metric);
         }});
  }
  columns.push_back(lossColumn(rows));
  if (hasFlips(rows)) {
    columns.push_back(numberColumn(OverviewModelWords::tr("Flips"),
                                   &OverviewRow::flips,
                                   [](double value) { return QString::number(value, 'f', 0); }));
    columns.back().toolTip =
        OverviewModelWords::tr("Clip decisions that are others than in the reference");
  }
  if (hasRouters(rows)) {
    columns.push_back(numberColumn(
        OverviewModelWords::tr("Other experts, %"), &OverviewRow::flippedTokens, [](double value) {
          return metricText(value, {.unit = numerics::MetricUnit::Percent});
        }));
    columns.back().toolTip = OverviewModelWords::tr(
        "Tokens for which routers choose other experts than in the reference, of all layers");
  }
  columns.push_back(
      numberColumn(OverviewModelWords::tr("Time"), &OverviewRow::seconds, [](double value) {
        return QString::fromStdString(formatDuration(value));
      }));
  const bool allFinished = std::all_of(rows.begin(), rows.end(), [](const OverviewRow& row) {
    return row.status == report::RunStatus::Finished;
  });
  if (!allFinished) {
    columns.push_back({.title = OverviewModelWords::tr("State"),
                       .group = OverviewModelWords::tr("Run"),
                       .cell = overviewStateCell});
  }
  return columns;
}

}  // namespace

bool hasFlips(const std::vector<OverviewRow>& rows) {
  return std::ranges::any_of(rows, [](const OverviewRow& row) { return !std::isnan(row.flips); });
}

bool hasRouters(const std::vector<OverviewRow>& rows) {
  return std::ranges::any_of(rows,
                             [](const OverviewRow& row) { return !std::isnan(row.flippedTokens); });
}

std::vector<std::size_t> columnsIn(const std::vector<OverviewRow>& rows) {
  return rows.empty() ? std::vector<std::size_t>{} : rows.front().columns;
}

Overview makeOverview(const ReportDocument& document,
                      const QString& metric,
                      const NoiseRuns& noise) {
  std::vector<OverviewRow> rows;
  if (const report::Run* reference = document.referenceRun()) {
    rows.push_back(rowOf(*reference, -1));
  }
  for (int i = 0; i < document.variantCount(); ++i) {
    rows.push_back(rowOf(document.variant(i), document.styleOf(i)));
  }
  const int column = document.findMetric(metric);
  const MetricInfo info =
      column < 0 ? MetricInfo{} : document.metrics()[static_cast<std::size_t>(column)];
  const std::vector<report::SummaryRow> summary =
      report::summarise(document.report(), metric.toStdString());
  for (const report::SummaryRow& summarised : summary) {
    const auto row =
        std::ranges::find(rows, QString::fromStdString(summarised.run), &OverviewRow::run);
    if (row != rows.end()) {
      row->cells = summarised.cells;
    }
  }
  keepShown(rows);
  const WorstCell worst = findWorst(rows, info);
  if (worst.row >= 0) {
    rows[static_cast<std::size_t>(worst.row)].worstCell = worst.cell;
  }
  addSparklines(document, column, info, rows);
  if (noise.isFloor && column >= 0 && measuresError(info)) {
    markFloor(document, info, summary, rows);
  } else if (!noise.isEmpty() && column >= 0) {
    markNoise(document, noise, column, rows);
  }
  Overview overview;
  QStringList sentences{
      noise.isEmpty() ? QString() : OverviewModelWords::tr("dim: %1").arg(withinNoiseText(noise)),
      otherInputsText(document),
      unknownFloorText(document)};
  if (document.hasSpread()) {
    sentences << OverviewModelWords::tr("±: 95 % interval of the mean over the samples");
  }
  sentences.removeAll(QString());
  overview.headline = sentences.join(QStringLiteral(" · "));
  overview.columns = columnsOf(rows, info);
  overview.rows = std::make_shared<const std::vector<OverviewRow>>(std::move(rows));
  return overview;
}

}  // namespace ulp::views
