#include "views/charts/raster/color_scale.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include <QtGui/QColor>

#include "views/charts/raster/raster.h"

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

namespace {

/// viridis of matplotlib 3.8 (S. van der Walt, N. Smith; CC0) at 33 equal steps; between them the
/// channels are interpolated linearly, which is never off by more than 2 of 255.
constexpr std::array<QRgb, 33> kViridis{
    0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453681, 0x424086, 0x3f4989, 0x3b528b,
    0x375a8d, 0x33638d, 0x2f6a8e, 0x2c728e, 0x297a8e, 0x26818e, 0x23898e, 0x21908c, 0x1f988b,
    0x1f9f88, 0x21a685, 0x28ae80, 0x31b57b, 0x3ebc74, 0x4cc26c, 0x5dc963, 0x6ece58, 0x82d34c,
    0x96d83f, 0xabdc32, 0xc0df24, 0xd5e21a, 0xeae51a, 0xfde725};

/// cividis of matplotlib 3.8 (J. Nuñez, C. Anderton, R. Renslow 2018, doi
/// 10.1371/journal.pone.0199239) at 33 equal steps.
constexpr std::array<QRgb, 33> kCividis{
    0x00224e, 0x00285b, 0x002e6a, 0x043371, 0x1a386f, 0x273e6e, 0x32436d, 0x3b496c, 0x434e6c,
    0x4b546c, 0x52596d, 0x5a5f6e, 0x61656f, 0x686a71, 0x6f7073, 0x757676, 0x7c7b78, 0x848179,
    0x8b8778, 0x938d78, 0x9b9376, 0xa39a75, 0xaba072, 0xb3a670, 0xbbad6c, 0xc3b469, 0xccba64,
    0xd4c15f, 0xddc958, 0xe6d051, 0xefd748, 0xf8df3c, 0xfee838};

/// vik and berlin of the Scientific colour maps 8 (F. Crameri, doi 10.5281/zenodo.1243862) at 17
/// equal steps: blue below zero, red above, a light and a dark middle.
constexpr std::array<QRgb, 17> kVik{0x001261,
                                    0x022b71,
                                    0x034481,
                                    0x0c5e92,
                                    0x2f7ca6,
                                    0x609dbc,
                                    0x92bdd2,
                                    0xc5dbe5,
                                    0xece5e1,
                                    0xe9cbb9,
                                    0xdcab8f,
                                    0xcf8e68,
                                    0xc37243,
                                    0xb3531f,
                                    0x932e06,
                                    0x741506,
                                    0x590008};
constexpr std::array<QRgb, 17> kBerlin{0x9eb0ff,
                                       0x79abed,
                                       0x529fd3,
                                       0x3686ad,
                                       0x286886,
                                       0x1d4b61,
                                       0x14313f,
                                       0x111a20,
                                       0x190c09,
                                       0x2a0e01,
                                       0x401201,
                                       0x5a1c07,
                                       0x7c331d,
                                       0x9c503d,
                                       0xbc6e61,
                                       0xdd8d86,
                                       0xffadad};

/// In the order of ColorMap.
constexpr std::array kMapNames{QLatin1StringView("cividis"),
                               QLatin1StringView("viridis"),
                               QLatin1StringView("grey"),
                               QLatin1StringView("diverging")};

ColorTable interpolated(std::span<const QRgb> points) {
  ColorTable table{};
  const auto last = static_cast<double>(points.size() - 1);
  for (std::size_t i = 0; i < kMapColors; ++i) {
    const double place = static_cast<double>(i) * last / (kMapColors - 1);
    const std::size_t from = std::min(static_cast<std::size_t>(place), points.size() - 2);
    const double part = place - static_cast<double>(from);
    const auto channel = [&](int (*of)(QRgb)) {
      return static_cast<int>(
          std::lround(of(points[from]) * (1 - part) + of(points[from + 1]) * part));
    };
    table.at(i) = qRgb(channel(qRed), channel(qGreen), channel(qBlue));
  }
  return table;
}

/// Grey of equal steps of CIE L*, from 8 to 97: neither end disappears in the background.
ColorTable greys() {
  constexpr double kDarkest = 8;
  constexpr double kLightest = 97;
  ColorTable table{};
  for (std::size_t i = 0; i < kMapColors; ++i) {
    const double lightness =
        kDarkest + (kLightest - kDarkest) * static_cast<double>(i) / (kMapColors - 1);
    const double f = (lightness + 16) / 116;
    const double linear = lightness > 8 ? f * f * f : lightness * 27 / 24389;
    const double encoded =
        linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    const int level = static_cast<int>(std::lround(255 * encoded));
    table.at(i) = qRgb(level, level, level);
  }
  return table;
}

}  // namespace

const ColorTable& colorTable(ColorMap map, bool dark) {
  // In the order of ColorMap; the diverging map for a light and for a dark background.
  static const ColorTable kTables[] = {interpolated(kCividis),
                                       interpolated(kViridis),
                                       greys(),
                                       interpolated(kVik),
                                       interpolated(kBerlin)};
  const bool isDark = map == ColorMap::Diverging && dark;
  return kTables[static_cast<std::size_t>(map) + (isDark ? 1 : 0)];
}

QString toText(ColorMap map) {
  return kMapNames.at(static_cast<std::size_t>(map));
}

std::optional<ColorMap> parseColorMap(const QString& text) {
  const auto* const found = std::ranges::find(kMapNames, text);
  return found == kMapNames.end() ? std::nullopt
                                  : std::optional(static_cast<ColorMap>(found - kMapNames.begin()));
}

}  // namespace ulp::views::charts
