#pragma once

#include <cmath>
#include <limits>
#include <random>

#include "views/charts/depth/depth_scene.h"

namespace ulp::test {

/// Curves of a model of many rows, as noisy as those of a real one: half of the rows forward, half
/// backward; some values are missing, some are not finite.
inline views::charts::DepthData manyCurves(int curves, int points) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> noise(0, 0.3);
  views::charts::DepthData data;
  data.metric = {
      .id = QStringLiteral("rms_rel"), .label = QStringLiteral("RMS error"), .formula = {}};
  data.metric.scale = numerics::MetricScale::Logarithmic;
  data.logarithmic = true;
  data.axis.fold = points / 2;
  for (int slot = 0; slot < points; ++slot) {
    const Pass pass = slot < data.axis.fold ? Pass::Forward : Pass::Backward;
    data.axis.positions.push_back(
        {.site = slot,
         .pass = pass,
         .layer = slot / 12,
         .name = QStringLiteral("model.layers.%1").arg(slot / 12),
         .label = slot % 12 == 0 ? QString::number(slot / 12) : QString()});
    data.referenceScale.push_back(0.1 * noise(random));
  }
  for (int i = 0; i < curves; ++i) {
    views::charts::DepthCurve curve{.name = QStringLiteral("variant %1").arg(i),
                                    .style = i,
                                    .values = {},
                                    .nonFinite = {},
                                    .jumps = {}};
    for (int slot = 0; slot < points; ++slot) {
      const bool isBroken = random() % 2000 == 0;
      const double value = 1e-4 * (i + 1) * (1 + (3.0 * slot / points)) * noise(random);
      curve.values.push_back(isBroken ? std::numeric_limits<double>::quiet_NaN() : value);
      curve.nonFinite.push_back(isBroken ? 7 : 0);
    }
    data.curves.push_back(std::move(curve));
  }
  return data;
}

}  // namespace ulp::test
