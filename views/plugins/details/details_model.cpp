#include "views/plugins/details/details_model.h"

#include <cmath>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/base/text/format_number.h"
#include "core/report/tables/data_table.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

constexpr int kElementDigits = 5;

struct DetailsModelWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Details)
};

QString digitsOf(std::uint64_t count) {
  return QString::number(static_cast<qulonglong>(count));
}

QString dtypeText(const report::Comparison& comparison) {
  const QString reference = QString::fromStdString(comparison.referenceDType);
  const QString variant = QString::fromStdString(comparison.variantDType);
  return reference == variant ? variant : QStringLiteral("%1 → %2").arg(reference, variant);
}

/// What is known of a metric beside its values: intervals and noise.
void addSamples(DetailsRow& row,
                const ReportDocument& document,
                const ValuePlace& at,
                const NoiseRuns& noise) {
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(at.metric)];
  const report::Spread spread = document.spread(at.variant, at.site, at.metric);
  const std::uint64_t samples = document.variant(at.variant).samples;
  row.texts.back() += intervalText(spread, samples, info.unit);
  if (document.hasSpread()) {
    row.halves.push_back(exactText(inUnit(report::halfInterval(spread, samples), info)));
  }
  QStringList more{spreadHelp(spread, samples, info)};
  const bool isNoise = isWithinNoise(document, noise, at);
  if (isNoise) {
    more << withinNoiseText(noise);
  }
  more.removeAll(QString());
  row.more.push_back(more.join(QLatin1Char('\n')));
  row.noise.push_back(isNoise);
}

DetailsRow metricRow(const ReportDocument& document, int site, int metric, const NoiseRuns& noise) {
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
  DetailsRow row{.title = metricHeader(info), .help = metricHelp(info)};
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(document.variantCount()));
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    values.push_back(document.value(variant, site, metric));
  }
  const ColumnFormat format(values, info);
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const double value = values[static_cast<std::size_t>(variant)];
    row.texts.push_back(format.text(value));
    row.exact.push_back(exactText(inUnit(value, info)));
    row.nonFinite.push_back(std::isinf(value));
    addSamples(row, document, {variant, site, metric}, noise);
  }
  return row;
}

DetailsRow countRow(const ReportDocument& document,
                    int site,
                    const QString& title,
                    std::uint64_t numerics::NonFiniteCounts::*kind) {
  DetailsRow row{.title = title,
                 .help = DetailsModelWords::tr(
                     "Elements of the variant; those of the reference in brackets.")};
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const report::Comparison* comparison = document.comparison(variant, site);
    if (comparison == nullptr) {
      row.texts.push_back(missingText());
      row.exact.emplace_back();
      row.nonFinite.push_back(false);
      continue;
    }
    const std::uint64_t count = comparison->variantNonFinite.*kind;
    const std::uint64_t reference = comparison->referenceNonFinite.*kind;
    QString text = digitsOf(count);
    if (reference > 0) {
      text += QStringLiteral(" (%1)").arg(digitsOf(reference));
    }
    row.texts.push_back(text);
    row.exact.push_back(digitsOf(count));
    row.nonFinite.push_back(count > 0);
  }
  return row;
}

QVariant detailsCell(const DetailsRow& row, std::size_t variant, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return row.texts[variant];
    case RawRole:
      return row.exact[variant];
    case Qt::ToolTipRole:
      return variant < row.more.size() && !row.more[variant].isEmpty()
                 ? row.exact[variant] + QLatin1Char('\n') + row.more[variant]
                 : row.exact[variant];
    case IntervalRole:
      return variant < row.halves.size() ? QVariant(row.halves[variant]) : QVariant();
    case NonFiniteRole:
      return row.nonFinite[variant] ? QVariant(true) : QVariant();
    case DimRole:
      return (variant < row.noise.size() && row.noise[variant]) || row.exact[variant].isEmpty() ||
             row.exact[variant] == QLatin1String("0");
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
      comparison->compared == comparison->count
          ? DetailsModelWords::tr("%1, all compared").arg(digitsOf(comparison->count))
          : DetailsModelWords::tr("%1, %2 compared")
                .arg(digitsOf(comparison->count), digitsOf(comparison->compared));
  facts.push_back({DetailsModelWords::tr("Elements"), compared});
  return facts;
}

