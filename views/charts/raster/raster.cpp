#include "views/charts/raster/raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace ulp::views::charts {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Cells below this size (pixels) are flat: a pattern would hide what it marks.
constexpr double kSmallestPattern = 6;
constexpr double kSmallestCorner = 10;

/// Smallest and largest finite value of a bin, and what else fell on it.
struct BinState {
  double low = kInfinity;
  double high = -kInfinity;
  std::uint8_t flags = 0;
};

void addValue(double value, BinState& state) {
  if (std::isfinite(value)) {
    state.low = std::min(state.low, value);
    state.high = std::max(state.high, value);
  } else {
    state.flags |= RasterAggregate::HasNonFinite;
  }
}

/// Adds one row of cells to the bins of a picture row.
template <bool kHasMissing, bool kHasCounts>
void addRow(const RasterGrid& grid, int row, const AxisBins& x, std::vector<BinState>& bins) {
  const auto isMissing = [&](std::size_t cell) { return kHasMissing && grid.missing[cell] != 0; };
  const auto isCounted = [&](std::size_t cell) { return kHasCounts && grid.nonFinite[cell] != 0; };
  const std::size_t begin = grid.at(row, 0);
  for (std::size_t bin = 0; bin < bins.size(); ++bin) {
    BinState state = bins[bin];
    const std::size_t end = begin + static_cast<std::size_t>(x.cells[bin + 1]);
    for (std::size_t i = begin + static_cast<std::size_t>(x.cells[bin]); i < end; ++i) {
      if (isMissing(i)) {
        continue;
      }
      if (isCounted(i)) {
        state.flags |= RasterAggregate::HasNonFinite;
      }
      addValue(grid.values[i], state);
    }
    bins[bin] = state;
  }
}

using AddRow = void (*)(const RasterGrid&, int, const AxisBins&, std::vector<BinState>&);

AddRow addRowOf(const RasterGrid& grid) {
  if (grid.missing.empty()) {
    return grid.nonFinite.empty() ? &addRow<false, false> : &addRow<false, true>;
  }
  return grid.nonFinite.empty() ? &addRow<true, false> : &addRow<true, true>;
}

double shownValue(const BinState& state, Prefer prefer) {
  switch (prefer) {
    case Prefer::Largest:
      return state.high;
    case Prefer::Smallest:
      return state.low;
    case Prefer::Magnitude:
      break;
  }
  return std::abs(state.low) > std::abs(state.high) ? state.low : state.high;
}

/// Pixels of a bin on one axis.
struct PixelSpan {
  int from = 0;
  int to = 0;  ///< one behind
  [[nodiscard]] int size() const { return to - from; }
};

std::vector<PixelSpan> pixelSpans(const AxisBins& bins) {
  std::vector<PixelSpan> spans(static_cast<std::size_t>(std::max(0, bins.size())));
  for (std::size_t pixel = 0; pixel < bins.binOfPixel.size(); ++pixel) {
    PixelSpan& span = spans[static_cast<std::size_t>(bins.binOfPixel[pixel])];
    const int here = static_cast<int>(pixel);
    span = span.size() == 0 ? PixelSpan{here, here + 1} : PixelSpan{span.from, here + 1};
  }
  return spans;
}

/// Draws patterns into pixels. Their phase is that of the picture, so that neighbouring cells of
/// one class look like one surface.
class PatternPainter {
 public:
  PatternPainter(QImage& image, const ScaleColors& colors, double ratio)
      : m_image(image),
        m_colors(colors),
        m_period(std::max(2, static_cast<int>(std::lround(6 * ratio)))),
        m_stroke(std::max(1, static_cast<int>(std::lround(2.5 * ratio)))),
        m_dot(std::max(1, static_cast<int>(std::lround(1.4 * ratio)))),
        m_smallest(static_cast<int>(kSmallestPattern * ratio)),
        m_smallestCorner(static_cast<int>(kSmallestCorner * ratio)) {}

