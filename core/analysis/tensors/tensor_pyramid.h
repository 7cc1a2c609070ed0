#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/tensors/tensor_pair.h"
#include "core/analysis/tensors/tensor_slice.h"

namespace ulp::analysis {

/// What a cell of a picture stands for. Minimum to mean are over the elements that have a value,
/// NaN when there is none.
struct TileCell {
  double minimum = std::numeric_limits<double>::quiet_NaN();
  double maximum = std::numeric_limits<double>::quiet_NaN();
  double mean = std::numeric_limits<double>::quiet_NaN();
  std::uint32_t values = 0;     ///< elements with a value
  std::uint32_t nonFinite = 0;  ///< elements that are NaN or infinite, never part of the above

  /// The minimum or maximum, whichever is farther from zero.
  [[nodiscard]] double extreme() const { return -minimum > maximum ? minimum : maximum; }
  void add(double value, bool isNonFinite);
  void add(const TileCell& other);
};

/// A rectangle of cells over a plane, each `rowsPerCell` × `columnsPerCell` elements (fewer at the
/// edges of the plane).
struct TileGrid {
  std::int64_t firstRow = 0;
  std::int64_t firstColumn = 0;
  std::int64_t rowsPerCell = 1;
  std::int64_t columnsPerCell = 1;
  std::int64_t rows = 0;        ///< of cells
  std::int64_t columns = 0;     ///< of cells
  bool isPreview = false;       ///< a cell holds one of its elements only
  std::vector<TileCell> cells;  ///< row-major

  [[nodiscard]] const TileCell& at(std::int64_t row, std::int64_t column) const {
    return cells[static_cast<std::size_t>(row * columns + column)];
  }
};

using TileGridPtr = std::shared_ptr<const TileGrid>;

/// How far a walk through a tensor has come; written by the walk, read by whoever waits for it.
struct Progress {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};

  /// 0 … 1.
  [[nodiscard]] double fraction() const {
    const std::uint64_t all = total.load();
    return all == 0 ? 0 : static_cast<double>(done.load()) / static_cast<double>(all);
  }
};

/// A rectangle of a plane, in elements.
struct PlaneRect {
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  friend bool operator==(const PlaneRect&, const PlaneRect&) = default;
};

/// Elements of a cell.
struct TileSize {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  friend bool operator==(const TileSize&, const TileSize&) = default;
};

/// A rectangle and the cells that it is divided into.
struct TiledRect {
  PlaneRect rect;
  TileSize tile;
};

/// Reads the elements of a rectangle (clipped to the plane) into cells. Nothing when it was
/// stopped, or elements on another machine did not come (checkIntact() tells). `progress` counts
/// elements.
[[nodiscard]] std::optional<TileGrid> readTiles(const TensorPair& pair,
                                                const TensorPlane& plane,
                                                Quantity quantity,
                                                const TiledRect& tiled,
                                                const std::stop_token& stop,
                                                Progress* progress = nullptr);

/// One element for each of at most `rows` × `columns` cells that cover the plane: a first picture
/// at the cost of a small part of the tensor.
[[nodiscard]] std::optional<TileGrid> readPreview(const TensorPair& pair,
                                                  const TensorPlane& plane,
                                                  Quantity quantity,
                                                  std::int64_t rows,
                                                  std::int64_t columns,
                                                  const std::stop_token& stop);
/// The same of a part of the plane, with cells of this size.
[[nodiscard]] std::optional<TileGrid> readPreviewOf(const TensorPair& pair,
                                                    const TensorPlane& plane,
                                                    Quantity quantity,
                                                    const TiledRect& tiled,
                                                    const std::stop_token& stop);

/// Pictures of a whole plane, each of half as many cells along both sides as the one before, so
/// that a picture of any size is read from memory.
struct TensorPyramid {
  std::vector<TileGridPtr> levels;  ///< finest first; the last one is a single cell
};

/// Cells of the finest level: powers of two, larger along the longer side, so that a plane takes at
/// most kMostTiles cells; one element for planes that are no larger than that.
[[nodiscard]] TileSize finestTile(const TensorPlane& plane);
inline constexpr std::int64_t kMostTiles = std::int64_t{1} << 18;

/// Reads every element of the plane once. Nothing when it was stopped.
[[nodiscard]] std::optional<TensorPyramid> buildPyramid(const TensorPair& pair,
                                                        const TensorPlane& plane,
                                                        Quantity quantity,
                                                        const std::stop_token& stop,
                                                        Progress* progress = nullptr);

}  // namespace ulp::analysis
