#include "views/charts/depth/depth_scene.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <QtCore/QCoreApplication>

#include "views/framework/document/least_non_finite.h"

namespace ulp::views::charts {
namespace {

constexpr double kMarkerDistance = 22;
constexpr double kEveryMarkerDistance = 7;
/// Pieces of all curves together; shorter ones beyond become markers, so that a curve full of holes
/// cannot make thousands of chart items.
constexpr std::size_t kMaxSegments = 256;

struct DepthSceneWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DepthChart)
};

struct Extremes {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool zero = false;

  void add(const std::vector<double>& values, bool logarithmic) {
    for (const double value : values) {
      if (!std::isfinite(value)) {
        continue;
      }
      if (logarithmic && value <= 0) {
        zero = zero || value == 0;
        continue;
      }
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  /// Where intervals end; on a logarithmic axis upwards alone: downwards they may reach 0, which
  /// lies infinitely far away.
  void addIntervals(const DepthCurve& curve, bool logarithmic) {
    for (std::size_t i = 0; i < curve.halves.size(); ++i) {
      const double half = curve.halves[i];
      if (!std::isfinite(half) || !std::isfinite(curve.values[i])) {
        continue;
      }
      high = std::max(high, curve.values[i] + half);
      low = logarithmic ? low : std::min(low, curve.values[i] - half);
    }
  }
};

DepthExtent padded(const Extremes& extremes, bool logarithmic) {
  DepthExtent extent;
  extent.scale.logarithmic = logarithmic;
  extent.scale.hasZero = logarithmic && extremes.zero;
  const bool empty = extremes.low > extremes.high;
  extent.scale.hasDecades = !extent.scale.hasZero || !empty;
  Range y{empty ? (logarithmic ? -3.0 : 0.0) : extremes.low,
          empty ? (logarithmic ? 0.0 : 1.0) : extremes.high};
  if (logarithmic && !empty) {
    y = {std::log10(extremes.low), std::log10(extremes.high)};
  } else if (!empty) {
    y.low = std::min(y.low, 0.0);
  }
  const double least = logarithmic ? 1.0 : std::max(std::abs(y.high), 1e-300) * 1e-3;
  if (y.span() < least) {
    const double middle = (y.low + y.high) / 2;
    y = {middle - least / 2, middle + least / 2};
  }
  const double margin = y.span() * 0.06;
  extent.scale.shelf = y.low - margin * 1.5;
  y.low -= extent.scale.hasZero ? margin * 2.5 : (logarithmic ? margin : 0);
  y.high += margin * 1.5;
  extent.y = y;
  return extent;
}

/// The lowest and the highest point of [from, to), in their order; fewer when there are fewer.
void addExtremes(const std::vector<double>& positions, int from, int to, QList<QPointF>& out) {
  int low = -1;
  int high = -1;
  const auto at = [&](int i) { return positions[static_cast<std::size_t>(i)]; };
  for (int i = from; i < to; ++i) {
    if (std::isnan(at(i))) {
      continue;
    }
    low = low < 0 || at(i) < at(low) ? i : low;
    high = high < 0 || at(i) > at(high) ? i : high;
  }
  if (low < 0) {
    return;
  }
  out.append(QPointF(std::min(low, high), at(std::min(low, high))));
  if (low != high) {
    out.append(QPointF(std::max(low, high), at(std::max(low, high))));
  }
}

/// Pieces of [range.first, range.last], broken where values are missing.
void addSegments(const std::vector<double>& positions,
                 const SlotRange& range,
                 int bucket,
                 std::vector<QList<QPointF>>& segments) {
  QList<QPointF> current;
  // Buckets stand still while the view moves, or the curve would flicker.
  for (int from = range.first - range.first % bucket; from <= range.last; from += bucket) {
    const qsizetype before = current.size();
    addExtremes(
        positions, std::max(from, range.first), std::min(from + bucket, range.last + 1), current);
    if (current.size() == before && !current.isEmpty()) {
      segments.push_back(std::exchange(current, {}));
    }
  }
  if (!current.isEmpty()) {
    segments.push_back(std::move(current));
  }
}

std::vector<QList<QPointF>> segmentsOf(const std::vector<double>& positions,
                                       const SlotRange& range,
                                       int fold,
                                       int bucket) {
  std::vector<QList<QPointF>> segments;
  addSegments(positions, {range.first, std::min(range.last, fold - 1)}, bucket, segments);
  addSegments(positions, {std::max(range.first, fold), range.last}, bucket, segments);
  return segments;
}

std::vector<double> positionsOf(const std::vector<double>& values, const DepthScale& scale) {
  std::vector<double> positions(values.size());
  std::ranges::transform(
      values, positions.begin(), [&](double value) { return scale.position(value); });
  return positions;
}

/// As above, with what keepLogs() kept: the logarithm of zero is -infinity.
std::vector<double> positionsOf(const DepthCurve& curve, const DepthScale& scale) {
  if (!scale.logarithmic || curve.logs.size() != curve.values.size()) {
    return positionsOf(curve.values, scale);
  }
  std::vector<double> positions(curve.logs.size());
  std::ranges::transform(curve.logs, positions.begin(), [&](double log) {
    return std::isinf(log) ? scale.shelf : log;
  });
  return positions;
}

int bucketSize(const Range& x, double plotWidth) {
  return std::max(1, static_cast<int>(std::floor(x.span() / std::max(plotWidth, 1.0))));
}

/// Keeps the longest `limit` pieces; returns the points of the others.
QList<QPointF> shorten(std::vector<QList<QPointF>>& segments, std::size_t limit) {
  QList<QPointF> loose;
  std::ranges::stable_sort(segments, std::greater(), &QList<QPointF>::size);
  while (!segments.empty() && (segments.size() > limit || segments.back().size() < 2)) {
    loose += segments.back();
    segments.pop_back();
  }
  return loose;
}

std::vector<SceneMarker> markersOf(const DepthCurve& curve,
                                   const std::vector<double>& positions,
                                   const SlotRange& range,
                                   int step,
                                   const QList<QPointF>& loose) {
  std::vector<SceneMarker> markers;
  const auto add = [&](int slot) {
    const auto i = static_cast<std::size_t>(slot);
    if (!std::isnan(positions[i])) {
      markers.push_back({slot, QPointF(slot, positions[i]), curve.values[i] == 0});
    }
  };
  // Curves on top of each other show the markers of both when each starts at another place.
  const int start = step > 1 ? curve.style % step : 0;
  for (int slot = range.first; slot <= range.last; ++slot) {
    if (slot % step == start) {
      add(slot);
    }
  }
  for (const QPointF& point : loose) {
    const int slot = static_cast<int>(point.x());
    if (slot % step != start) {
      add(slot);
    }
  }
  return markers;
}

bool haveSameValues(const DepthCurve& one, const DepthCurve& other) {
  const auto isSame = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  const auto isValue = [](double value) { return !std::isnan(value); };
  return std::ranges::any_of(one.values, isValue) &&
         std::ranges::equal(one.values, other.values, isSame);
}

void findCoinciding(std::vector<DepthCurve>& curves) {
  for (std::size_t i = 1; i < curves.size(); ++i) {
    const auto same = std::ranges::find_if(
        curves.begin(), curves.begin() + static_cast<std::ptrdiff_t>(i), [&](const DepthCurve& at) {
          return haveSameValues(curves[i], at);
        });
    const auto found = static_cast<std::size_t>(same - curves.begin());
    curves[i].sameAs = found < i ? static_cast<int>(found) : -1;
  }
}

}  // namespace

std::vector<int> visibleCurves(const std::vector<bool>& visible) {
  std::vector<int> curves;
  for (std::size_t i = 0; i < visible.size(); ++i) {
    if (visible[i]) {
      curves.push_back(static_cast<int>(i));
    }
  }
  return curves;
}

SlotRange visibleSlots(const Range& x, std::size_t count) {
  const int last = static_cast<int>(count) - 1;
  return {std::clamp(static_cast<int>(std::floor(x.low)) - 1, 0, std::max(last, 0)),
          std::min(last, static_cast<int>(std::ceil(x.high)) + 1)};
}

std::span<const SampleCurve> DepthData::shownSamples(const std::vector<bool>& visible) const {
  const bool isShown = sampledCurve >= 0 && visible[static_cast<std::size_t>(sampledCurve)];
  return isShown ? std::span(samples) : std::span<const SampleCurve>();
}

double DepthScale::position(double value) const {
  if (!std::isfinite(value) || (logarithmic && value < 0)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (!logarithmic) {
    return value;
  }
  return value == 0 ? shelf : std::log10(value);
}

double DepthScale::value(double position) const {
  return logarithmic ? std::pow(10.0, position) : position;
}

void keepLogs(DepthData& data) {
  const DepthScale scale{.logarithmic = true, .shelf = -std::numeric_limits<double>::infinity()};
  for (DepthCurve& curve : data.curves) {
    if (curve.logs.size() != curve.values.size()) {
      curve.logs = positionsOf(curve.values, scale);
    }
  }
}

bool hasDecades(const MetricInfo& metric) {
  return asDrawn(metric).scale == numerics::MetricScale::Logarithmic;
}

QString DepthData::scaleTitle() const {
  return scaleOf.isEmpty() ? DepthSceneWords::tr("RMS of the reference")
                           : DepthSceneWords::tr("RMS of %1").arg(scaleOf);
}

QString DepthData::nameOf(int index) const {
  const DepthCurve& named = curve(index);
  return named.sameAs < 0 ? named.name
                          : QStringLiteral("%1 = %2").arg(named.name, curve(named.sameAs).name);
}

DepthData makeDepthData(const ReportDocument& document,
                        DepthAxis axis,
                        const QString& metric,
                        bool inDecades) {
  DepthData data;
  data.axis = std::move(axis);
  const int column = document.findMetric(metric);
  MetricInfo info;
  if (column >= 0) {
    info = document.metrics()[static_cast<std::size_t>(column)];
    data.isFromOne = inDecades && info.isDrawnFromOne;
    data.metric = data.isFromOne ? asDrawn(info) : info;
    data.logarithmic = inDecades && hasDecades(info);
  }
  if (document.basis().relation == Relation::Error) {
    data.scaleOf = document.basis().baseline;
  }
  const int scaleColumn = document.findMetric(QStringLiteral("ref_scale"));
  const auto size = static_cast<std::size_t>(data.axis.size());
  if (scaleColumn >= 0) {
    data.referenceScale.assign(size, std::numeric_limits<double>::quiet_NaN());
  }
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    DepthCurve curve{.name = document.variantName(variant),
                     .style = document.styleOf(variant),
                     .samples = document.variant(variant).samples};
    curve.values.reserve(size);
    curve.nonFinite.reserve(size);
    for (std::size_t slot = 0; slot < size; ++slot) {
      const int site = data.axis.positions[slot].site;
      const report::Comparison* comparison = document.comparison(variant, site);
      const double value = document.value(variant, site, column);
      curve.values.push_back(data.isFromOne ? asDrawn(value, info) : value);
      if (document.hasSpread()) {
        curve.spreads.push_back(document.spread(variant, site, column));
        curve.halves.push_back(report::halfInterval(curve.spreads.back(), curve.samples));
      }
      curve.nonFinite.push_back(comparison == nullptr ? 0 : comparison->variantNonFinite.total());
      curve.leastNonFinite.push_back(comparison != nullptr &&
                                     isLeastNonFinite(document, *comparison));
      if (scaleColumn >= 0 && std::isnan(data.referenceScale[slot])) {
        data.referenceScale[slot] = document.value(variant, site, scaleColumn);
      }
    }
    data.curves.push_back(std::move(curve));
  }
  findCoinciding(data.curves);
  return data;
}

DepthExtent extentOf(const DepthData& data, const std::vector<bool>& visible) {
  Extremes extremes;
  for (const int curve : visibleCurves(visible)) {
    extremes.add(data.curve(curve).values, data.logarithmic);
    extremes.addIntervals(data.curve(curve), data.logarithmic);
  }
  for (const SampleCurve& sample : data.shownSamples(visible)) {
    extremes.add(sample.values, data.logarithmic);
  }
  return padded(extremes, data.logarithmic);
}

DepthExtent extentOf(const std::vector<double>& values, bool logarithmic) {
  Extremes extremes;
  extremes.add(values, logarithmic);
  return padded(extremes, logarithmic);
}

std::vector<QList<QPointF>> buildSegments(const std::vector<double>& values,
                                          int fold,
                                          const DepthScale& scale,
                                          const Range& x,
                                          double plotWidth) {
  return segmentsOf(
      positionsOf(values, scale), visibleSlots(x, values.size()), fold, bucketSize(x, plotWidth));
}

DepthScene buildScene(const DepthData& data,
                      const std::vector<bool>& visible,
                      const DepthScale& scale,
                      const Range& x,
                      double plotWidth) {
  DepthScene scene;
  const SlotRange range = visibleSlots(x, data.axis.positions.size());
  const double pixels = plotWidth / x.span();
  const int step = pixels >= kEveryMarkerDistance
                       ? 1
                       : static_cast<int>(std::ceil(kMarkerDistance / std::max(pixels, 1e-9)));
  const std::vector<int> shown = visibleCurves(visible);
  const std::size_t limit =
      std::max<std::size_t>(4, kMaxSegments / std::max<std::size_t>(1, shown.size()));
  std::vector<NonFiniteMark> marks(data.axis.positions.size());
  for (const int index : shown) {
    const DepthCurve& curve = data.curve(index);
    const std::vector<double> positions = positionsOf(curve, scale);
    SceneCurve drawn{
        .curve = index,
        .segments = segmentsOf(positions, range, data.axis.fold, bucketSize(x, plotWidth))};
    const QList<QPointF> loose = shorten(drawn.segments, limit);
    drawn.markers = markersOf(curve, positions, range, step, loose);
    scene.curves.push_back(std::move(drawn));
    for (std::size_t slot = 0; slot < marks.size(); ++slot) {
      if (curve.nonFinite[slot] > marks[slot].count) {
        marks[slot] = {.slot = static_cast<int>(slot),
                       .count = curve.nonFinite[slot],
                       .isLeast = !curve.leastNonFinite.empty() && curve.leastNonFinite[slot]};
      }
    }
  }
  for (int slot = range.first; slot <= range.last; ++slot) {
    if (const NonFiniteMark& mark = marks[static_cast<std::size_t>(slot)]; mark.count > 0) {
      scene.nonFinite.push_back(mark);
    }
  }
  return scene;
}

std::vector<ReadoutRow> readoutAt(const DepthData& data,
                                  const std::vector<bool>& visible,
                                  int slot) {
  std::vector<ReadoutRow> rows;
  const auto at = static_cast<std::size_t>(slot);
  for (const int curve : visibleCurves(visible)) {
    rows.push_back({curve, data.curve(curve).values[at], data.curve(curve).nonFinite[at]});
  }
  const bool lowerIsBetter = data.metric.better == numerics::Better::Lower;
  std::ranges::stable_sort(rows, [lowerIsBetter](const ReadoutRow& a, const ReadoutRow& b) {
    if (std::isnan(a.value) || std::isnan(b.value)) {
      return !std::isnan(a.value) && std::isnan(b.value);
    }
    return lowerIsBetter ? a.value > b.value : a.value < b.value;
  });
  return rows;
}

int nearestCurve(const DepthData& data,
                 const std::vector<bool>& visible,
                 const DepthScale& scale,
                 int slot,
                 double position) {
  int nearest = -1;
  double distance = std::numeric_limits<double>::infinity();
  for (const int curve : visibleCurves(visible)) {
    const double at = scale.position(data.curve(curve).values[static_cast<std::size_t>(slot)]);
    if (std::abs(at - position) < distance) {
      distance = std::abs(at - position);
      nearest = curve;
    }
  }
  return nearest;
}

}  // namespace ulp::views::charts
