#include "core/analysis/tensors/tensor_pyramid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "core/tensors/archive/byte_source.h"

namespace ulp::analysis {
namespace {

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

PlaneRect clipped(const PlaneRect& rect, const TensorPlane& plane) {
  const std::int64_t row = std::clamp<std::int64_t>(rect.row, 0, plane.rows);
  const std::int64_t column = std::clamp<std::int64_t>(rect.column, 0, plane.columns);
  return {row,
          column,
          std::clamp<std::int64_t>(rect.row + rect.rows, row, plane.rows) - row,
          std::clamp<std::int64_t>(rect.column + rect.columns, column, plane.columns) - column};
}

TileGrid emptyGrid(const PlaneRect& rect, std::int64_t rowsPerCell, std::int64_t columnsPerCell) {
  TileGrid grid{.firstRow = rect.row,
                .firstColumn = rect.column,
                .rowsPerCell = rowsPerCell,
                .columnsPerCell = columnsPerCell,
                .rows = ceilDivide(rect.rows, rowsPerCell),
                .columns = ceilDivide(rect.columns, columnsPerCell)};
  grid.cells.resize(static_cast<std::size_t>(grid.rows * grid.columns));
  return grid;
}

/// While cells are filled their mean holds the sum.
void finishMeans(TileGrid& grid) {
  for (TileCell& cell : grid.cells) {
    if (cell.values > 0) {
      cell.mean /= cell.values;
    }
  }
}

/// Adds neighbours that fall on one cell.
void accumulate(TileCell& cell,
                std::span<const double> values,
                std::span<const std::uint8_t> nonFinite) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  double sum = 0;
  std::uint32_t count = 0;
  std::uint32_t broken = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    broken += nonFinite[i];
    if (nonFinite[i] == 0 && !std::isnan(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
      sum += value;
      ++count;
    }
  }
  cell.nonFinite += broken;
  if (count == 0) {
    return;
  }
  const bool isFirst = cell.values == 0;
  cell.minimum = isFirst ? low : std::min(cell.minimum, low);
  cell.maximum = isFirst ? high : std::max(cell.maximum, high);
  cell.mean = isFirst ? sum : cell.mean + sum;
  cell.values += count;
}

/// Walks through a rectangle in the order of memory, so that a mapped file is read front to back.
class TileWalk {
 public:
  TileWalk(const TensorPair& pair,
           const TensorPlane& plane,
           Quantity quantity,
           const PlaneRect& rect,
           TileGrid& grid)
      : m_pair(pair),
        m_plane(plane),
        m_rect(rect),
        m_grid(grid),
        m_reader(pair, quantity),
        m_trail(pair),
        m_byRows(std::abs(plane.rowStride) >= std::abs(plane.columnStride)) {}

  bool run(const std::stop_token& stop, Progress* progress) {
    const std::int64_t lines = m_byRows ? m_rect.rows : m_rect.columns;
    for (std::int64_t line = 0; line < lines; ++line) {
      const std::int64_t length = lengthOf(line);
      for (std::int64_t at = 0; at < length; at += kBlock) {
        if (stop.stop_requested() || !readBlock(line, at, std::min(kBlock, length - at))) {
          return false;
        }
      }
      if (progress != nullptr) {
        progress->done += static_cast<std::uint64_t>(length);
      }
    }
    finishMeans(m_grid);
    return true;
  }

 private:
  static constexpr std::int64_t kBlock = QuantityReader::kBlock;

  [[nodiscard]] std::int64_t lengthOf(std::int64_t line) const {
    if (!m_byRows) {
      return m_rect.rows;
    }
    const std::int64_t columns = m_plane.columnsOf(m_rect.row + line);
    return std::clamp<std::int64_t>(columns - m_rect.column, 0, m_rect.columns);
  }

