#include "views/plugins/details/details_model.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/base/kernels/kernel_name.h"
#include "core/base/text/format_number.h"
#include "core/report/model/one_dump.h"
#include "core/report/summary/ulp_count.h"
#include "core/report/tables/data_table.h"
#include "views/framework/document/other_inputs.h"
#include "views/framework/document/ulp_help.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

constexpr int kElementDigits = 7;
/// Metrics of a dump that count elements.
const QString kRecordedNan = QStringLiteral("recorded.nan");
const QString kRecordedInf = QStringLiteral("recorded.inf");

struct DetailsModelWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Details)
};

QString digitsOf(std::uint64_t count) {
  return QString::number(static_cast<qulonglong>(count));
}

QString dtypeText(const report::Comparison& comparison) {
  const QString reference = QString::fromStdString(comparison.referenceDType);
  const QString variant = QString::fromStdString(comparison.variantDType);
  return reference == variant || reference.isEmpty()
             ? variant
             : QStringLiteral("%1 → %2").arg(reference, variant);
}

/// The kernels that ran for a tensor: in a few words, a line each, and in full.
Fact kernelsFact(const QString& title, const std::vector<std::string_view>& kernels) {
  QStringList names;
  for (const std::string_view kernel : kernels) {
    names << utf8Text(kernel).toHtmlEscaped();
  }
  return {title,
          textsOf(shortKernelNames(kernels)).join(QLatin1Char('\n')),
          QStringLiteral("<p>%1</p>").arg(names.join(QStringLiteral("</p><p>")))};
}

/// One fact where both runs are known to have run the same, else one of each that says what ran.
void addKernels(const ReportDocument& document,
                int variant,
                const Site& site,
                std::vector<Fact>& facts) {
  const report::Run* reference = document.report().referenceOf(document.variant(variant));
  const auto before = reference == nullptr ? std::vector<std::string_view>()
                                           : reference->kernels.of(site.pass, site.name);
  const auto after = document.variant(variant).kernels.of(site.pass, site.name);
  if (before == after && !after.empty()) {
    facts.push_back(kernelsFact(DetailsModelWords::tr("Kernels"), after));
    return;
  }
  const auto add = [&facts](const QString& run, const std::vector<std::string_view>& kernels) {
    if (!kernels.empty()) {
      facts.push_back(kernelsFact(DetailsModelWords::tr("Kernels of %1").arg(run), kernels));
    }
  };
  add(document.baselineOf(document.variantName(variant)), before);
  add(document.variantName(variant), after);
}

/// Where an operation stands in the program, and what it was made from.
void addOperation(const report::Run& run, const Site& site, std::vector<Fact>& facts) {
  const OperationGraph::Row* const row = run.graph.find(site.pass, site.name);
  if (row == nullptr) {
    return;
  }
  if (!row->line.empty()) {
    facts.push_back({DetailsModelWords::tr("Line"), utf8Text(row->line)});
  }
  QStringList inputs;
  const auto add = [&](const std::vector<std::string>& names, Pass pass) {
    for (const std::string& name : names) {
      inputs << (pass == site.pass ? utf8Text(name)
                                   : QStringLiteral("%1, %2").arg(utf8Text(name), passText(pass)));
    }
  };
  add(row->forward, Pass::Forward);
  add(row->backward, Pass::Backward);
  if (!inputs.isEmpty()) {
    facts.push_back({DetailsModelWords::tr("Made from"), inputs.join(QLatin1Char('\n'))});
  }
}