std::shared_ptr<const std::vector<DetailsRow>> detailsOf(const ReportDocument& document,
                                                         int site,
                                                         const NoiseRuns& noise) {
  auto rows = std::make_shared<std::vector<DetailsRow>>();
  for (std::size_t metric = 0; metric < document.metrics().size(); ++metric) {
    rows->push_back(metricRow(document, site, static_cast<int>(metric), noise));
  }
  rows->push_back(countRow(document, site, QStringLiteral("NaN"), &numerics::NonFiniteCounts::nan));
  rows->push_back(countRow(
      document, site, QStringLiteral("+Inf"), &numerics::NonFiniteCounts::positiveInfinity));
  rows->push_back(countRow(
      document, site, QStringLiteral("−Inf"), &numerics::NonFiniteCounts::negativeInfinity));
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
                         return detailsCell(row, index, role);
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

std::vector<Column<WorstRow>> worstColumns() {
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
          number(DetailsModelWords::tr("Reference"), &WorstRow::reference),
          number(DetailsModelWords::tr("Variant"), &WorstRow::variant),
          number(DetailsModelWords::tr("Difference"),
                 [](const WorstRow& row) { return row.variant - row.reference; })};
}

namespace {

std::vector<report::DataCell> metricCells(const ReportDocument& document, int site, int metric) {
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
  std::vector<report::DataCell> cells;
  cells.emplace_back(info.label.toStdString());
  cells.emplace_back(unitText(info.unit).toStdString());
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const double value = document.value(variant, site, metric);
    const report::Comparison* comparison = document.comparison(variant, site);
    const bool isGap = comparison == nullptr || comparison->compared > 0 || comparison->count == 0;
    cells.push_back(report::numberCell(inUnit(value, info), !isGap));
    if (document.hasSpread()) {
      const double half = report::halfInterval(document.spread(variant, site, metric),
                                               document.variant(variant).samples);
      cells.push_back(report::numberCell(inUnit(half, info)));
    }
  }
  return cells;
}

std::vector<report::DataCell> countCells(const ReportDocument& document,
                                         int site,
                                         const std::string& title,
                                         std::uint64_t numerics::NonFiniteCounts::*kind) {
  std::vector<report::DataCell> cells;
  cells.emplace_back(title);
  cells.emplace_back(std::string());
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const report::Comparison* comparison = document.comparison(variant, site);
    if (comparison == nullptr) {
      cells.emplace_back();
    } else {
      cells.emplace_back(static_cast<double>(comparison->variantNonFinite.*kind));
    }
    if (document.hasSpread()) {
      cells.emplace_back();
    }
  }
  return cells;
}

}  // namespace

report::DataTable metricsTable(const ReportDocument& document, int site) {
  const Site& place = document.sites()[static_cast<std::size_t>(site)];
  report::DataTable table;
  table.title = DetailsModelWords::tr("Metrics of %1, %2")
                    .arg(QString::fromStdString(place.name), passText(place.pass))
                    .toStdString();
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
  for (std::size_t metric = 0; metric < document.metrics().size(); ++metric) {
    table.rows.push_back(metricCells(document, site, static_cast<int>(metric)));
  }
  using Counts = numerics::NonFiniteCounts;
  table.rows.push_back(countCells(document, site, "NaN", &Counts::nan));
  table.rows.push_back(countCells(document, site, "+Inf", &Counts::positiveInfinity));
  table.rows.push_back(countCells(document, site, "−Inf", &Counts::negativeInfinity));
  return table;
}

}  // namespace ulp::views
