#include "views/charts/depth/depth_frame.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QtGui/QFontMetricsF>

#include "core/base/text/format_number.h"
#include "views/charts/plot/painting.h"
#include "views/framework/words/elided_text.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views::charts {
namespace {

constexpr double kLabelSampleRoom = 22;
constexpr double kReferenceLabelPixels = 48;
constexpr double kLabelPixels = 26;
constexpr double kZeroPixels = 16;       ///< between a label and that of zero
constexpr double kNonFinitePixels = 10;  ///< a mark above the plot, below its count

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
  std::vector<Tick> ticks;
  if (scale.hasDecades) {
    ticks = logTicks(range, count, factor);
  }
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

bool marksNonFinite(const DepthData& data, const DepthOptions& options) {
  return std::ranges::any_of(visibleCurves(options.visible), [&data](int curve) {
    return std::ranges::any_of(data.curve(curve).nonFinite,
                               [](std::uint64_t count) { return count > 0; });
  });
}

/// Whether something stands among the decades.
bool needsDecades(const DepthData& data, const DepthOptions& options, const DepthScale& scale) {
  return scale.hasDecades || !data.noise.empty() || (options.guideShown && !data.guide.empty());
}

/// A curve's last point that can be seen.
struct LineEnd {
  double position = std::numeric_limits<double>::quiet_NaN();  ///< NaN: there is none
  QString word{};                                              ///< " NaN" where it is not finite
};

LineEnd lineEnd(const DepthCurve& curve, const Range& x, const DepthScale& scale) {
  const int last =
      std::min(static_cast<int>(curve.values.size()) - 1, static_cast<int>(std::floor(x.high)));
  for (int slot = last; slot >= std::max(0, static_cast<int>(x.low)); --slot) {
    const auto at = static_cast<std::size_t>(slot);
    const double value = curve.values[at];
    const double position = scale.position(value);
    if (!std::isnan(position)) {
      return {.position = position};
    }
    if (std::isinf(value) || (std::isnan(value) && curve.nonFinite[at] > 0)) {
      return {.word = QLatin1Char(' ') + QString::fromStdString(formatSignificant(value))};
    }
  }
  return {};
}

double labelWidth(const DepthData& data,
                  const DepthOptions& options,
                  const Range& x,
                  const DepthScale& scale,
                  const QFontMetricsF& metrics,
                  double available) {
  double width = 0;
  for (const int curve : visibleCurves(options.visible)) {
    const QString word = lineEnd(data.curve(curve), x, scale).word;
    width = std::max(width, metrics.horizontalAdvance(data.nameOf(curve) + word));
  }
  return std::min(width, available * 0.22);
}

void addDirectLabels(DepthFrame& frame,
                     const DepthData& data,
                     const DepthOptions& options,
                     const QFontMetricsF& metrics,
                     double width) {
  std::vector<double> centres;
  QStringList names;
  const double top = frame.map.plot.top() - frame.nonFiniteBand;
  double words = 0;
  for (const int curve : visibleCurves(options.visible)) {
    const LineEnd end = lineEnd(data.curve(curve), frame.map.x, frame.scale);
    const bool isFinite = end.word.isEmpty();
    if (!isFinite || !std::isnan(end.position)) {
      // What is not finite ends beside its marks, above every number.
      const double y = isFinite ? std::clamp(frame.map.pixelY(end.position),
                                             frame.map.plot.top(),
                                             frame.map.plot.bottom())
                                : top;
      centres.push_back(y);
      names << data.nameOf(curve);
      words = std::max(words, metrics.horizontalAdvance(end.word));
      frame.labels.push_back(
          {.curve = curve, .lineY = y, .labelY = y, .text = end.word, .isFinite = isFinite});
    }
  }
  const QStringList shown = elidedNames(names, metrics, width - words);
  const std::vector<double> placed =
      spreadLabels(centres, metrics.height() + 2, {top, frame.map.plot.bottom()});
  for (std::size_t i = 0; i < placed.size(); ++i) {
    frame.labels[i].labelY = placed[i];
    frame.labels[i].text.prepend(shown.at(static_cast<qsizetype>(i)));
  }
}

/// What is drawn beside the curves.
void addLines(DepthFrame& frame, const DepthData& data, const DepthOptions& options) {
  const auto lineOf = [&](const std::vector<double>& values, const DepthScale& on) {
    return buildSegments(values, data.axis.fold, on, frame.map.x, frame.map.plot.width());
  };
  if (hasReference(data, options)) {
    frame.reference = lineOf(data.referenceScale, frame.referenceScale);
  }
  if (options.guideShown) {
    frame.guide = lineOf(data.guide, frame.scale);
  }
  frame.noise = lineOf(data.noise, frame.scale);
  for (const SampleCurve& sample : data.shownSamples(options.visible)) {
    frame.samples.push_back(lineOf(sample.values, frame.scale));
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
  if (marksNonFinite(data, options)) {
    frame.nonFiniteBand = metrics.height() + kNonFinitePixels;
  }
  Margins margins{
      .top = (options.titlesShown ? metrics.height() + 2 * kGap : kGap) + frame.nonFiniteBand,
      .bottom = 2 * metrics.height() + 2 * kGap};
  const double plotHeight = std::max(10.0, size.height() - margins.top - margins.bottom);
  DepthScale labelled = scale;
  labelled.hasDecades = needsDecades(data, options, scale);
  frame.yTicks =
      valueTicks(labelled, viewport.y(), plotHeight, kLabelPixels, inUnit(1, data.metric));
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
    labelText = labelWidth(data, options, viewport.x(), scale, labelMetrics, size.width());
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
  if (margins.reference > 0) {
    frame.referenceMap = {plot, viewport.x(), frame.referenceMap.y};
  }
  addLines(frame, data, options);
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
