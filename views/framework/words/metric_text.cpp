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

constexpr int kMaxDecimals = 6;
constexpr int kMaxLeadingDigits = 6;

struct MetricTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::MetricText)
};

/// What a reader expects of a unit, however large the values of a column are.
int leastDecimals(numerics::MetricUnit unit, double largest) {
  if (unit == numerics::MetricUnit::Percent && largest < 100) {
    return 2;
  }
  return unit == numerics::MetricUnit::Decibel ? 1 : 0;
}

int decade(double value) {
  return static_cast<int>(std::floor(std::log10(value)));
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

QString metricText(double value, const MetricInfo& metric) {
  if (std::isnan(value)) {
    return missingText();
  }
  if (metric.unit == numerics::MetricUnit::Percent) {
    return QString::fromStdString(formatPercent(value));
  }
  const int digits = metric.scale == numerics::MetricScale::Linear ? 7 : 3;
  return QString::fromStdString(formatSignificant(value, digits));
}

QString metricTextWithUnit(double value, const MetricInfo& metric) {
  const QString unit = unitText(metric.unit);
  const QString text = metricText(value, metric);
  return unit.isEmpty() || !std::isfinite(value) ? text : text + QChar(0x202f) + unit;
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
  return metric.formula.isEmpty() ? direction
                                  : QStringLiteral("%1\n%2").arg(metric.formula, direction);
}

ColumnSpread::ColumnSpread(const MetricInfo& metric)
    : m_factor(metric.unit == numerics::MetricUnit::Percent ? 100 : 1) {}

void ColumnSpread::add(double value) {
  const double shown = std::abs(value * m_factor);
  if (!std::isfinite(shown) || shown == 0) {
    return;
  }
  m_smallest = std::min(m_smallest, shown);
  m_largest = std::max(m_largest, shown);
  if (shown != 1) {
    m_nearestToOne = std::min(m_nearestToOne, std::abs(1 - shown));
  }
}

ColumnFormat::ColumnFormat(std::span<const double> values, const MetricInfo& metric) {
  ColumnSpread spread(metric);
  for (const double value : values) {
    spread.add(value);
  }
  *this = ColumnFormat(spread, metric);
}

ColumnFormat::ColumnFormat(const ColumnSpread& spread, const MetricInfo& metric)
    : m_factor(spread.m_factor) {
  if (spread.m_largest == 0) {
    return;
  }
  int decimals = std::max(0, 1 - decade(spread.m_smallest));
  if (metric.scale == numerics::MetricScale::Linear && spread.m_largest <= 1 && m_factor == 1) {
    // A cosine of 0.99999 says nothing until its distance to 1 can be read.
    decimals = std::max(decimals, std::min(kMaxDecimals, 1 - decade(spread.m_nearestToOne)));
  }
  decimals = std::max(decimals, leastDecimals(metric.unit, spread.m_largest));
  m_scientific = decimals > kMaxDecimals || decade(spread.m_largest) >= kMaxLeadingDigits;
  m_decimals = m_scientific ? 2 : decimals;
}

QString ColumnFormat::text(double value) const {
  if (std::isnan(value)) {
    return missingText();
  }
  const double shown = value * m_factor;
  if (!std::isfinite(shown)) {
    return QString::fromStdString(formatExact(shown));
  }
  if (shown == 0) {
    return QStringLiteral("0");
  }
  return QString::number(shown, m_scientific ? 'e' : 'f', m_decimals);
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
    lines
        << SpreadTextWords::tr("95 % interval of the mean: ±%1")
               .arg(metricTextWithUnit(half, metric))
        << SpreadTextWords::tr("standard deviation: %1").arg(metricTextWithUnit(spread.sd, metric))
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
