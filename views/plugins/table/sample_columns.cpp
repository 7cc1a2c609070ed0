#include "views/plugins/table/sample_columns.h"

#include <array>
#include <cmath>
#include <limits>

#include <QtCore/QCoreApplication>

namespace ulp::views {
namespace {

struct SampleColumnsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::TensorTable)
};

MetricInfo gainInfo(const QString& label) {
  return {.label = label,
          .unit = numerics::MetricUnit::Percent,
          .scale = numerics::MetricScale::Logarithmic};
}

}  // namespace

std::vector<SampleColumn> sampleColumns(const ReportDocument& document) {
  std::vector<SampleColumn> columns;
  if (document.hasSpread()) {
    columns.push_back(SampleColumn::Interval);
  }
  if (document.noiseFloor().isKnown()) {
    columns.push_back(SampleColumn::Floor);
  }
  if (document.hasSpread()) {
    columns.insert(columns.end(),
                   {SampleColumn::GainError, SampleColumn::GainInterval, SampleColumn::Systematic});
  }
  return columns;
}

int firstSampleColumn(const ReportDocument& document) {
  return kFirstMetric + static_cast<int>(document.metrics().size());
}

QString toText(SampleColumn column) {
  constexpr std::array<const char*, 5> kIds{
      "interval", "floor", "gain_error", "gain_error_ci95", "gain_error_systematic"};
  return QLatin1String(kIds.at(static_cast<std::size_t>(column)));
}

double sampleValue(const ReportDocument& document,
                   const TensorRow& row,
                   SampleColumn column,
                   int metric) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const report::Comparison& comparison = *document.comparison(row.variant, row.site);
  const std::uint64_t samples = document.variant(row.variant).samples;
  switch (column) {
    case SampleColumn::Interval:
      return report::halfInterval(document.spread(row.variant, row.site, metric), samples);
    case SampleColumn::Floor:
      return metric >= 0 && document.hasNoiseFloor(row.variant)
                 ? document.noiseFloor().at(comparison.site, static_cast<std::size_t>(metric))
                 : kUnknown;
    case SampleColumn::GainError:
      return comparison.gainError;
    case SampleColumn::GainInterval:
      return report::halfInterval(comparison.gainSpread, samples);
    case SampleColumn::Systematic:
      break;
  }
  const bool isSystematic =
      report::isSystematic(comparison.gainError, comparison.gainSpread, samples);
  return std::isnan(comparison.gainError) ? kUnknown : (isSystematic ? 1 : 0);
}

MetricInfo sampleColumnInfo(const ReportDocument& document, SampleColumn column, int metric) {
  MetricInfo info =
      metric < 0 ? MetricInfo{} : document.metrics()[static_cast<std::size_t>(metric)];
  switch (column) {
    case SampleColumn::Interval:
      info.label = QStringLiteral("%1 ±").arg(info.label);
      return info;
    case SampleColumn::Floor:
      info.label = SampleColumnsWords::tr("%1 noise floor").arg(info.label);
      return info;
    case SampleColumn::GainError:
      return gainInfo(SampleColumnsWords::tr("Gain error"));
    case SampleColumn::GainInterval:
      return gainInfo(SampleColumnsWords::tr("Gain error ±"));
    case SampleColumn::Systematic:
      break;
  }
  return {.label = SampleColumnsWords::tr("Systematic")};
}

QString sampleColumnHelp(SampleColumn column) {
  switch (column) {
    case SampleColumn::Interval:
      return SampleColumnsWords::tr(
          "Half of the 95 % interval of the mean over the samples (Student's t), of "
          "the metric that charts show");
    case SampleColumn::Floor:
      return SampleColumnsWords::tr(
          "How far the reference is from itself, in the metric that charts show: "
          "what is no worse need not be an effect of the variant");
    case SampleColumn::GainError:
      return SampleColumnsWords::tr(
          "How much larger (+) or smaller (−) the tensor is than the reference, "
          "along the reference; mean over the samples");
    case SampleColumn::GainInterval:
      return SampleColumnsWords::tr("Half of the 95 % interval of the gain error");
    case SampleColumn::Systematic:
      break;
  }
  return SampleColumnsWords::tr(
      "Whether the 95 % interval of the gain error excludes 0: the error has a "
      "direction");
}

}  // namespace ulp::views