  void hatch(const PixelSpan& x, const PixelSpan& y, QRgb ground) {
    const bool flat = std::min(x.size(), y.size()) < m_smallest;
    each(x, y, [&](int column, int row) {
      return flat || (column + row) % m_period < m_stroke ? m_colors.nonFinite : ground;
    });
  }
  void dot(const PixelSpan& x, const PixelSpan& y) {
    if (std::min(x.size(), y.size()) < m_smallest) {
      return;
    }
    // Centred in the cell, so that no cell has half a dot at its edge.
    const int shiftX = (x.size() % m_period + m_period - m_dot) / 2;
    const int shiftY = (y.size() % m_period + m_period - m_dot) / 2;
    each(x, y, [&](int column, int row) {
      const int atX = (column - x.from - shiftX + 2 * m_period) % m_period;
      const int atY = (row - y.from - shiftY + 2 * m_period) % m_period;
      return atX < m_dot && atY < m_dot ? m_colors.dots : m_colors.background;
    });
  }
  /// A corner: at the top right for what lies above the range, at the bottom left below it.
  void corner(const PixelSpan& x, const PixelSpan& y, bool above) {
    const int size = std::min(x.size(), y.size());
    if (size < m_smallestCorner) {
      return;
    }
    const QRgb ground = above ? m_colors.above : m_colors.below;
    const QRgb mark = above ? m_colors.aboveMark : m_colors.belowMark;
    const int reach = std::min(size / 3, m_smallestCorner * 2 / 3);
    each(x, y, [&](int column, int row) {
      const int distance =
          above ? (x.to - 1 - column) + (row - y.from) : (column - x.from) + (y.to - 1 - row);
      return distance < reach ? mark : ground;
    });
  }

 private:
  template <class Color>
  void each(const PixelSpan& x, const PixelSpan& y, Color color) {
    for (int row = y.from; row < y.to; ++row) {
      auto* const line = reinterpret_cast<QRgb*>(m_image.scanLine(row));
      for (int column = x.from; column < x.to; ++column) {
        line[column] = color(column, row);
      }
    }
  }

  QImage& m_image;
  const ScaleColors& m_colors;
  int m_period;
  int m_stroke;
  int m_dot;
  int m_smallest;
  int m_smallestCorner;
};

/// Colours of one row of bins.
struct RowColors {
  std::vector<QRgb> colors;
  std::vector<int> special;  ///< bins that may need a pattern
};

/// What is shown of a bin.
struct ShownBin {
  double position = 0;
  std::uint8_t flags = 0;
};

/// What a bin's finite elements look like; the background without such elements.
QRgb groundOf(const ShownBin& bin, const Range& ends, const ScaleColors& colors) {
  if ((bin.flags & RasterAggregate::HasNumber) == 0) {
    return colors.background;
  }
  if (bin.position < ends.low) {
    return colors.below;
  }
  return bin.position > ends.high ? colors.above
                                  : colors.inRange((bin.position - ends.low) / ends.span());
}

void colorRow(const RasterAggregate& from,
              std::size_t row,
              const Range& ends,
              const ScaleColors& colors,
              RowColors& out) {
  const std::size_t width = out.colors.size();
  const double perUnit = ends.span() > 0 ? 1 / ends.span() : 0;
  out.special.clear();
  for (std::size_t bin = 0; bin < width; ++bin) {
    const std::size_t i = row * width + bin;
    const double position = from.positions[i];
    const std::uint8_t flags = from.flags[i];
    const bool plain = flags == RasterAggregate::HasNumber;
    if (plain && position >= ends.low && position <= ends.high) {
      out.colors[bin] = colors.inRange((position - ends.low) * perUnit);
      continue;
    }
    out.special.push_back(static_cast<int>(bin));
    const bool isBroken = (flags & RasterAggregate::HasNonFinite) != 0;
    out.colors[bin] = isBroken ? colors.nonFinite : groundOf({position, flags}, ends, colors);
  }
}

void drawPattern(PatternPainter& patterns,
                 const ShownBin& bin,
                 const PixelSpan& x,
                 const PixelSpan& y,
                 QRgb ground,
                 const Range& ends) {
  if ((bin.flags & RasterAggregate::HasNonFinite) != 0) {
    patterns.hatch(x, y, ground);
  } else if (bin.flags == 0) {
    patterns.dot(x, y);
  } else {
    patterns.corner(x, y, bin.position > ends.high);
  }
}

}  // namespace

AxisBins axisBins(const Range& visible, int count, int pixels) {
  AxisBins bins;
  if (count <= 0 || pixels <= 0) {
    bins.cells = {0};
    return bins;
  }
  const int first = std::clamp(static_cast<int>(std::floor(visible.low)), 0, count - 1);
  const int last = std::clamp(static_cast<int>(std::ceil(visible.high)), first + 1, count);
  const double perPixel = visible.span() / pixels;
  const auto cellAt = [&](double pixel) {
    return std::clamp(
        static_cast<int>(std::floor(visible.low + pixel * perPixel)), first, last - 1);
  };
  bins.binOfPixel.reserve(static_cast<std::size_t>(pixels));
  if (perPixel > 1) {
    for (int pixel = 0; pixel < pixels; ++pixel) {
      bins.cells.push_back(pixel == 0 ? first : cellAt(pixel));
      bins.binOfPixel.push_back(pixel);
    }
  } else {
    for (int cell = first; cell < last; ++cell) {
      bins.cells.push_back(cell);
    }
    for (int pixel = 0; pixel < pixels; ++pixel) {
      bins.binOfPixel.push_back(cellAt(pixel + 0.5) - first);
    }
  }
  bins.cells.push_back(last);
  return bins;
}

