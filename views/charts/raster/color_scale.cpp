#include "views/charts/raster/color_scale.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace ulp::views::charts {
namespace {

constexpr int kLogTableBits = 12;
constexpr std::size_t kLogTableSize = std::size_t{1} << kLogTableBits;
constexpr int kMantissaBits = std::numeric_limits<double>::digits - 1;

std::array<double, kLogTableSize + 1> makeLogTable() {
  std::array<double, kLogTableSize + 1> table{};
  for (std::size_t i = 0; i <= kLogTableSize; ++i) {
    table.at(i) = std::log2(1 + static_cast<double>(i) / kLogTableSize);
  }
  return table;
}

/// log10 of a positive value to 1e-8, never falling where the value grows, in a tenth of the time
/// of log10(), of which a large picture would mostly consist.
double fastLog10(double value) {
  static const std::array<double, kLogTableSize + 1> kTable = makeLogTable();
  constexpr double kLog10Of2 = 0.30102999566398120;
  constexpr int kBias = std::numeric_limits<double>::max_exponent - 1;
  if (!std::isnormal(value)) {
    return std::log10(value);
  }
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<int>(bits >> kMantissaBits) - kBias;
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << kMantissaBits) - 1);
  constexpr int kRest = kMantissaBits - kLogTableBits;
  const auto place = static_cast<std::size_t>(mantissa >> kRest);
  const double part = static_cast<double>(mantissa & ((std::uint64_t{1} << kRest) - 1)) /
                      static_cast<double>(std::uint64_t{1} << kRest);
  const double log2 = exponent + (kTable[place] + (kTable[place + 1] - kTable[place]) * part);
  return log2 * kLog10Of2;
}

/// Whether a finite value has a place on a scale of this kind.
bool hasPlace(double value, ScaleKind kind) {
  return std::isfinite(value) && (kind != ScaleKind::Logarithmic || value > 0);
}

/// Calls `visit(value)` for every cell that is there and has a place on the scale.
template <class Visit>
void forEachPlaced(const RasterGrid& grid, ScaleKind kind, Visit visit) {
  for (std::size_t i = 0; i < grid.values.size(); ++i) {
    if (!grid.isMissing(i) && hasPlace(grid.values[i], kind)) {
      visit(grid.values[i]);
    }
  }
}

}  // namespace

double ColorScale::position(double value) const {
  if (kind != ScaleKind::Logarithmic || std::isnan(value)) {
    return value;
  }
  return value > 0 ? fastLog10(value) : -std::numeric_limits<double>::infinity();
}

double ColorScale::valueAt(double position) const {
  return kind == ScaleKind::Logarithmic ? std::pow(10.0, position) : position;
}

Range ColorScale::positions() const {
  return {position(range.low), position(range.high)};
}

CellClass ColorScale::classOf(double value) const {
  if (!std::isfinite(value)) {
    return CellClass::NonFinite;
  }
  if (value < range.low) {
    return CellClass::BelowRange;
  }
  return value > range.high ? CellClass::AboveRange : CellClass::InRange;
}

ScaleColors scaleColors(const ColorScale& scale, const Theme& theme) {
  const QColor harmless = scale.kind == ScaleKind::Symmetric ? theme.belowSigned : theme.belowRange;
  const QColor below = scale.reversed ? theme.aboveRange : harmless;
  const QColor above = scale.reversed ? harmless : theme.aboveRange;
  return {.map = &colorTable(scale.map, theme.dark),
          .reversed = scale.reversed,
          .below = below.rgb(),
          .belowMark = inkOn(below, theme).rgb(),
          .above = above.rgb(),
          .aboveMark = inkOn(above, theme).rgb(),
          .nonFinite = theme.nonFinite.rgb(),
          .background = theme.chartBackground.rgb(),
          .dots = theme.reference.rgb()};
}

QColor inkOn(const QColor& ground, const Theme& theme) {
  const QColor text = theme.palette.color(QPalette::Text);
  return contrastRatio(ground, text) > contrastRatio(ground, theme.chartBackground)
             ? text
             : theme.chartBackground;
}

QRgb flatColor(const ColorScale& scale, const ScaleColors& colors, double value) {
  switch (scale.classOf(value)) {
    case CellClass::BelowRange:
      return colors.below;
    case CellClass::AboveRange:
      return colors.above;
    case CellClass::NonFinite:
      return colors.nonFinite;
    case CellClass::Missing:
      return colors.background;
    case CellClass::InRange:
      break;
  }
  const Range ends = scale.positions();
  return colors.inRange(std::clamp((scale.position(value) - ends.low) / ends.span(), 0.0, 1.0));
}

ClassCounts countClasses(const RasterGrid& grid, const ColorScale& scale) {
  ClassCounts counts;
  for (std::size_t i = 0; i < grid.values.size(); ++i) {
    const double value = grid.values[i];
    if (grid.isMissing(i)) {
      ++counts.missing;
    } else if (grid.isBroken(i)) {
      ++counts.nonFinite;
    } else if (value < scale.range.low) {
      ++counts.below;
    } else if (value > scale.range.high) {
      ++counts.above;
    } else {
      ++counts.inRange;
    }
  }
  return counts;
}

ValueDistribution distributionOf(const RasterGrid& grid, ScaleKind kind, int bins) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Range extent{kInfinity, -kInfinity};
  forEachPlaced(grid, kind, [&](double value) {
    extent.low = std::min(extent.low, value);
    extent.high = std::max(extent.high, value);
  });
  if (extent.low > extent.high) {
    return {.kind = kind, .extent = {0, 0}, .bins = {}};
  }
  const ColorScale scale{.kind = kind, .range = extent};
  const Range ends = scale.positions();
  ValueDistribution result{.kind = kind, .extent = extent, .bins = {}};
  result.bins.assign(static_cast<std::size_t>(ends.span() > 0 ? bins : 1), 0);
  const double perUnit = ends.span() > 0 ? bins / ends.span() : 0;
  const std::size_t last = result.bins.size() - 1;
  forEachPlaced(grid, kind, [&](double value) {
    const double place = std::max(0.0, (scale.position(value) - ends.low) * perUnit);
    ++result.bins[std::min(static_cast<std::size_t>(place), last)];
  });
  return result;
}

Range fittedRange(const ValueDistribution& distribution) {
  const Range& extent = distribution.extent;
  switch (distribution.kind) {
    case ScaleKind::Symmetric: {
      const double reach = std::max(std::abs(extent.low), std::abs(extent.high));
      return reach > 0 ? Range{-reach, reach} : Range{-1, 1};
    }
    case ScaleKind::Logarithmic: {
      constexpr double kHalfDecade = 3.1622776601683795;
      if (distribution.isEmpty()) {
        return {1e-3, 1};
      }
      return extent.span() > 0 ? extent
                               : Range{extent.low / kHalfDecade, extent.high * kHalfDecade};
    }
    case ScaleKind::Linear:
      break;
  }
  if (distribution.isEmpty()) {
    return {0, 1};
  }
  const double margin = extent.low == 0 ? 0.5 : std::abs(extent.low) / 2;
  return extent.span() > 0 ? extent : Range{extent.low - margin, extent.high + margin};
}

}  // namespace ulp::views::charts
