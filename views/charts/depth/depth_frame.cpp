#include "views/charts/depth/depth_frame.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QtGui/QFontMetricsF>

#include "views/charts/plot/painting.h"
#include "views/framework/words/elided_text.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views::charts {
namespace {

constexpr double kLabelSampleRoom = 22;
constexpr double kReferenceLabelPixels = 48;
constexpr double kLabelPixels = 26;
constexpr double kZeroPixels = 16;  ///< between a label and that of zero

/// Room around the plot.
struct Margins {
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;
  double labels = 0;     ///< part of `right`
  double reference = 0;  ///< part of `right`
};

std::vector<Tick> valueTicks(
    const DepthScale& scale, const Range& range, double pixels, double labelPixels, double factor) {
  const int count = std::max(2, static_cast<int>(pixels / labelPixels));
  if (!scale.logarithmic) {
    return linearTicks(range, count, factor);
  }
  std::vector<Tick> ticks = logTicks(range, count, factor);
  if (scale.hasZero) {
    std::erase_if(ticks, [&](const Tick& tick) { return tick.position < scale.shelf + 0.05; });
    for (Tick& tick : ticks) {
      const bool touchesZero = (tick.position - scale.shelf) * pixels < kZeroPixels * range.span();
      tick.label = touchesZero ? QString() : tick.label;
    }
    if (range.contains(scale.shelf)) {
      ticks.push_back({scale.shelf, QStringLiteral("0"), true});
    }
  }
  return ticks;
}

bool hasReference(const DepthData& data, const DepthOptions& options) {
  return options.referenceShown && std::ranges::any_of(data.referenceScale, [](double value) {
           return std::isfinite(value);
         });
}

bool hasDirectLabels(const DepthOptions& options) {
  return options.directLabels && std::ranges::count(options.visible, true) <= kMaxDirectLabels;
}

double labelWidth(const DepthData& data,
                  const DepthOptions& options,
                  const QFontMetricsF& metrics,
                  double available) {
  double width = 0;
  for (const int curve : visibleCurves(options.visible)) {
    width = std::max(width, metrics.horizontalAdvance(data.nameOf(curve)));
  }
  return std::min(width, available * 0.22);
}

/// Position of the curve's last point that can be seen; NaN: there is none.
double lastPosition(const DepthCurve& curve, const DepthFrame& frame) {
  const int last = std::min(static_cast<int>(curve.values.size()) - 1,
                            static_cast<int>(std::floor(frame.map.x.high)));
  for (int slot = last; slot >= std::max(0, static_cast<int>(frame.map.x.low)); --slot) {
    const double position = frame.scale.position(curve.values[static_cast<std::size_t>(slot)]);
    if (!std::isnan(position)) {
      return position;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void addDirectLabels(DepthFrame& frame,
                     const DepthData& data,
                     const DepthOptions& options,
                     const QFontMetricsF& metrics,
                     double width) {
  std::vector<double> centres;
  QStringList names;
  for (const int curve : visibleCurves(options.visible)) {
    const double position = lastPosition(data.curve(curve), frame);
    if (!std::isnan(position)) {
      const double y =
          std::clamp(frame.map.pixelY(position), frame.map.plot.top(), frame.map.plot.bottom());
      centres.push_back(y);
      names << data.nameOf(curve);
      frame.labels.push_back({.curve = curve, .lineY = y, .labelY = y, .text = {}});
    }
  }
  const QStringList shown = elidedNames(names, metrics, width);
  const std::vector<double> placed =
      spreadLabels(centres, metrics.height() + 2, {frame.map.plot.top(), frame.map.plot.bottom()});
  for (std::size_t i = 0; i < placed.size(); ++i) {
    frame.labels[i].labelY = placed[i];
    frame.labels[i].text = shown.at(static_cast<qsizetype>(i));
  }
}

}  // namespace

int labelAt(const DepthFrame& frame, const QPointF& point, double height) {
  const auto found = std::ranges::find_if(frame.labels, [&](const DirectLabel& label) {
    return point.x() >= frame.labelLeft && std::abs(point.y() - label.labelY) <= height / 2;
  });
  return found == frame.labels.end() ? -1 : found->curve;
}

DepthFrame makeFrame(const DepthData& data,
                     const DepthOptions& options,
                     const Viewport& viewport,
                     const DepthScale& scale,
                     const QSizeF& size,
                     const QFont& font) {
  const QFontMetricsF metrics(font);
  DepthFrame frame;
  frame.scale = scale;
  Margins margins{.top = options.titlesShown ? metrics.height() + 2 * kGap : kGap,
                  .bottom = 2 * metrics.height() + 2 * kGap};
  const double plotHeight = std::max(10.0, size.height() - margins.top - margins.bottom);
  frame.yTicks = valueTicks(scale, viewport.y(), plotHeight, kLabelPixels, inUnit(1, data.metric));
  margins.left = widestLabel(frame.yTicks, metrics) + 2 * kGap;
  if (hasReference(data, options)) {
    const DepthExtent extent = extentOf(data.referenceScale, true);
    frame.referenceScale = extent.scale;
    frame.referenceMap.y = extent.y;
    frame.referenceTicks = valueTicks(extent.scale, extent.y, plotHeight, kReferenceLabelPixels, 1);
    margins.reference = widestLabel(frame.referenceTicks, metrics) + kGap;
  }
  double labelText = 0;
  // The label of the selected variant is bold: room is kept for the wider of the two.
  QFont bold = font;
  bold.setBold(true);
  const QFontMetricsF labelMetrics(bold);
  if (hasDirectLabels(options)) {
    labelText = labelWidth(data, options, labelMetrics, size.width());
    margins.labels = labelText + kLabelSampleRoom + kGap;
  }
  margins.right = margins.reference + margins.labels + kGap;
  const QRectF plot(margins.left,
                    margins.top,
                    std::max(10.0, size.width() - margins.left - margins.right),
                    plotHeight);
  frame.map = {plot, viewport.x(), viewport.y()};
  frame.scene = buildScene(data, options.visible, scale, viewport.x(), plot.width());
  frame.xTicks = slotTicks(
      data.axis, viewport.x(), plot.width() / viewport.x().span(), [&metrics](const QString& text) {
        return metrics.horizontalAdvance(text);
      });
  const auto lineOf = [&](const std::vector<double>& values, const DepthScale& on) {
    return buildSegments(values, data.axis.fold, on, viewport.x(), plot.width());
  };
  if (margins.reference > 0) {
    frame.referenceMap = {plot, viewport.x(), frame.referenceMap.y};
    frame.reference = lineOf(data.referenceScale, frame.referenceScale);
  }
  if (options.guideShown) {
    frame.guide = lineOf(data.guide, scale);
  }
  frame.noise = lineOf(data.noise, scale);
  for (const SampleCurve& sample : data.shownSamples(options.visible)) {
    frame.samples.push_back(lineOf(sample.values, scale));
  }
  frame.labelLeft = plot.right() + margins.reference + kGap;
  if (margins.labels > 0) {
    addDirectLabels(frame, data, options, labelMetrics, labelText + 1);
  }
  return frame;
}

QPolygonF pixelsOf(const QList<QPointF>& line, const PlotMap& map, double ratio) {
  QPolygonF pixels;
  pixels.reserve(line.size());
  for (const QPointF& point : line) {
    pixels.append(QPointF(map.pixelX(point.x()) * ratio, map.pixelY(point.y()) * ratio));
  }
  return pixels;
}

QString shortCount(std::uint64_t count) {
  constexpr std::array<const char*, 4> kUnits{"", "k", "M", "G"};
  auto value = static_cast<double>(count);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  const int decimals = unit > 0 && value < 10 ? 1 : 0;
  return QString::number(value, 'f', decimals) + QLatin1String(kUnits.at(unit));
}

}  // namespace ulp::views::charts