RasterAggregate aggregate(const RasterGrid& grid,
                          const Range& x,
                          const Range& y,
                          const QSize& pixels,
                          ScaleKind kind,
                          Prefer prefer) {
  RasterAggregate result;
  result.kind = kind;
  result.x = axisBins(x, grid.columns, pixels.width());
  result.y = axisBins(y, grid.rows, pixels.height());
  if (grid.isEmpty() || pixels.isEmpty()) {
    return result;
  }
  const auto width = static_cast<std::size_t>(result.x.size());
  const auto height = static_cast<std::size_t>(result.y.size());
  result.positions.resize(width * height);
  result.flags.resize(width * height);
  const AddRow add = addRowOf(grid);
  const ColorScale scale{.kind = kind};
  std::vector<BinState> bins(width);
  for (std::size_t row = 0; row < height; ++row) {
    std::fill(bins.begin(), bins.end(), BinState{});
    for (int cell = result.y.cells[row]; cell < result.y.cells[row + 1]; ++cell) {
      add(grid, cell, result.x, bins);
    }
    for (std::size_t bin = 0; bin < width; ++bin) {
      const bool number = bins[bin].low <= bins[bin].high;
      const std::size_t i = row * width + bin;
      result.positions[i] = number ? scale.position(shownValue(bins[bin], prefer)) : 0;
      result.flags[i] =
          static_cast<std::uint8_t>(bins[bin].flags | (number ? RasterAggregate::HasNumber : 0));
    }
  }
  return result;
}

QImage colorize(const RasterAggregate& aggregate,
                const ColorScale& scale,
                const ScaleColors& colors,
                double ratio) {
  const QSize pixels = aggregate.pixels();
  QImage image(pixels, QImage::Format_RGB32);
  if (image.isNull() || aggregate.flags.empty()) {
    image.fill(colors.background);
    return image;
  }
  image.setDevicePixelRatio(ratio);
  const Range ends = scale.positions();
  const std::vector<PixelSpan> columns = pixelSpans(aggregate.x);
  const std::vector<PixelSpan> rows = pixelSpans(aggregate.y);
  PatternPainter patterns(image, colors, ratio);
  RowColors row{.colors = std::vector<QRgb>(columns.size()), .special = {}};
  for (std::size_t bin = 0; bin < rows.size(); ++bin) {
    if (rows[bin].size() == 0) {
      continue;
    }
    colorRow(aggregate, bin, ends, colors, row);
    auto* const first = reinterpret_cast<QRgb*>(image.scanLine(rows[bin].from));
    for (int pixel = 0; pixel < pixels.width(); ++pixel) {
      first[pixel] = row.colors[static_cast<std::size_t>(
          aggregate.x.binOfPixel[static_cast<std::size_t>(pixel)])];
    }
    for (int line = rows[bin].from + 1; line < rows[bin].to; ++line) {
      std::memcpy(image.scanLine(line), first, static_cast<std::size_t>(pixels.width()) * 4);
    }
    for (const int column : row.special) {
      const auto at = static_cast<std::size_t>(column);
      const std::size_t place = bin * columns.size() + at;
      const ShownBin shown{aggregate.positions[place], aggregate.flags[place]};
      drawPattern(patterns, shown, columns[at], rows[bin], groundOf(shown, ends, colors), ends);
    }
  }
  return image;
}

QImage classSwatch(CellClass look, const ScaleColors& colors, const QSize& pixels, double ratio) {
  QImage image(pixels, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  const PixelSpan x{0, pixels.width()};
  const PixelSpan y{0, pixels.height()};
  PatternPainter patterns(image, colors, ratio);
  switch (look) {
    case CellClass::InRange:
      image.fill(colors.inRange(0.5));
      break;
    case CellClass::BelowRange:
    case CellClass::AboveRange:
      image.fill(look == CellClass::AboveRange ? colors.above : colors.below);
      patterns.corner(x, y, look == CellClass::AboveRange);
      break;
    case CellClass::NonFinite:
      patterns.hatch(x, y, colors.background);
      break;
    case CellClass::Missing:
      image.fill(colors.background);
      patterns.dot(x, y);
      break;
  }
  return image;
}

}  // namespace ulp::views::charts
