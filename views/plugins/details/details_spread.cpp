#include "views/plugins/details/details_spread.h"

#include <cmath>
#include <functional>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/report/tables/data_table.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {
namespace {

struct DetailsSpreadWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Details)
};

/// A column of numbers: what it shows, and whether in the unit of the row.
struct NumberColumn {
  QString title;
  QString toolTip;
  std::function<double(const SpreadRow&)> value;
  bool isCount = false;
  bool isWidth = false;  ///< of a distribution
  bool isMean = false;
};

double finiteOf(const SpreadRow& row) {
  return static_cast<double>(finiteSamples(row.spread, row.samples));
}

std::vector<NumberColumn> numberColumns(const ReportDocument& document, const NoiseRuns& noise) {
  const bool hasSpread = document.hasSpread();
  std::vector<NumberColumn> columns{
      {.title = hasSpread ? DetailsSpreadWords::tr("Mean") : DetailsSpreadWords::tr("Value"),
       .toolTip = hasSpread ? DetailsSpreadWords::tr("Mean over the samples in which it is finite")
                            : QString(),
       .value = [](const SpreadRow& row) { return row.mean; },
       .isMean = true}};
  if (hasSpread) {
    columns.push_back(
        {.title = QStringLiteral("±"),
         .toolTip = DetailsSpreadWords::tr("Half of the 95 % interval of the mean (Student's t)"),
         .value = [](const SpreadRow& row) { return row.half; },
         .isWidth = true});
    columns.push_back({.title = DetailsSpreadWords::tr("sd"),
                       .toolTip = DetailsSpreadWords::tr("Standard deviation over the samples"),
                       .value = [](const SpreadRow& row) { return row.spread.sd; },
                       .isWidth = true});
    columns.push_back({.title = DetailsSpreadWords::tr("Smallest"),
                       .value = [](const SpreadRow& row) { return row.spread.minimum; }});
    columns.push_back({.title = DetailsSpreadWords::tr("Largest"),
                       .value = [](const SpreadRow& row) { return row.spread.maximum; }});
    columns.push_back({.title = QStringLiteral("n"),
                       .toolTip = DetailsSpreadWords::tr("Samples in which it is a finite number"),
                       .value = finiteOf,
                       .isCount = true});
    columns.push_back(
        {.title = DetailsSpreadWords::tr("Undefined"),
         .toolTip = DetailsSpreadWords::tr("Samples in which it is NaN or infinite"),
         .value = [](const SpreadRow& row) { return static_cast<double>(row.spread.undefined); },
         .isCount = true});
  }
  if (!noise.isEmpty()) {
    columns.push_back({.title = noise.isFloor ? DetailsSpreadWords::tr("Noise floor")
                                              : DetailsSpreadWords::tr("Noise"),
                       .toolTip = noiseText(noise),
                       .value = [](const SpreadRow& row) { return row.floor; }});
  }
  return columns;
}

QVariant spreadNumberCell(const SpreadRow& row, const NumberColumn& column, int role) {
  const double value = column.value(row);
  const double shown = column.isCount ? value : inUnit(value, row.metric);
  switch (role) {
    case Qt::DisplayRole:
      if (column.isCount) {
        return QString::number(value, 'f', 0);
      }
      return column.isWidth ? widthText(value, row.metric)
                            : metricText(value, row.metric, row.isNonFinite && column.isMean);
    case SortRole:
      return std::isnan(value) ? QVariant() : QVariant(shown);
    case RawRole:
    case Qt::ToolTipRole:
      return exactText(shown);
    case DimRole:
      return std::isnan(value) || value == 0 || row.isWithinNoise;
    default:
      return {};
  }
}

QString verdictOf(const SpreadRow& row) {
  if (row.isSystematic) {
    return DetailsSpreadWords::tr("systematic");
  }
  return row.isWithinNoise ? DetailsSpreadWords::tr("within noise") : QString();
}