DetailsCell metricCell(const ReportDocument& document,
                       const ValuePlace& at,
                       const ColumnFormat& format,
                       const NoiseRuns& noise) {
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(at.metric)];
  const double value = document.value(at.variant, at.site, at.metric);
  const report::Spread spread = document.spread(at.variant, at.site, at.metric);
  const std::uint64_t samples = document.variant(at.variant).samples;
  const report::Comparison* comparison = document.comparison(at.variant, at.site);
  const bool isGap = comparison == nullptr || !comparison->isAllNonFinite();
  const bool isNan = document.isNonFinite(at.variant, at.site, at.metric);
  DetailsCell cell{.text = isNan ? format.text(value, isNan)
                                 : format.text(value) + intervalText(spread, samples, info.unit),
                   .exact = isNan ? QStringLiteral("NaN") : exactText(inUnit(value, info)),
                   .value = report::numberCell(inUnit(value, info), !isGap),
                   .isNonFinite = isNan || std::isinf(value),
                   .isNoise = isWithinNoise(document, noise, at)};
  if (document.hasSpread()) {
    cell.half = inUnit(report::halfInterval(spread, samples), info);
  }
  QStringList more{spreadHelp(spread, samples, info), ulpHelp(document, at)};
  if (cell.isNoise) {
    more << withinNoiseText(noise);
  }
  more.removeAll(QString());
  cell.more = more.join(QLatin1Char('\n'));
  return cell;
}

/// Puts behind numbers of ULP whose they are, where the variants count in several formats.
void nameFormats(const ReportDocument& document, int site, DetailsRow& row) {
  std::vector<QString> formats;
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const report::Comparison* const comparison = document.comparison(variant, site);
    const auto format = comparison == nullptr ? std::nullopt : report::ulpFormatOf(*comparison);
    formats.push_back(format ? utf8Text(toString(*format)) : QString());
  }
  const auto isKnown = [](const QString& format) { return !format.isEmpty(); };
  const auto first = std::ranges::find_if(formats, isKnown);
  const bool isMixed = std::any_of(first, formats.end(), [&](const QString& format) {
    return isKnown(format) && format != *first;
  });
  for (std::size_t i = 0; isMixed && i < formats.size(); ++i) {
    if (!row.cells[i].exact.isEmpty()) {
      row.cells[i].text = row.cells[i].text.trimmed() + QLatin1Char(' ') + formats[i];
    }
  }
}

/// What a metric counts that is a count of elements which are not finite; 0: it is none.
std::uint64_t countedOf(const numerics::NonFiniteCounts& counts, const QString& metric) {
  return metric == kRecordedNan   ? counts.nan
         : metric == kRecordedInf ? counts.positiveInfinity + counts.negativeInfinity
                                  : 0;
}

/// Where statistics alone tell of them there are at least so many, and nobody counted.
DetailsCell countedCell(const report::Comparison* comparison, double value, const QString& metric) {
  if (comparison == nullptr) {
    return {.text = missingText()};
  }
  const numerics::NonFiniteCounts& counts = comparison->variantNonFinite;
  const std::uint64_t known = countedOf(counts, metric);
  if (std::isnan(value) && known == 0) {
    return {.text = missingText()};
  }
  DetailsCell cell{.text = countText(known),
                   .exact = digitsOf(known),
                   .value = static_cast<double>(known),
                   .isNonFinite = known > 0};
  if (std::isnan(value)) {
    cell.text.prepend(QStringLiteral("≥ "));
  }
  if (metric == kRecordedInf && known > 0) {
    cell.more = QStringLiteral("+Inf: %1, −Inf: %2")
                    .arg(countText(counts.positiveInfinity), countText(counts.negativeInfinity));
  }
  return cell;
}

DetailsRow metricRow(const ReportDocument& document, int site, int metric, const NoiseRuns& noise) {
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
  DetailsRow row{.title = metricHeader(info),
                 .label = info.label,
                 .unit = unitText(info.unit),
                 .help = metricHelp(info)};
  ColumnSpread spread;
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    spread.add(document.value(variant, site, metric));
  }
  const ColumnFormat format(spread, info);
  const bool isCount = info.id == kRecordedNan || info.id == kRecordedInf;
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    row.cells.push_back(isCount ? countedCell(document.comparison(variant, site),
                                              document.value(variant, site, metric),
                                              info.id)
                                : metricCell(document, {variant, site, metric}, format, noise));
  }
  if (document.countsUlp(metric)) {
    nameFormats(document, site, row);
  }
  return row;
}

