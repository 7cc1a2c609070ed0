#include "views/framework/spread_text.h"

#include <algorithm>
#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/report/exporters/interval_text.h"
#include "views/framework/metric_text.h"

namespace ulp::views {
namespace {

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::Spread", text);
}

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
    lines << translate("95 % interval of the mean: ±%1").arg(metricTextWithUnit(half, metric))
          << translate("standard deviation: %1").arg(metricTextWithUnit(spread.sd, metric))
          << translate("smallest: %1, largest: %2")
                 .arg(metricTextWithUnit(spread.minimum, metric),
                      metricTextWithUnit(spread.maximum, metric));
  }
  const auto finite = static_cast<qulonglong>(finiteSamples(spread, samples));
  lines << (spread.undefined == 0
                ? translate("mean of %1 samples").arg(static_cast<qulonglong>(samples))
                : translate("mean of the %1 of %2 samples in which it is a finite number")
                      .arg(finite)
                      .arg(static_cast<qulonglong>(samples)));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace ulp::views
