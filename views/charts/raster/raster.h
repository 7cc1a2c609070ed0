#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <QtCore/QSize>
#include <QtGui/QImage>

#include "views/charts/plot/viewport.h"
#include "views/charts/raster/color_scale.h"

namespace ulp::views::charts {

/// Values by row and column, row-major. Made once, then shared and only read.
struct RasterGrid {
  int rows = 0;
  int columns = 0;
  std::vector<double> values;  ///< NaN and infinities are data; anything where a cell is missing
  /// For cells that stand for many elements: how many of them are not numbers. Empty: a cell is one
  /// element.
  std::vector<std::uint64_t> nonFinite;
  std::vector<std::uint8_t> missing;  ///< 1: there is no such cell. Empty: all are there

  [[nodiscard]] bool isEmpty() const { return rows == 0 || columns == 0; }
  [[nodiscard]] std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
  [[nodiscard]] double value(int row, int column) const { return values[at(row, column)]; }
  [[nodiscard]] bool isMissing(std::size_t cell) const {
    return !missing.empty() && missing[cell] != 0;
  }
  [[nodiscard]] bool isMissing(int row, int column) const { return isMissing(at(row, column)); }
  /// Some of its elements are not numbers, or it has no finite value.
  [[nodiscard]] bool isBroken(std::size_t cell) const {
    return (!nonFinite.empty() && nonFinite[cell] != 0) || !std::isfinite(values[cell]);
  }
};

using RasterGridPtr = std::shared_ptr<const RasterGrid>;

/// Which of several cells a pixel shows.
enum class Prefer : std::uint8_t { Magnitude, Largest, Smallest };

/// How the visible cells of one axis fall on pixels: a bin is one cell, or, where cells are
/// narrower than pixels, all cells of one pixel.
struct AxisBins {
  std::vector<int> cells;       ///< first cell of each bin, and at the end one behind the last
  std::vector<int> binOfPixel;  ///< for each pixel

  [[nodiscard]] int size() const { return static_cast<int>(cells.size()) - 1; }
};
/// `visible` in cells, within 0 … count; every cell that it touches is in a bin.
[[nodiscard]] AxisBins axisBins(const Range& visible, int count, int pixels);

/// What the bins of a picture hold, ready to be coloured again and again.
struct RasterAggregate {
  enum Flag : std::uint8_t {
    HasNumber = 1,     ///< at least one finite value
    HasNonFinite = 2,  ///< at least one that is not, or a cell with such elements
  };

  AxisBins x;
  AxisBins y;
  ScaleKind kind = ScaleKind::Logarithmic;
  std::vector<double> positions;    ///< of the value shown, in axis units of `kind`; row-major
  std::vector<std::uint8_t> flags;  ///< 0: all cells are missing

  [[nodiscard]] QSize pixels() const {
    return {static_cast<int>(x.binOfPixel.size()), static_cast<int>(y.binOfPixel.size())};
  }
};

/// Gathers what falls on each pixel of a picture of `pixels` (device pixels) that shows the columns
/// `x` and the rows `y`. A cell that is not finite is never lost, however many share its pixel.
[[nodiscard]] RasterAggregate aggregate(const RasterGrid& grid,
                                        const Range& x,
                                        const Range& y,
                                        const QSize& pixels,
                                        ScaleKind kind,
                                        Prefer prefer);

/// Colours an aggregate; `scale.kind` must be its kind. Cells that are wide enough get the pattern
/// of their class: hatched when not finite (over the colour of their other elements, where there
/// are such), dotted when missing, a corner when out of range. `ratio`: device pixels per pixel.
[[nodiscard]] QImage colorize(const RasterAggregate& aggregate,
                              const ColorScale& scale,
                              const ScaleColors& colors,
                              double ratio);

/// The look of one class, as in a legend.
[[nodiscard]] QImage classSwatch(CellClass look,
                                 const ScaleColors& colors,
                                 const QSize& pixels,
                                 double ratio);

}  // namespace ulp::views::charts
