#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <QtCore/QString>
#include <QtGui/QRgb>

#include "views/charts/plot/viewport.h"
#include "views/framework/look/theme.h"

namespace ulp::views::charts {

struct RasterGrid;

/// Perceptually uniform maps that people with a colour-vision deficiency can read: equal steps of
/// the value look equally large. Diverging is for signed values; its middle is zero.
enum class ColorMap : std::uint8_t { Cividis, Viridis, Grey, Diverging };

inline constexpr std::size_t kMapColors = 256;
using ColorTable = std::array<QRgb, kMapColors>;

/// Opaque colours from the lowest value to the highest. `dark`: for a dark background, where the
/// diverging map has a dark middle instead of a light one; the others are the same on both.
[[nodiscard]] const ColorTable& colorTable(ColorMap map, bool dark);

/// "cividis" | "viridis" | "grey" | "diverging", not translated.
[[nodiscard]] QString toText(ColorMap map);
[[nodiscard]] std::optional<ColorMap> parseColorMap(const QString& text);

/// How a value becomes a place between the ends of a colour map. Symmetric is linear with zero in
/// the middle.
enum class ScaleKind : std::uint8_t { Linear, Logarithmic, Symmetric };

/// What a cell looks like. A cell with one element that is not a number is NonFinite, whatever its
/// value is.
enum class CellClass : std::uint8_t { InRange, BelowRange, AboveRange, NonFinite, Missing };

/// Value to colour.
struct ColorScale {
  ScaleKind kind = ScaleKind::Logarithmic;
  ColorMap map = ColorMap::Cividis;
  Range range{1e-3, 1};  ///< values, low < high; above 0 when logarithmic, -x … x when symmetric
  /// Small values are the bad ones: the colours run the other way, so that what is bright is bad.
  bool reversed = false;

  /// In axis units: log10 or the value itself. Zero and less on a logarithmic scale lie below
  /// everything (-inf); NaN stays NaN.
  [[nodiscard]] double position(double value) const;
  [[nodiscard]] double valueAt(double position) const;
  /// The range in axis units.
  [[nodiscard]] Range positions() const;
  /// Of one element. Never Missing.
  [[nodiscard]] CellClass classOf(double value) const;
  friend bool operator==(const ColorScale&, const ColorScale&) = default;
};

/// The colours of a scale in a theme.
struct ScaleColors {
  const ColorTable* map = nullptr;
  bool reversed = false;
  QRgb below = 0;
  QRgb belowMark = 0;  ///< of the corner on it
  QRgb above = 0;
  QRgb aboveMark = 0;
  QRgb nonFinite = 0;
  QRgb background = 0;  ///< of what is missing
  QRgb dots = 0;        ///< on it

  /// Colour of a place in the range, 0 … 1.
  [[nodiscard]] QRgb inRange(double part) const {
    constexpr auto kLast = static_cast<double>(kMapColors - 1);
    // Never negative, and lround() costs more than all the rest of a cell.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    return (*map)[static_cast<std::size_t>((reversed ? 1 - part : part) * kLast + 0.5)];
  }
};
[[nodiscard]] ScaleColors scaleColors(const ColorScale& scale, const Theme& theme);
/// Text or paper, whichever reads better on `ground`.
[[nodiscard]] QColor inkOn(const QColor& ground, const Theme& theme);
/// Flat colour of a value, without its pattern.
[[nodiscard]] QRgb flatColor(const ColorScale& scale, const ScaleColors& colors, double value);

/// Cells by their look.
struct ClassCounts {
  std::uint64_t inRange = 0;
  std::uint64_t below = 0;
  std::uint64_t above = 0;
  std::uint64_t nonFinite = 0;
  std::uint64_t missing = 0;
  friend bool operator==(const ClassCounts&, const ClassCounts&) = default;
};
[[nodiscard]] ClassCounts countClasses(const RasterGrid& grid, const ColorScale& scale);

/// Where the finite values of a grid lie.
struct ValueDistribution {
  ScaleKind kind = ScaleKind::Logarithmic;
  Range extent{0, 0};               ///< values that have a place on the scale
  std::vector<std::uint64_t> bins;  ///< of equal width in axis units over `extent`; empty: no value
  [[nodiscard]] bool isEmpty() const { return bins.empty(); }
};
[[nodiscard]] ValueDistribution distributionOf(const RasterGrid& grid,
                                               ScaleKind kind,
                                               int bins = 128);

/// The range that shows every finite value: the extent, a decade around a single value, -x … x when
/// symmetric, and 1e-3 … 1 (0 … 1 when linear) without any value.
[[nodiscard]] Range fittedRange(const ValueDistribution& distribution);

}  // namespace ulp::views::charts
