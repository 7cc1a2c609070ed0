#include "views/charts/depth/depth_marks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QtCore/QCoreApplication>

#include "core/analysis/depth/depth_curve.h"
#include "core/analysis/findings/finding_rule.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views::charts {
namespace {

/// Slots that follow each other in depth.
std::vector<std::size_t> comparableSlots(const DepthData& data, const ReportDocument& document) {
  std::vector<std::size_t> layers;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < data.axis.positions.size(); ++i) {
    const DepthSlot& slot = data.axis.positions[i];
    if (isOfParameters(slot.pass)) {
      continue;
    }
    all.push_back(i);
    if (document.sites()[static_cast<std::size_t>(slot.site)].level == Level::Layer) {
      layers.push_back(i);
    }
  }
  return layers.empty() ? all : layers;
}

/// The configuration is not read anew for each chart: overrides say most of it.
const analysis::FormatLimits* coarsestFormat(const ReportDocument& document, int variant) {
  return analysis::RuleInput::coarsestFormat(document.report(), document.variant(variant), {});
}

const analysis::FormatLimits* coarsestFormat(const ReportDocument& document) {
  const analysis::FormatLimits* coarsest = nullptr;
  for (int i = 0; i < document.variantCount(); ++i) {
    const analysis::FormatLimits* format = coarsestFormat(document, i);
    if (format != nullptr && (coarsest == nullptr || format->roundOff > coarsest->roundOff)) {
      coarsest = format;
    }
  }
  return coarsest;
}

}  // namespace

void markJumps(DepthData& data, const ReportDocument& document, const JumpThresholds& thresholds) {
  const std::vector<std::size_t> places = comparableSlots(data, document);
  const int relative = document.findMetric(QStringLiteral("rms_rel"));
  for (int variant = 0; variant < static_cast<int>(data.curves.size()); ++variant) {
    DepthCurve& curve = data.curves[static_cast<std::size_t>(variant)];
    curve.jumps.assign(data.axis.positions.size(), 0);
    if (data.metric.better != numerics::Better::Lower) {
      continue;
    }
    std::vector<analysis::JumpRow> rows;
    rows.reserve(places.size());
    for (const std::size_t place : places) {
      rows.push_back(
          {data.axis.positions[place].pass, curve.values[place], curve.nonFinite[place]});
    }
    const analysis::FormatLimits* format = coarsestFormat(document, variant);
    // Below it the growth of a relative error means nothing.
    const double floor = format == nullptr ? 0 : thresholds.floor * format->roundOff;
    for (const analysis::Jump& jump : analysis::findJumps(rows, thresholds.factor)) {
      const std::size_t place = places[jump.point];
      const bool isBelow =
          document.value(variant, data.axis.positions[place].site, relative) < floor;
      const bool isJump =
          jump.factor >= thresholds.factor && std::isfinite(jump.factor) && !isBelow;
      curve.jumps[place] = isJump ? jump.factor : 0;
    }
  }
}

void addNoise(DepthData& data, const ReportDocument& document, const NoiseRuns& noise) {
  const int metric = document.findMetric(data.metric.id);
  if (!measuresError(data.metric) || noise.isEmpty() || metric < 0) {
    return;
  }
  data.noiseName = noiseText(noise);
  if (noise.isFloor) {
    const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
    for (const DepthSlot& slot : data.axis.positions) {
      const double floor = document.noiseFloor().at(
          document.sites()[static_cast<std::size_t>(slot.site)], static_cast<std::size_t>(metric));
      data.noise.push_back(data.isFromOne ? asDrawn(floor, info) : floor);
    }
    for (std::size_t i = 0; i < data.curves.size(); ++i) {
      data.curves[i].isBeyondNoise = !document.hasNoiseFloor(static_cast<int>(i));
    }
    return;
  }
  std::vector<std::vector<double>> repeats;
  for (const int variant : noise.variants) {
    DepthCurve& curve = data.curves[static_cast<std::size_t>(variant)];
    curve.isNoise = true;
    repeats.push_back(curve.values);
  }
  data.noise = analysis::noiseFloor(repeats, data.metric.better);
}

bool isWithinNoise(const DepthData& data, int curve, int slot) {
  const auto at = static_cast<std::size_t>(slot);
  const DepthCurve& drawn = data.curve(curve);
  return !drawn.isNoise && !drawn.isBeyondNoise && at < data.noise.size() &&
         numerics::isNoWorse(drawn.values[at], data.noise[at], data.metric.better);
}

QString meanText(const DepthData& data, int curve, int slot) {
  const auto at = static_cast<std::size_t>(slot);
  const DepthCurve& drawn = data.curve(curve);
  const QString interval = at < drawn.spreads.size()
                               ? intervalText(drawn.spreads[at], drawn.samples, data.metric.unit)
                               : QString();
  if (interval.isEmpty()) {
    return metricTextWithUnit(drawn.values[at], data.metric, drawn.nonFinite[at] > 0);
  }
  const QString text = metricText(drawn.values[at], data.metric) + interval;
  const QString unit = unitText(data.metric.unit);
  return unit.isEmpty() ? text : text + QChar(0x202f) + unit;
}

void addGuide(DepthData& data, const ReportDocument& document) {
  const analysis::FormatLimits* format = coarsestFormat(document);
  if (data.metric.id != QLatin1String("rms_rel") || format == nullptr) {
    return;
  }
  double passed = 1;
  int layer = -1;
  Pass pass = Pass::Forward;
  data.guide.reserve(data.axis.positions.size());
  for (const DepthSlot& slot : data.axis.positions) {
    // The backward pass begins with the layer that the forward pass ended with: it counts again.
    if (slot.layer >= 0 && (slot.layer != layer || slot.pass != pass)) {
      layer = slot.layer;
      pass = slot.pass;
      ++passed;
    }
    data.guide.push_back(isOfParameters(slot.pass) ? std::numeric_limits<double>::quiet_NaN()
                                                   : format->roundOff * std::sqrt(passed));
  }
  data.guideName =
      QCoreApplication::translate("ulp::views::DepthChart",
                                  "Expected for %1: unit round-off × √depth (a model)")
          .arg(QLatin1String(format->name.data(), static_cast<qsizetype>(format->name.size())));
}

}  // namespace ulp::views::charts