  /// False: the elements did not come.
  bool readBlock(std::int64_t line, std::int64_t at, std::int64_t count) {
    const PlanePoint start = m_byRows ? PlanePoint{m_rect.row + line, m_rect.column + at}
                                      : PlanePoint{m_rect.row + at, m_rect.column + line};
    const std::int64_t first = m_plane.flatAt(start);
    const std::int64_t step = m_byRows ? m_plane.columnStride : m_plane.rowStride;
    const auto size = static_cast<std::size_t>(count);
    if (!bring(m_pair, {.first = first, .columns = count, .columnStep = step})) {
      return false;
    }
    m_reader.read(first, step, {m_values.data(), size}, {m_nonFinite.data(), size});
    m_trail.passed(first, first + (count - 1) * step);
    const std::int64_t along = m_byRows ? m_grid.columnsPerCell : m_grid.rowsPerCell;
    const std::int64_t across = m_byRows ? m_grid.rowsPerCell : m_grid.columnsPerCell;
    const std::int64_t cellStep = m_byRows ? 1 : m_grid.columns;
    const std::int64_t lineStart = line / across * (m_byRows ? m_grid.columns : 1);
    std::int64_t index = lineStart + at / along * cellStep;
    std::int64_t run = along - at % along;
    for (std::int64_t i = 0; i < count; i += run, run = along, index += cellStep) {
      const auto from = static_cast<std::size_t>(i);
      const auto length = static_cast<std::size_t>(std::min(run, count - i));
      accumulate(m_grid.cells[static_cast<std::size_t>(index)],
                 {m_values.data() + from, length},
                 {m_nonFinite.data() + from, length});
    }
    return true;
  }

