#include "views/framework/noise_runs.h"

#include <algorithm>
#include <limits>

#include <QtCore/QCoreApplication>

#include "core/analysis/noise_band.h"

namespace ulp::views {

NoiseRuns noiseRuns(const ReportDocument& document, const Selection& selection) {
  const int variant = document.basis().relation == Relation::Error && !selection.noise.isEmpty()
                          ? document.findVariant(selection.noise)
                          : -1;
  return variant < 0 ? NoiseRuns{} : NoiseRuns{.name = selection.noise, .variants = {variant}};
}

bool measuresError(const MetricInfo& metric) {
  return metric.id != QLatin1String("ref_scale");
}

double noiseFloorAt(const ReportDocument& document, const NoiseRuns& noise, int site, int metric) {
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
  std::vector<std::vector<double>> repeats;
  for (const int variant : noise.variants) {
    if (measuresError(info)) {
      repeats.push_back({document.value(variant, site, metric)});
    }
  }
  const std::vector<double> floor = analysis::noiseFloor(repeats, info.better);
  return floor.empty() ? std::numeric_limits<double>::quiet_NaN() : floor.front();
}

bool isWithinNoise(const ReportDocument& document, const NoiseRuns& noise, const ValuePlace& at) {
  if (noise.isEmpty() || std::ranges::find(noise.variants, at.variant) != noise.variants.end()) {
    return false;
  }
  return analysis::isWithinNoise(document.value(at.variant, at.site, at.metric),
                                 noiseFloorAt(document, noise, at.site, at.metric),
                                 document.metrics()[static_cast<std::size_t>(at.metric)].better);
}

QString withinNoiseText(const NoiseRuns& noise) {
  return QCoreApplication::translate("ulp::views::Noise", "within the noise of %1").arg(noise.name);
}

}  // namespace ulp::views