CellRoles<SpreadRow> verdictRoles() {
  return {{Qt::DisplayRole, verdictOf},
          {Qt::ToolTipRole, [](const SpreadRow& row) {
             return row.isSystematic
                        ? DetailsSpreadWords::tr(
                              "Its 95 % interval excludes 0: the error has a direction")
                        : QString();
           }}};
}

SpreadRow metricRow(const ReportDocument& document, const ValuePlace& at, const NoiseRuns& noise) {
  SpreadRow row{.metric = document.metrics()[static_cast<std::size_t>(at.metric)],
                .mean = document.value(at.variant, at.site, at.metric),
                .spread = document.spread(at.variant, at.site, at.metric),
                .samples = document.variant(at.variant).samples,
                .isNonFinite = document.isNonFinite(at.variant, at.site, at.metric)};
  row.half = report::halfInterval(row.spread, row.samples);
  if (!noise.isEmpty()) {
    row.floor = noiseFloorAt(document, noise, at);
    row.isWithinNoise = isWithinNoise(document, noise, at);
  }
  return row;
}

SpreadRow gainRow(const report::Comparison& comparison,
                  std::uint64_t samples,
                  const QString& baseline) {
  return {
      .metric =
          {.label = DetailsSpreadWords::tr("Gain error"),
           .formula =
               DetailsSpreadWords::tr(
                   "How much larger (+) or smaller (−) the tensor is than that of %1, along it")
                   .arg(baseline),
           .unit = numerics::MetricUnit::Percent},
      .mean = comparison.gainError,
      .half = report::halfInterval(comparison.gainSpread, samples),
      .spread = comparison.gainSpread,
      .samples = samples,
      .isSystematic = report::isSystematic(comparison.gainError, comparison.gainSpread, samples)};
}

}  // namespace

SpreadRows spreadRowsOf(const ReportDocument& document,
                        int variant,
                        int site,
                        const NoiseRuns& noise) {
  const report::Comparison* comparison = document.comparison(variant, site);
  const bool hasSpread = document.hasSpread();
  if (comparison == nullptr || (!hasSpread && noise.isEmpty())) {
    return nullptr;
  }
  auto rows = std::make_shared<std::vector<SpreadRow>>();
  for (int metric = 0; metric < static_cast<int>(document.metrics().size()); ++metric) {
    rows->push_back(metricRow(document, {variant, site, metric}, noise));
  }
  if (hasSpread) {
    rows->push_back(gainRow(*comparison,
                            document.variant(variant).samples,
                            document.baselineOf(document.variantName(variant))));
  }
  return rows;
}

std::vector<Column<SpreadRow>> spreadColumns(const ReportDocument& document,
                                             const NoiseRuns& noise) {
  std::vector<Column<SpreadRow>> columns{
      {.title = DetailsSpreadWords::tr("Metric"),
       .roles = {{Qt::DisplayRole, [](const SpreadRow& row) { return metricHeader(row.metric); }},
                 {Qt::ToolTipRole, [](const SpreadRow& row) { return row.metric.formula; }}}}};
  for (const NumberColumn& number : numberColumns(document, noise)) {
    columns.push_back({.title = number.title,
                       .toolTip = number.toolTip,
                       .alignment = kNumberAlignment,
                       .cell = [number](const SpreadRow& row, int role) {
                         return spreadNumberCell(row, number, role);
                       }});
  }
  columns.push_back({.title = DetailsSpreadWords::tr("Verdict"), .roles = verdictRoles()});
  return columns;
}

report::DataTable spreadTable(const QString& title,
                              const ReportDocument& document,
                              const NoiseRuns& noise,
                              const std::vector<SpreadRow>& rows) {
  std::vector<Column<SpreadRow>> columns = spreadColumns(document, noise);
  columns.front().roles = {
      {Qt::DisplayRole, [](const SpreadRow& row) { return row.metric.label; }}};
  columns.insert(columns.begin() + 1,
                 {.title = DetailsSpreadWords::tr("Unit"),
                  .roles = {{Qt::DisplayRole,
                             [](const SpreadRow& row) { return unitText(row.metric.unit); }}}});
  return dataOf(title, columns, rows);
}

}  // namespace ulp::views
