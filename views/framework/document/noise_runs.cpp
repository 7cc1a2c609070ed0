#include "views/framework/document/noise_runs.h"

#include <algorithm>
#include <limits>

#include <QtCore/QCoreApplication>

#include "core/analysis/depth/depth_curve.h"
#include "core/report/summary/noise_floor.h"

namespace ulp::views {
namespace {

struct NoiseRunsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Noise)
};

}  // namespace

NoiseRuns noiseRuns(const ReportDocument& document, const Selection& selection) {
  const int variant = document.basis().relation == Relation::Error && !selection.noise.isEmpty()
                          ? document.findVariant(selection.noise)
                          : -1;
  if (variant >= 0) {
    return {.name = selection.noise, .variants = {variant}};
  }
  return document.noiseFloor().isKnown()
             ? NoiseRuns{.name = document.noiseFloorNames().join(QStringLiteral(", ")),
                         .isFloor = true}
             : NoiseRuns{};
}

bool measuresError(const MetricInfo& metric) {
  return report::measuresError(metric.id.toStdString());
}

double noiseFloorAt(const ReportDocument& document, const NoiseRuns& noise, const ValuePlace& at) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(at.metric)];
  if (!measuresError(info)) {
    return kUnknown;
  }
  if (noise.isFloor) {
    return document.hasNoiseFloor(at.variant)
               ? document.noiseFloor().at(document.sites()[static_cast<std::size_t>(at.site)],
                                          static_cast<std::size_t>(at.metric))
               : kUnknown;
  }
  std::vector<std::vector<double>> repeats;
  for (const int variant : noise.variants) {
    repeats.push_back({document.value(variant, at.site, at.metric)});
  }
  const std::vector<double> floor = analysis::noiseFloor(repeats, info.better);
  return floor.empty() ? kUnknown : floor.front();
}

bool isWithinNoise(const ReportDocument& document, const NoiseRuns& noise, const ValuePlace& at) {
  const bool isNoiseItself = std::ranges::find(noise.variants, at.variant) != noise.variants.end();
  if (noise.isEmpty() || isNoiseItself) {
    return false;
  }
  return numerics::isNoWorse(document.value(at.variant, at.site, at.metric),
                             noiseFloorAt(document, noise, at),
                             document.metrics()[static_cast<std::size_t>(at.metric)].better);
}

QString noiseText(const NoiseRuns& noise) {
  return (noise.isFloor ? NoiseRunsWords::tr("noise floor: %1") : NoiseRunsWords::tr("noise: %1"))
      .arg(noise.name);
}

QString withinNoiseText(const NoiseRuns& noise) {
  return (noise.isFloor ? NoiseRunsWords::tr("within the noise floor: %1")
                        : NoiseRunsWords::tr("within the noise of %1"))
      .arg(noise.name);
}

QString unknownFloorText(const ReportDocument& document) {
  if (document.noiseFloorNames().isEmpty()) {
    return {};
  }
  if (!document.noiseFloor().isKnown()) {
    return NoiseRunsWords::tr("the noise floor is not known here: it was measured against %1")
        .arg(QString::fromStdString(document.basis().open->joined.report->reference));
  }
  QStringList others;
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    if (!document.hasNoiseFloor(variant)) {
      others << document.variantName(variant);
    }
  }
  return others.isEmpty()
             ? QString()
             : NoiseRunsWords::tr(
                   "the noise floor says nothing of %1, compared with another reference")
                   .arg(others.join(QStringLiteral(", ")));
}

}  // namespace ulp::views
