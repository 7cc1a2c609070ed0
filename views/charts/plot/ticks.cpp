#include "views/charts/plot/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/text/format_number.h"
#include "views/charts/plot/painting.h"

namespace ulp::views::charts {
namespace {

QString tickLabel(double value) {
  const int exponent =
      value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  if (exponent < -4 || exponent > 5) {
    const int mantissa = static_cast<int>(std::lround(value / std::pow(10.0, exponent)));
    return QStringLiteral("%1e%2").arg(mantissa).arg(exponent);
  }
  return QString::number(value, 'f', std::max(0, -exponent));
}

/// "1.2e6", "3e-8": four digits at most, and none that say nothing.
QString exponentLabel(double value) {
  QString text = QString::number(value, 'g', 4);
  const qsizetype e = text.indexOf(u'e');
  return e < 0 ? text : text.first(e + 1) + QString::number(text.sliced(e + 1).toInt());
}

/// Places labels on a line and refuses those that would touch.
class LabelLine {
 public:
  using WidthOf = std::function<double(const QString&)>;

  /// To measure a text costs more than all else here: one a pixel is enough where none fits.
  bool place(double centre, const QString& label, const WidthOf& widthOf) {
    const bool isHopeless =
        isTaken(centre) || (std::abs(centre - m_refusedAt) < 1 && label.size() >= m_refusedLength);
    if (isHopeless) {
      return false;
    }
    const bool fits = place(centre, widthOf(label));
    if (!fits) {
      m_refusedAt = centre;
      m_refusedLength = label.size();
    }
    return fits;
  }

 private:
  /// No label of any width can stand around `centre`.
  [[nodiscard]] bool isTaken(double centre) const {
    const auto next = firstBehind(centre);
    return next != m_taken.end() && next->low < centre + kLabelGap;
  }
  bool place(double centre, double width) {
    const Range wanted{centre - width / 2, centre + width / 2};
    const auto next = firstBehind(wanted.low);
    const bool free = next == m_taken.end() || wanted.high + kLabelGap <= next->low;
    if (free) {
      m_taken.insert(next, wanted);
    }
    return free;
  }
  /// The first label that ends behind `position` or touches what begins there.
  [[nodiscard]] std::vector<Range>::const_iterator firstBehind(double position) const {
    return std::ranges::upper_bound(m_taken, position - kLabelGap, {}, &Range::high);
  }

  std::vector<Range> m_taken;  ///< from left to right
  double m_refusedAt = -std::numeric_limits<double>::infinity();
  qsizetype m_refusedLength = 0;
};

/// Distance of neighbouring layers on the axis, in slots.
double slotsPerLayer(const DepthAxis& axis) {
  int first = -1;
  for (int slot = 0; slot < axis.size(); ++slot) {
    const DepthSlot& here = axis.at(slot);
    if (here.layer < 0 || here.label.isEmpty()) {
      continue;
    }
    if (first >= 0 && axis.at(first).layer != here.layer) {
      return slot - first;
    }
    first = first < 0 ? slot : first;
  }
  return 1;
}

/// Labels the ends of a log10 range where no label is near, in as few digits as tell them apart.
void labelEnds(std::vector<Tick>& ticks, const Range& range, double factor) {
  constexpr int kMostDigits = 17;
  const double near = range.span() * 0.3;
  const auto text = [factor](double position, int digits) {
    return QString::fromStdString(formatSignificant(std::pow(10.0, position) * factor, digits));
  };
  int digits = 2;
  while (digits < kMostDigits && text(range.low, digits) == text(range.high, digits)) {
    ++digits;
  }
  for (const double end : {range.low, range.high}) {
    const bool isFree = std::ranges::none_of(ticks, [&](const Tick& tick) {
      return !tick.label.isEmpty() && std::abs(tick.position - end) < near;
    });
    if (isFree) {
      ticks.insert(end == range.low ? ticks.begin() : ticks.end(), {end, text(end, digits), false});
    }
  }
}

/// One number says nothing of a scale: labels two that lie far apart, of the decades, of all
/// ticks, or the ends.
void labelTwo(std::vector<Tick>& ticks, const Range& range, double factor) {
  const auto isLabelled = [](const Tick& tick) { return !tick.label.isEmpty(); };
  if (std::ranges::count_if(ticks, isLabelled) >= 2 || range.span() <= 0) {
    return;
  }
  std::vector<Tick*> decades;
  for (Tick& tick : ticks) {
    if (tick.strong) {
      decades.push_back(&tick);
    }
  }
  const auto label = [factor](Tick& tick) {
    tick.label = tickLabel(std::pow(10.0, tick.position) * factor);
  };
  if (decades.size() >= 2) {
    label(*decades.front());
    label(*decades.back());
  } else if (ticks.size() >= 2 &&
             ticks.back().position - ticks.front().position > range.span() / 3) {
    label(ticks.front());
    label(ticks.back());
  } else {
    labelEnds(ticks, range, factor);
  }
}

}  // namespace

std::vector<Tick> logTicks(const Range& range, int maxLabels, double factor) {
  std::vector<Tick> ticks;
  const int first = static_cast<int>(std::floor(range.low));
  const int last = static_cast<int>(std::ceil(range.high));
  const double decades = range.span();
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, maxLabels))));
  const bool between = decades * 3 <= maxLabels;
  for (int decade = first; decade <= last; ++decade) {
    for (const int digit : {1, 2, 5}) {
      const double position = decade + std::log10(digit);
      if (!range.contains(position) || (digit != 1 && decades > 6)) {
        continue;
      }
      const bool labelled = digit == 1 ? decade % every == 0 : between;
      ticks.push_back({position,
                       labelled ? tickLabel(digit * std::pow(10.0, decade) * factor) : QString(),
                       digit == 1});
    }
  }
  labelTwo(ticks, range, factor);
  return ticks;
}

