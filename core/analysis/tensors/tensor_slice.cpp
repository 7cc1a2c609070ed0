#include "core/analysis/tensors/tensor_slice.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"

namespace ulp::analysis {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  const std::size_t end = text.find_last_not_of(' ');
  return begin == std::string_view::npos ? "" : text.substr(begin, end - begin + 1);
}

std::vector<std::string_view> trimmedParts(std::string_view text, char separator) {
  return listOf(split(text, separator), trimmed);
}

/// A part of a range; an empty text is `missing`.
Result<std::int64_t> numberOr(std::string_view text, std::int64_t missing) {
  if (text.empty()) {
    return missing;
  }
  const auto value = parseNumber<std::int64_t>(text);
  // Bounds far beyond any tensor are refused so that sums of them cannot overflow.
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  if (!value || *value > kFar || *value < -kFar) {
    return fail(ErrorCode::InvalidArgument, fmt::format("'{}' is not a position", text));
  }
  return *value;
}

Result<SliceRange> parseIndex(std::string_view text, std::int64_t size) {
  const auto index = numberOr(text, 0);
  if (!index || text.empty()) {
    return fail(ErrorCode::InvalidArgument, fmt::format("'{}' is not a position or range", text));
  }
  const std::int64_t position = *index < 0 ? *index + size : *index;
  if (position < 0 || position >= size) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("position {} lies outside a dimension of {}", *index, size));
  }
  return SliceRange{position, 1, 1, true};
}

/// start:stop:step with NumPy's rules: negative positions count from the end, bounds are clipped.
Result<SliceRange> parseRange(std::string_view text, std::int64_t size) {
  const std::vector<std::string_view> parts = trimmedParts(text, ':');
  if (parts.size() > 3) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' is not a range; expected start:stop:step", text));
  }
  const auto step = numberOr(parts.size() > 2 ? parts[2] : "", 1);
  if (!step || *step == 0) {
    return fail(ErrorCode::InvalidArgument, fmt::format("'{}' has no step other than 0", text));
  }
  const bool isForward = *step > 0;
  const std::int64_t low = isForward ? 0 : -1;
  const std::int64_t high = isForward ? size : size - 1;
  const auto start = numberOr(parts[0], isForward ? low : high);
  const auto stop = numberOr(parts[1], isForward ? high : low - size);
  if (!start || !stop) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' is not a range; expected start:stop:step", text));
  }
  const auto clipped = [&](std::int64_t position) {
    return std::clamp(position < 0 ? position + size : position, low, high);
  };
  SliceRange range{clipped(*start), *step, 0, false};
  const std::int64_t distance = clipped(*stop) - range.start;
  range.count = std::max<std::int64_t>(0, (distance + *step + (isForward ? -1 : 1)) / *step);
  return range;
}

Result<SliceRange> parsePart(std::string_view text, std::int64_t size) {
  return text.find(':') == std::string_view::npos ? parseIndex(text, size) : parseRange(text, size);
}

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

Result<std::vector<SliceRange>> parseSlice(std::string_view text,
                                           std::span<const std::int64_t> shape) {
  std::vector<std::string_view> parts = trimmedParts(text, ',');
  if (parts.size() == 1 && parts[0].empty()) {
    parts.clear();
  }
  const auto isEllipsis = [](std::string_view part) { return part == "..."; };
  const auto ellipses = std::ranges::count_if(parts, isEllipsis);
  const std::size_t named = parts.size() - static_cast<std::size_t>(ellipses);
  if (ellipses > 1 || named > shape.size()) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format(
            "slice '{}' does not fit a tensor of shape [{}]", text, fmt::join(shape, ", ")));
  }
  auto gap = std::ranges::find_if(parts, isEllipsis);
  gap = ellipses == 1 ? parts.erase(gap) : parts.end();
  parts.insert(gap, shape.size() - named, ":");
  std::vector<SliceRange> ranges;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    auto range = parsePart(parts[i], shape[i]);
    if (!range) {
      return failWhile(fmt::format("slice '{}'", text), std::move(range));
    }
    ranges.push_back(*range);
  }
  return ranges;
}

std::uint64_t countOf(std::span<const SliceRange> slice) {
  return std::accumulate(
      slice.begin(), slice.end(), std::uint64_t{1}, [](std::uint64_t n, const SliceRange& range) {
        return n * static_cast<std::uint64_t>(range.count);
      });
}

SlicedTensor takeSlice(const numerics::TensorView& tensor, std::span<const SliceRange> slice) {
  SlicedTensor result;
  for (const SliceRange& range : slice) {
    if (!range.isIndex) {
      result.shape.push_back(range.count);
    }
  }
  const std::uint64_t count = countOf(slice);
  result.values.reserve(count);
  std::vector<std::int64_t> position(slice.size(), 0);
  for (std::uint64_t n = 0; n < count; ++n) {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < slice.size(); ++d) {
      flat = flat * tensor.shape[d] + slice[d].start + position[d] * slice[d].step;
    }
    result.values.push_back(numerics::elementAt(tensor, static_cast<std::size_t>(flat)));
    for (std::size_t d = slice.size(); d-- > 0 && ++position[d] == slice[d].count;) {
      position[d] = 0;
    }
  }
  return result;
}

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