  const TensorPair& m_pair;
  const TensorPlane& m_plane;
  PlaneRect m_rect;
  TileGrid& m_grid;
  QuantityReader m_reader;
  PageTrail m_trail;
  bool m_byRows;
  std::array<double, QuantityReader::kBlock> m_values{};
  std::array<std::uint8_t, QuantityReader::kBlock> m_nonFinite{};
};

TileGridPtr halved(const TileGrid& fine) {
  const PlaneRect whole{0, 0, fine.rows * fine.rowsPerCell, fine.columns * fine.columnsPerCell};
  auto coarse =
      std::make_shared<TileGrid>(emptyGrid(whole, fine.rowsPerCell * 2, fine.columnsPerCell * 2));
  for (std::int64_t row = 0; row < fine.rows; ++row) {
    for (std::int64_t column = 0; column < fine.columns; ++column) {
      coarse->cells[static_cast<std::size_t>(row / 2 * coarse->columns + column / 2)].add(
          fine.at(row, column));
    }
  }
  return coarse;
}

PlaneRect wholeOf(const TensorPlane& plane) {
  return {0, 0, plane.rows, plane.columns};
}

/// Elements of a plane, `step` apart.
tensors::ElementGrid elementsOf(const TensorPlane& plane,
                                const PlaneRect& rect,
                                const TileSize& step = {}) {
  return {.first = plane.flatAt({rect.row, rect.column}),
          .columns = rect.columns,
          .columnStep = plane.columnStride * step.columns,
          .rows = rect.rows,
          .rowStep = plane.rowStride * step.rows};
}

/// These elements alone, of a pair that lies elsewhere: without what lies between them. Null: they
/// did not come.
TensorPairPtr pickedPair(const TensorPair& pair, const tensors::ElementGrid& wanted) {
  const auto pick = [&](const tensors::Tensor& tensor) -> Result<tensors::Tensor> {
    std::vector<std::byte> bytes;
    if (tensor.parts != nullptr) {
      bytes = ULP_TRY(tensor.parts->pick(wanted));
    } else {
      const std::size_t item = itemSize(tensor.view.dtype);
      bytes.resize(wanted.count() * item);
      for (std::int64_t row = 0; row < wanted.rows; ++row) {
        for (std::int64_t column = 0; column < wanted.columns; ++column) {
          const std::int64_t from =
              wanted.first + row * wanted.rowStep + column * wanted.columnStep;
          if (from >= 0 && from < static_cast<std::int64_t>(tensor.view.count())) {
            std::memcpy(
                bytes.data() + static_cast<std::size_t>(row * wanted.columns + column) * item,
                tensor.view.bytes().data() + static_cast<std::size_t>(from) * item,
                item);
          }
        }
      }
    }
    return tensors::tensorAt(tensors::byteSourceOf("picked", std::move(bytes)),
                             0,
                             tensor.view.dtype,
                             {wanted.rows, wanted.columns});
  };
  auto reference = pick(pair.reference);
  auto variant = reference ? pick(pair.variant) : Result<tensors::Tensor>();
  if (!reference || !variant) {
    return nullptr;
  }
  auto picked = std::make_shared<TensorPair>();
  picked->site = pair.site;
  picked->reference = std::move(*reference);
  picked->variant = std::move(*variant);
  picked->ulpFormat = pair.ulpFormat;
  picked->fullShape = picked->shape();
  return picked;
}

/// Beyond so many elements a rectangle is walked through instead of being brought at once.
constexpr std::int64_t kMostAtOnce = std::int64_t{16} << 20;
/// How much more than the elements themselves may come so that whole blocks are kept.
constexpr std::uint64_t kBlocksMayCost = 4;
constexpr std::uint64_t kBlocksAreCheap = std::uint64_t{1} << 20;

/// Brings a rectangle of a pair that lies elsewhere in few questions. A pair of its elements alone
/// where these lie far from each other; null: it can be walked through as it is.
TensorPairPtr broughtPart(const TensorPair& pair, const TensorPlane& plane, const PlaneRect& rect) {
  const std::int64_t count = rect.rows * rect.columns;
  if (!hasParts(pair) || count == 0 || count > kMostAtOnce) {
    return nullptr;
  }
  const tensors::ElementGrid wanted = elementsOf(plane, rect);
  const auto missingOf = [&](const tensors::Tensor& tensor) {
    return tensor.parts == nullptr ? 0 : tensor.parts->missingBytes(wanted);
  };
  const std::uint64_t size =
      wanted.count() * (itemSize(pair.reference.view.dtype) + itemSize(pair.variant.view.dtype));
  // The last row of a folded line may be shorter.
  const bool isFolded = plane.cells != plane.rows * plane.columns;
  if (isFolded || missingOf(pair.reference) + missingOf(pair.variant) <=
                      kBlocksMayCost * size + kBlocksAreCheap) {
    static_cast<void>(bring(pair, wanted));  // where it fails, the walk does
    return nullptr;
  }
  return pickedPair(pair, wanted);
}

/// In which order cells are read, and from where in memory.
struct CellOrder {
  bool byRows = true;
  std::int64_t from = 0;
};

/// Reads an element for each cell, the one at `flatOf(row, column)`; nothing: the cell has none.
/// False: it was stopped.
template <class FlatOf>
bool fillCells(const TensorPair& pair,
               Quantity quantity,
               const CellOrder& order,
               const std::stop_token& stop,
               TileGrid& grid,
               const FlatOf& flatOf) {
  const QuantityReader reader(pair, quantity);
  PageTrail trail(pair);
  const std::int64_t outer = order.byRows ? grid.rows : grid.columns;
  const std::int64_t inner = order.byRows ? grid.columns : grid.rows;
  std::int64_t last = order.from;
  for (std::int64_t i = 0; i < outer; ++i) {
    if (stop.stop_requested()) {
      return false;
    }
    for (std::int64_t k = 0; k < inner; ++k) {
      const std::int64_t row = order.byRows ? i : k;
      const std::int64_t column = order.byRows ? k : i;
      const std::optional<std::int64_t> flat = flatOf(row, column);
      if (!flat) {
        continue;
      }
      double value = 0;
      std::uint8_t nonFinite = 0;
      reader.read(*flat, 1, {&value, 1}, {&nonFinite, 1});
      grid.cells[static_cast<std::size_t>(row * grid.columns + column)].add(value, nonFinite != 0);
      trail.passed(std::exchange(last, *flat), *flat);
    }
  }
  return true;
}

/// The same of a pair that lies elsewhere, which is asked for elements at equal distances: the last
/// cell may be a small one.
bool fillPicked(const TensorPair& pair,
                const TensorPlane& plane,
                Quantity quantity,
                const TiledRect& tiled,
                const std::stop_token& stop,
                TileGrid& grid) {
  const auto& [part, tile] = tiled;
  const auto offset = [](std::int64_t perCell, std::int64_t cells, std::int64_t size) {
    return std::min(perCell / 2, size - 1 - (cells - 1) * perCell);
  };
  const PlanePoint begin{part.row + offset(tile.rows, grid.rows, part.rows),
                         part.column + offset(tile.columns, grid.columns, part.columns)};
  const TensorPairPtr picked =
      pickedPair(pair, elementsOf(plane, {begin.row, begin.column, grid.rows, grid.columns}, tile));
  return picked != nullptr &&
         fillCells(*picked, quantity, {}, stop, grid, [&](std::int64_t row, std::int64_t column) {
           const PlanePoint at{begin.row + row * tiled.tile.rows,
                               begin.column + column * tiled.tile.columns};
           return plane.contains(at) ? std::optional(row * grid.columns + column) : std::nullopt;
         });
}

}  // namespace

void TileCell::add(double value, bool isNonFinite) {
  add(TileCell{.minimum = value,
               .maximum = value,
               .mean = value,
               .values = isNonFinite || std::isnan(value) ? 0U : 1U,
               .nonFinite = isNonFinite ? 1U : 0U});
}

