#pragma once

#include <cstdint>
#include <vector>

#include <QtCore/QSize>
#include <QtGui/QImage>

#include "views/charts/plot/viewport.h"
#include "views/charts/raster/color_scale.h"
#include "views/charts/raster/raster_grid.h"

namespace ulp::views::charts {

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