DetailsRow countRow(const ReportDocument& document,
                    int site,
                    const QString& title,
                    std::uint64_t numerics::NonFiniteCounts::*kind) {
  DetailsRow row{.title = title,
                 .label = title,
                 .help = DetailsModelWords::tr("Elements of the variant; those of %1 in brackets.")
                             .arg(document.baselineNames().join(QStringLiteral(", ")))};
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    DetailsCell cell{.text = missingText()};
    if (const report::Comparison* comparison = document.comparison(variant, site)) {
      const std::uint64_t count = comparison->variantNonFinite.*kind;
      const std::uint64_t reference = comparison->referenceNonFinite.*kind;
      cell.exact = digitsOf(count);
      cell.text = reference == 0 ? cell.exact
                                 : QStringLiteral("%1 (%2)").arg(cell.exact, digitsOf(reference));
      cell.value = static_cast<double>(count);
      cell.isNonFinite = count > 0;
    }
    row.cells.push_back(std::move(cell));
  }
  return row;
}

QVariant detailsCell(const DetailsCell& cell, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return cell.text;
    case RawRole:
      return cell.exact;
    case Qt::ToolTipRole:
      return cell.more.isEmpty() ? cell.exact : cell.exact + QLatin1Char('\n') + cell.more;
    case IntervalRole:
      return cell.half ? QVariant(exactText(*cell.half)) : QVariant();
    case NonFiniteRole:
      return cell.isNonFinite ? QVariant(true) : QVariant();
    case DimRole:
      return cell.isNoise || cell.exact.isEmpty() || cell.exact == QLatin1String("0");
    default:
      return {};
  }
}

}  // namespace

std::vector<Fact> factsOf(const ReportDocument& document, int variant, int site) {
  const Site& place = document.sites()[static_cast<std::size_t>(site)];
  std::vector<Fact> facts;
  if (place.module != place.name && !place.module.empty()) {
    facts.push_back({DetailsModelWords::tr("Module"), QString::fromStdString(place.module)});
  }
  const report::Comparison* comparison = document.comparison(variant, site);
  if (comparison == nullptr) {
    return facts;
  }
  facts.push_back({DetailsModelWords::tr("Shape"), shapeText(comparison->shape)});
  facts.push_back({DetailsModelWords::tr("Format"), dtypeText(*comparison)});
  const QString compared =
      report::isOfOneDump(document.report()) ? digitsOf(comparison->count)
      : comparison->compared == comparison->count
          ? DetailsModelWords::tr("%1, all compared").arg(digitsOf(comparison->count))
          : DetailsModelWords::tr("%1, %2 compared")
                .arg(digitsOf(comparison->count), digitsOf(comparison->compared));
  facts.push_back({DetailsModelWords::tr("Elements"), compared});
  if (const QString inputs = otherInputsText(document, variant); !inputs.isEmpty()) {
    facts.push_back({DetailsModelWords::tr("Inputs"), inputs});
  }
  if (comparison->onlyReference + comparison->onlyVariant > 0) {
    facts.push_back({DetailsModelWords::tr("Rows of one run alone"),
                     DetailsModelWords::tr("%1 of %2, %3 of %4: their tokens have other experts")
                         .arg(digitsOf(comparison->onlyReference),
                              document.baselineOf(document.variantName(variant)),
                              digitsOf(comparison->onlyVariant),
                              document.variantName(variant))});
  }
  addKernels(document, variant, place, facts);
  addOperation(document.variant(variant), place, facts);
  return facts;
}