void TileCell::add(const TileCell& other) {
  nonFinite += other.nonFinite;
  if (other.values == 0) {
    return;
  }
  if (values == 0) {
    minimum = other.minimum;
    maximum = other.maximum;
    mean = other.mean;
  } else {
    minimum = std::min(minimum, other.minimum);
    maximum = std::max(maximum, other.maximum);
    mean += (other.mean - mean) * other.values / (values + other.values);
  }
  values += other.values;
}

std::optional<TileGrid> readTiles(const TensorPair& pair,
                                  const TensorPlane& plane,
                                  Quantity quantity,
                                  const TiledRect& tiled,
                                  const std::stop_token& stop,
                                  Progress* progress) {
  const PlaneRect part = clipped(tiled.rect, plane);
  TileGrid grid = emptyGrid(part, tiled.tile.rows, tiled.tile.columns);
  if (progress != nullptr) {
    progress->total += static_cast<std::uint64_t>(part.rows * part.columns);
  }
  if (const TensorPairPtr picked = broughtPart(pair, plane, part)) {
    const TensorPlane own{.rows = part.rows,
                          .columns = part.columns,
                          .cells = part.rows * part.columns,
                          .rowStride = part.columns,
                          .columnStride = 1};
    TileWalk walk(*picked, own, quantity, wholeOf(own), grid);
    return walk.run(stop, progress) ? std::optional(std::move(grid)) : std::nullopt;
  }
  TileWalk walk(pair, plane, quantity, part, grid);
  return walk.run(stop, progress) ? std::optional(std::move(grid)) : std::nullopt;
}

std::optional<TileGrid> readPreview(const TensorPair& pair,
                                    const TensorPlane& plane,
                                    Quantity quantity,
                                    std::int64_t rows,
                                    std::int64_t columns,
                                    const std::stop_token& stop) {
  const TileSize tile{.rows = ceilDivide(plane.rows, std::max<std::int64_t>(1, rows)),
                      .columns = ceilDivide(plane.columns, std::max<std::int64_t>(1, columns))};
  return readPreviewOf(pair, plane, quantity, {wholeOf(plane), tile}, stop);
}

std::optional<TileGrid> readPreviewOf(const TensorPair& pair,
                                      const TensorPlane& plane,
                                      Quantity quantity,
                                      const TiledRect& tiled,
                                      const std::stop_token& stop) {
  const PlaneRect part = clipped(tiled.rect, plane);
  const TileSize& tile = tiled.tile;
  TileGrid grid = emptyGrid(part, tile.rows, tile.columns);
  grid.isPreview = tile.rows * tile.columns > 1;
  if (grid.cells.empty()) {
    return grid;
  }
  if (hasParts(pair)) {
    return fillPicked(pair, plane, quantity, {part, tile}, stop, grid)
               ? std::optional(std::move(grid))
               : std::nullopt;
  }
  const auto middle = [](std::int64_t cell, std::int64_t perCell, std::int64_t size) {
    return std::min(cell * perCell + perCell / 2, size - 1);
  };
  // In the order of memory, as TileWalk.
  const CellOrder order{.byRows = std::abs(plane.rowStride) >= std::abs(plane.columnStride),
                        .from = plane.origin};
  const bool isFilled =
      fillCells(pair, quantity, order, stop, grid, [&](std::int64_t row, std::int64_t column) {
        const PlanePoint at{part.row + middle(row, tile.rows, part.rows),
                            part.column + middle(column, tile.columns, part.columns)};
        return plane.contains(at) ? std::optional(plane.flatAt(at)) : std::nullopt;
      });
  return isFilled ? std::optional(std::move(grid)) : std::nullopt;
}

TileSize finestTile(const TensorPlane& plane) {
  TileSize tile;
  while (true) {
    const std::int64_t rows = ceilDivide(plane.rows, tile.rows);
    const std::int64_t columns = ceilDivide(plane.columns, tile.columns);
    if (rows * columns <= kMostTiles) {
      return tile;
    }
    (rows > columns ? tile.rows : tile.columns) *= 2;
  }
}

std::optional<TensorPyramid> buildPyramid(const TensorPair& pair,
                                          const TensorPlane& plane,
                                          Quantity quantity,
                                          const std::stop_token& stop,
                                          Progress* progress) {
  auto finest =
      readTiles(pair, plane, quantity, {wholeOf(plane), finestTile(plane)}, stop, progress);
  if (!finest) {
    return std::nullopt;
  }
  TensorPyramid pyramid;
  pyramid.levels.push_back(std::make_shared<const TileGrid>(std::move(*finest)));
  while (pyramid.levels.back()->cells.size() > 1) {
    pyramid.levels.push_back(halved(*pyramid.levels.back()));
  }
  return pyramid;
}

}  // namespace ulp::analysis
