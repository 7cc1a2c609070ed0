#include "views/plugins/tensor/pictures/tensor_viewpoint.h"

#include <algorithm>

namespace ulp::views {
namespace {

using analysis::TensorPlane;
using charts::Range;

/// One side of a plane as positions of a dimension.
struct Side {
  QString id;
  double start = 0;  ///< of the first cell
  double step = 1;   ///< from cell to cell
  double cells = 1;
};

Side sideOf(const TensorPlane& plane, int dimension, std::int64_t cells) {
  Side side{.id = QStringLiteral("dimension %1").arg(dimension),
            .cells = static_cast<double>(cells)};
  if (dimension < 0) {
    // A line of elements in rows: the same element stands in the same row where rows are as long.
    side.id = QStringLiteral("rows of %1").arg(plane.columns);
    return side;
  }
  const analysis::SliceRange& range = plane.slice[static_cast<std::size_t>(dimension)];
  // Backwards a cell reaches from behind its element to before the next one's.
  side.start = static_cast<double>(range.step < 0 ? range.start + 1 : range.start);
  side.step = static_cast<double>(range.step);
  return side;
}

Side rowsOf(const TensorPlane& plane) {
  return sideOf(plane, plane.rowDimension, plane.rows);
}

Side columnsOf(const TensorPlane& plane) {
  // Of a folded line the columns are no positions of its dimension.
  Side side = sideOf(plane, plane.columnDimension, plane.columns);
  if (plane.rowDimension < 0 && plane.rows > 1) {
    side = {.id = QStringLiteral("columns of %1").arg(plane.columns),
            .cells = static_cast<double>(plane.columns)};
  }
  return side;
}

NumberSpan spanOf(const Side& side, const Range& cells, bool isWhole) {
  const auto [low, high] =
      std::minmax({side.start + (cells.low * side.step), side.start + (cells.high * side.step)});
  return {.id = side.id, .low = low, .high = high, .isWhole = isWhole};
}

Range cellsOf(const Side& side, const Viewpoint& viewpoint, const Range& seen) {
  const NumberSpan* const span = viewpoint.findNumbers(side.id);
  if (span == nullptr) {
    return seen;
  }
  if (span->isWhole) {
    return {0, side.cells};
  }
  const auto [low, high] =
      std::minmax({(span->low - side.start) / side.step, (span->high - side.start) / side.step});
  return {low, high};
}

}  // namespace

std::vector<NumberSpan> spansOf(const TensorPlane& plane, const charts::Viewport& seen) {
  return {spanOf(columnsOf(plane), seen.x(), seen.x() == seen.fullX()),
          spanOf(rowsOf(plane), seen.y(), seen.y() == seen.fullY())};
}

charts::Viewport viewOf(const TensorPlane& plane,
                        const Viewpoint& viewpoint,
                        charts::Viewport seen) {
  seen.zoomTo(cellsOf(columnsOf(plane), viewpoint, seen.x()),
              cellsOf(rowsOf(plane), viewpoint, seen.y()));
  return seen;
}

}  // namespace ulp::views