std::shared_ptr<const std::vector<DetailsRow>> detailsOf(const ReportDocument& document,
                                                         int site,
                                                         const NoiseRuns& noise) {
  auto rows = std::make_shared<std::vector<DetailsRow>>();
  for (std::size_t metric = 0; metric < document.metrics().size(); ++metric) {
    rows->push_back(metricRow(document, site, static_cast<int>(metric), noise));
  }
  if (document.findMetric(kRecordedNan) >= 0 && document.findMetric(kRecordedInf) >= 0) {
    return rows;  // They are among the metrics.
  }
  using Counts = numerics::NonFiniteCounts;
  rows->push_back(countRow(document, site, QStringLiteral("NaN"), &Counts::nan));
  rows->push_back(countRow(document, site, QStringLiteral("+Inf"), &Counts::positiveInfinity));
  rows->push_back(countRow(document, site, QStringLiteral("−Inf"), &Counts::negativeInfinity));
  return rows;
}

std::vector<Column<DetailsRow>> detailsColumns(const ReportDocument& document) {
  std::vector<Column<DetailsRow>> columns;
  columns.push_back(
      {.title = DetailsModelWords::tr("Metric"),
       .roles = {{Qt::DisplayRole, &DetailsRow::title}, {Qt::ToolTipRole, &DetailsRow::help}}});
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const auto index = static_cast<std::size_t>(variant);
    columns.push_back({.title = document.variantName(variant),
                       .toolTip = document.variantName(variant),
                       .alignment = kNumberAlignment,
                       .cell = [index](const DetailsRow& row, int role) {
                         return detailsCell(row.cells[index], role);
                       }});
  }
  return columns;
}

std::shared_ptr<const std::vector<WorstRow>> worstOf(const ReportDocument& document,
                                                     int variant,
                                                     int site) {
  auto rows = std::make_shared<std::vector<WorstRow>>();
  if (const report::Comparison* comparison = document.comparison(variant, site)) {
    for (const report::WorstPair& pair : comparison->worst) {
      QStringList index;
      for (const std::int64_t i : pair.index) {
        index << QString::number(i);
      }
      rows->push_back({index.join(QStringLiteral(", ")), pair.index, pair.reference, pair.variant});
    }
  }
  return rows;
}

std::vector<Column<WorstRow>> worstColumns(const QString& baseline, const QString& variant) {
  const auto number = [](const QString& title, auto value) {
    return Column<WorstRow>{
        .title = title,
        .alignment = kNumberAlignment,
        .roles = numberRoles<WorstRow>(
            value,
            [](double shown) {
              return QString::fromStdString(formatSignificant(shown, kElementDigits));
            },
            [](double exact) { return QString::fromStdString(formatExact(exact)); })};
  };
  return {{.title = DetailsModelWords::tr("Element"),
           .alignment = kNumberAlignment,
           .roles = {{Qt::DisplayRole, &WorstRow::index}}},
          number(baseline, &WorstRow::reference),
          number(variant, &WorstRow::variant),
          number(QStringLiteral("%1 − %2").arg(variant, baseline),
                 [](const WorstRow& row) { return row.variant - row.reference; })};
}

report::DataTable metricsTable(const ReportDocument& document, int site) {
  const Site& place = document.sites()[static_cast<std::size_t>(site)];
  report::DataTable table{.title =
                              DetailsModelWords::tr("Metrics of %1, %2")
                                  .arg(QString::fromStdString(place.name), passText(place.pass))
                                  .toStdString()};
  const auto add = [&table](const QString& title) {
    table.columns.push_back({.title = title.toStdString()});
  };
  add(DetailsModelWords::tr("Metric"));
  add(DetailsModelWords::tr("Unit"));
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    add(document.variantName(variant));
    if (document.hasSpread()) {
      add(document.variantName(variant) + QStringLiteral(" ±"));
    }
  }
  const auto rows = detailsOf(document, site);
  for (const DetailsRow& row : *rows) {
    std::vector<report::DataCell>& cells = table.rows.emplace_back();
    cells = {row.label.toStdString(), row.unit.toStdString()};
    for (const DetailsCell& cell : row.cells) {
      cells.push_back(cell.value);
      if (document.hasSpread()) {
        cells.push_back(report::numberCell(cell.half.value_or(std::nan(""))));
      }
    }
  }
  return table;
}

}  // namespace ulp::views
