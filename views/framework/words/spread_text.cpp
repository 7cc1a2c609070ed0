#include "views/framework/words/spread_text.h"

#include <algorithm>
#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/report/tables/number_column.h"

namespace ulp::views {
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
