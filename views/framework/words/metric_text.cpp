#include "views/framework/words/metric_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>
#include <QtCore/QStringList>

#include "core/base/text/format_number.h"
#include "core/report/tables/number_column.h"

namespace ulp::views {
namespace {

/// The smallest number that formatSignificant() writes without an exponent, with as many decimals
/// as any.
constexpr double kMostDecimals = 1.23e-4;
constexpr int kWidthDigits = 2;

struct MetricTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::MetricText)
};

/// Characters from the decimal point on, or from the exponent on where there is no point.
qsizetype fractionOf(const QString& number) {
  const qsizetype point = number.indexOf(u'.');
  const qsizetype at = point >= 0 ? point : number.indexOf(u'e');
  return at < 0 ? 0 : number.size() - at;
}

/// The unit as it stands behind a number; empty: none.
QString unitBehind(const MetricInfo& metric) {
  const QString unit = unitText(metric.unit);
  return unit.isEmpty() ? unit : QChar(0x202f) + unit;
}

}  // namespace

double inUnit(double value, const MetricInfo& metric) {
  return metric.unit == numerics::MetricUnit::Percent ? value * 100 : value;
}

QString unitText(numerics::MetricUnit unit) {
  // In the order of MetricUnit.
  constexpr std::array<const char*, 4> kUnits{"", "%", "dB", "ULP"};
  return QLatin1String(kUnits.at(static_cast<std::size_t>(unit)));
}

QString missingText() {
  return QStringLiteral("–");
}

QString metricText(double value, const MetricInfo& metric, bool isNonFinite) {
  if (std::isnan(value)) {
    return isNonFinite ? QStringLiteral("NaN") : missingText();
  }
  if (metric.unit == numerics::MetricUnit::Percent) {
    return QString::fromStdString(formatPercent(value));
  }
  const bool isNearOne =
      metric.scale == numerics::MetricScale::Linear && metric.unit != numerics::MetricUnit::Decibel;
  const int digits = isNearOne ? 7 : 3;
  return QString::fromStdString(formatSignificant(value, digits));
}

QString metricTextWithUnit(double value, const MetricInfo& metric, bool isNonFinite) {
  const QString text = metricText(value, metric, isNonFinite);
  return std::isfinite(value) ? text + unitBehind(metric) : text;
}

QString widthText(double width, const MetricInfo& metric) {
  return std::isnan(width)
             ? missingText()
             : QString::fromStdString(formatSignificant(inUnit(width, metric), kWidthDigits));
}

QString metricHeader(const MetricInfo& metric) {
  const QString unit = unitText(metric.unit);
  // "Mean ULP" carries its unit in the name.
  return unit.isEmpty() || metric.label.contains(unit)
             ? metric.label
             : QStringLiteral("%1, %2").arg(metric.label, unit);
}

QString countText(std::uint64_t count) {
  return QLocale().toString(static_cast<qulonglong>(count));
}

QString exactText(double value) {
  return std::isnan(value) ? QString() : QString::fromStdString(formatExact(value));
}

QString metricHelp(const MetricInfo& metric) {
  const QString direction = metric.better == numerics::Better::Lower
                                ? MetricTextWords::tr("Lower is better.")
                                : MetricTextWords::tr("Higher is better.");
  return metric.formula.isEmpty()
             ? direction
             : QStringLiteral("%1\n%2 %3")
                   .arg(metric.formula, direction, MetricTextWords::tr("F1 defines it."));
}

MetricInfo asDrawn(const MetricInfo& metric) {
  MetricInfo drawn = metric;
  if (metric.isDrawnFromOne) {
    drawn.label = QStringLiteral("1 − %1").arg(metric.label);
    drawn.scale = numerics::MetricScale::Logarithmic;
    drawn.better = numerics::Better::Lower;
    drawn.isDrawnFromOne = false;
  }
  return drawn;
}

double asDrawn(double value, const MetricInfo& metric) {
  // What is no number stays what it is.
  return metric.isDrawnFromOne && std::isfinite(value) ? std::max(0.0, 1 - value) : value;
}

void ColumnSpread::add(double value) {
  const double size = std::abs(value);
  if (std::isfinite(size) && size != 0) {
    m_smallest = std::min(m_smallest, size);
    m_largest = std::max(m_largest, size);
  }
}

ColumnFormat::ColumnFormat(std::span<const double> values, const MetricInfo& metric) {
  ColumnSpread spread;
  for (const double value : values) {
    spread.add(value);
  }
  *this = ColumnFormat(spread, metric);
}

ColumnFormat::ColumnFormat(const ColumnSpread& spread, const MetricInfo& metric)
    : ColumnFormat(spread, metric, false) {}

ColumnFormat ColumnFormat::ofWidths(const ColumnSpread& spread, const MetricInfo& metric) {
  return {spread, metric, true};
}

ColumnFormat::ColumnFormat(const ColumnSpread& spread, const MetricInfo& metric, bool isOfWidths)
    : m_metric(metric), m_isOfWidths(isOfWidths) {
  if (spread.m_largest == 0) {
    return;
  }
  const double longest = kMostDecimals / inUnit(1, metric);
  for (const double value : {spread.m_smallest,
                             std::clamp(longest, spread.m_smallest, spread.m_largest),
                             spread.m_largest}) {
    m_fraction = std::max(m_fraction, fractionOf(written(value)));
  }
}

QString ColumnFormat::written(double value, bool isNonFinite) const {
  return m_isOfWidths ? widthText(value, m_metric) : metricText(value, m_metric, isNonFinite);
}

QString ColumnFormat::text(double value, bool isNonFinite) const {
  const QString text = written(value, isNonFinite);
  return std::isfinite(value)
             ? text + QString(std::max<qsizetype>(0, m_fraction - fractionOf(text)), QChar::Nbsp)
             : text;
}

namespace {

struct SpreadTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Spread)
};

}  // namespace

bool isKnown(const report::Spread& spread) {
  return !std::isnan(spread.sd) || spread.undefined > 0;
}

QString intervalText(const report::Spread& spread,
                     std::uint64_t samples,
                     numerics::MetricUnit unit) {
  return QString::fromStdString(report::intervalText(spread, samples, unit));
}

std::uint64_t finiteSamples(const report::Spread& spread, std::uint64_t samples) {
  return samples - std::min(spread.undefined, samples);
}

QString spreadHelp(const report::Spread& spread, std::uint64_t samples, const MetricInfo& metric) {
  if (samples < 2 || !isKnown(spread)) {
    return {};
  }
  QStringList lines;
  const double half = report::halfInterval(spread, samples);
  if (!std::isnan(half)) {
    lines << SpreadTextWords::tr("95 % interval of the mean: ±%1")
                 .arg(widthText(half, metric) + unitBehind(metric))
          << SpreadTextWords::tr("standard deviation: %1")
                 .arg(widthText(spread.sd, metric) + unitBehind(metric))
          << SpreadTextWords::tr("smallest: %1, largest: %2")
                 .arg(metricTextWithUnit(spread.minimum, metric),
                      metricTextWithUnit(spread.maximum, metric));
  }
  const auto finite = static_cast<qulonglong>(finiteSamples(spread, samples));
  lines << (spread.undefined == 0
                ? SpreadTextWords::tr("mean of %1 samples").arg(static_cast<qulonglong>(samples))
                : SpreadTextWords::tr("mean of the %1 of %2 samples in which it is a finite number")
                      .arg(finite)
                      .arg(static_cast<qulonglong>(samples)));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace ulp::views
