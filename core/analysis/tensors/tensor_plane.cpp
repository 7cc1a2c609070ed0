#include "core/analysis/tensors/tensor_plane.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/numerics/tensor_view.h"

namespace ulp::analysis {
namespace {

std::vector<std::int64_t> stridesOf(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) {
    strides[d - 1] = strides[d] * shape[d];
  }
  return strides;
}

/// A dimension of the slice that is still one.
bool isFree(std::span<const SliceRange> slice, int dimension) {
  return dimension >= 0 && static_cast<std::size_t>(dimension) < slice.size() &&
         !slice[static_cast<std::size_t>(dimension)].isIndex;
}

/// The last free dimension of more than `least` positions, other than `taken`; -1: none.
int lastFree(std::span<const SliceRange> slice, std::int64_t least, int taken) {
  for (int d = static_cast<int>(slice.size()) - 1; d >= 0; --d) {
    if (d != taken && isFree(slice, d) && slice[static_cast<std::size_t>(d)].count > least) {
      return d;
    }
  }
  return -1;
}

PlaneAxes chosenAxes(std::span<const SliceRange> slice, const PlaneAxes& wanted) {
  PlaneAxes axes;
  axes.rows = isFree(slice, wanted.rows) ? wanted.rows : -1;
  axes.columns = isFree(slice, wanted.columns) && wanted.columns != axes.rows ? wanted.columns : -1;
  if (axes.columns < 0) {
    axes.columns = lastFree(slice, 1, axes.rows);
  }
  if (axes.columns < 0) {
    axes.columns = lastFree(slice, 0, axes.rows);
  }
  if (axes.rows < 0) {
    axes.rows = lastFree(slice, 1, axes.columns);
  }
  return axes;
}

/// About twice as many columns as rows, a power of two of them.
std::int64_t foldedColumns(std::int64_t count) {
  constexpr std::int64_t kShortLine = 32;
  std::int64_t columns = kShortLine;
  while (columns * columns < 2 * count) {
    columns *= 2;
  }
  return std::min(columns, std::max<std::int64_t>(1, count));
}

}  // namespace

std::int64_t TensorPlane::columnsOf(std::int64_t row) const {
  return std::clamp<std::int64_t>(cells - row * columns, 0, columns);
}

std::vector<std::int64_t> TensorPlane::indexAt(const PlanePoint& at) const {
  return numerics::unravel(static_cast<std::size_t>(flatAt(at)), shape);
}

std::optional<PlanePoint> TensorPlane::locate(std::span<const std::int64_t> index) const {
  if (index.size() != shape.size()) {
    return std::nullopt;
  }
  PlanePoint at;
  std::int64_t line = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    const std::int64_t offset = index[d] - slice[d].start;
    const auto dimension = static_cast<int>(d);
    const bool isAxis = dimension == rowDimension || dimension == columnDimension;
    if (offset % slice[d].step != 0 || (!isAxis && offset != 0)) {
      return std::nullopt;
    }
    const std::int64_t place = offset / slice[d].step;
    if (place < 0 || (isAxis && place >= slice[d].count)) {
      return std::nullopt;
    }
    (dimension == rowDimension ? at.row : line) += isAxis ? place : 0;
  }
  at.column = line;
  if (rowDimension < 0) {
    at = {line / columns, line % columns};
  }
  return contains(at) ? std::optional(at) : std::nullopt;
}

Result<TensorPlane> makePlane(std::span<const std::int64_t> shape,
                              std::span<const SliceRange> slice,
                              const PlaneAxes& axes) {
  if (countOf(slice) == 0) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("slice '{}' holds no element of a tensor of shape [{}]",
                            sliceText(slice, shape),
                            fmt::join(shape, ", ")));
  }
  TensorPlane plane;
  plane.shape.assign(shape.begin(), shape.end());
  plane.slice.assign(slice.begin(), slice.end());
  const PlaneAxes chosen = chosenAxes(slice, axes);
  plane.rowDimension = chosen.rows;
  plane.columnDimension = chosen.columns;
  const std::vector<std::int64_t> strides = stridesOf(shape);
  for (std::size_t d = 0; d < slice.size(); ++d) {
    plane.origin += slice[d].start * strides[d];
  }
  if (chosen.columns >= 0) {
    const auto d = static_cast<std::size_t>(chosen.columns);
    plane.columns = slice[d].count;
    plane.columnStride = slice[d].step * strides[d];
  }
  plane.cells = plane.columns;
  if (chosen.rows >= 0) {
    const auto d = static_cast<std::size_t>(chosen.rows);
    plane.rows = slice[d].count;
    plane.rowStride = slice[d].step * strides[d];
    plane.cells = plane.rows * plane.columns;
  } else {
    plane.columns = foldedColumns(plane.cells);
    plane.rows = (plane.cells + plane.columns - 1) / plane.columns;
    plane.rowStride = plane.columns * plane.columnStride;
  }
  return plane;
}

std::string sliceText(std::span<const SliceRange> slice, std::span<const std::int64_t> shape) {
  std::vector<std::string> parts;
  for (std::size_t d = 0; d < slice.size(); ++d) {
    const SliceRange& range = slice[d];
    const bool isWhole = range.start == 0 && range.step == 1 && range.count == shape[d];
    if (range.isIndex) {
      parts.push_back(std::to_string(range.start));
    } else if (isWhole) {
      parts.emplace_back(":");
    } else {
      // An end before position 0 would count from the end of the dimension, so it is left out.
      const std::int64_t stop = range.start + range.count * range.step;
      std::string part = fmt::format("{}:{}", range.start, stop < 0 ? "" : std::to_string(stop));
      parts.push_back(range.step == 1 ? part : fmt::format("{}:{}", part, range.step));
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace ulp::analysis