std::vector<Tick> linearTicks(const Range& range, int maxLabels, double factor) {
  std::vector<Tick> ticks;
  const double rough = range.span() * factor / std::max(1, maxLabels);
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double digit : {5.0, 2.0, 1.0}) {
    // A range such as 0.99 to 1 is not quite 0.01 wide in binary.
    step = digit * decade >= rough * (1 - 1e-9) ? digit * decade : step;
  }
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  for (double n = std::ceil(range.low * factor / step); n * step <= range.high * factor; ++n) {
    const double value = n * step;
    const bool exponent = decimals > 6 || std::abs(value) >= 1e6;
    ticks.push_back({value / factor,
                     exponent ? exponentLabel(value) : QString::number(value, 'f', decimals),
                     n == 0});
  }
  return ticks;
}

double widestLabel(const std::vector<Tick>& ticks, const QFontMetricsF& metrics) {
  double widest = 0;
  for (const Tick& tick : ticks) {
    widest = std::max(widest, metrics.horizontalAdvance(tick.label));
  }
  return widest;
}

int labelStep(double pixelsPerStep, double labelPixels) {
  int step = 1;
  for (int decade = 1; step * pixelsPerStep < labelPixels && decade < 1'000'000'000; decade *= 10) {
    for (const int digit : {1, 2, 5}) {
      step = digit * decade;
      if (step * pixelsPerStep >= labelPixels) {
        break;
      }
    }
  }
  return step;
}

std::vector<Tick> slotTicks(const DepthAxis& axis,
                            const Range& x,
                            double pixelsPerSlot,
                            const std::function<double(const QString&)>& widthOf) {
  std::vector<Tick> ticks;
  LabelLine line;
  const auto place = [&](double position, const QString& label) {
    const bool fits = !label.isEmpty() && x.contains(position) &&
                      line.place(position * pixelsPerSlot, label, widthOf);
    if (fits) {
      ticks.push_back({position, label, false});
    }
    return fits;
  };
  // Both sides of the fold are the logits: one label serves them where there is no room for two.
  const bool sharedFold = axis.fold > 0 && axis.fold < axis.size() &&
                          axis.at(axis.fold - 1).label == axis.at(axis.fold).label;
  bool foldDone = false;
  if (sharedFold && widthOf(axis.at(axis.fold).label) + 2 * kLabelGap > pixelsPerSlot) {
    foldDone = place(axis.fold - 0.5, axis.at(axis.fold).label);
  }
  double widest = 0;
  qsizetype longest = 0;
  for (int slot = 0; slot < axis.size(); ++slot) {
    const DepthSlot& here = axis.at(slot);
    const bool atFold = slot == axis.fold || slot == axis.fold - 1;
    if (here.layer < 0 && !(foldDone && atFold)) {
      place(slot, here.label);
    } else if (here.layer >= 0 && here.label.size() > longest) {
      longest = here.label.size();
      widest = std::max(widest, widthOf(here.label));
    }
  }
  const int step = labelStep(pixelsPerSlot * slotsPerLayer(axis), widest + 2 * kLabelGap);
  for (int slot = 0; slot < axis.size(); ++slot) {
    const DepthSlot& here = axis.at(slot);
    if (here.layer >= 0 && here.layer % step == 0) {
      place(slot, here.label);
    }
  }
  std::ranges::sort(ticks, {}, &Tick::position);
  return ticks;
}

std::vector<double> spreadLabels(const std::vector<double>& centres,
                                 double height,
                                 const Range& bounds) {
  std::vector<std::size_t> order(centres.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return centres[i]; });
  std::vector<double> placed(centres.size());
  double free = bounds.low + height / 2;
  for (const std::size_t i : order) {
    placed[i] = std::max(centres[i], free);
    free = placed[i] + height;
  }
  // What was pushed over the end moves back, and takes its neighbours along.
  double limit = bounds.high - height / 2;
  std::for_each(order.rbegin(), order.rend(), [&](std::size_t i) {
    placed[i] = std::min(placed[i], limit);
    limit = placed[i] - height;
  });
  return placed;
}

}  // namespace ulp::views::charts
