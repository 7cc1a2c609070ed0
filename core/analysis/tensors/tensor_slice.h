#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/numerics/tensor_view.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {

/// What a slice takes of one dimension: `count` positions from `start` on, `step` apart.
struct SliceRange {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
  bool isIndex = false;  ///< a single position: the dimension is dropped

  friend bool operator==(const SliceRange&, const SliceRange&) = default;
};

/// Reads a slice as NumPy writes it: `0`, `-1`, `5:10`, `::2`, `::-1`, `...`, separated by commas.
/// Dimensions that are not named are taken whole. Errors: InvalidArgument (not a slice, more
/// dimensions than the tensor has, an index out of range, a step of 0).
[[nodiscard]] Result<std::vector<SliceRange>> parseSlice(std::string_view text,
                                                         std::span<const std::int64_t> shape);

/// Elements of a slice, row-major.
struct SlicedTensor {
  std::vector<std::int64_t> shape;  ///< without the dimensions of single positions
  std::vector<double> values;
};

[[nodiscard]] std::uint64_t countOf(std::span<const SliceRange> slice);
/// `slice` must come from parseSlice() of the tensor's shape.
[[nodiscard]] SlicedTensor takeSlice(const numerics::TensorView& tensor,
                                     std::span<const SliceRange> slice);

/// The same of a tensor whose elements may lie elsewhere: of such a one (Tensor::parts) these alone
/// come. Errors: those of TensorParts::pick() and of tensors::checkIntact().
[[nodiscard]] Result<SlicedTensor> readSlice(const tensors::Tensor& tensor,
                                             std::span<const SliceRange> slice);

/// A position in a picture of a tensor.
struct PlanePoint {
  std::int64_t row = 0;
  std::int64_t column = 0;
  friend bool operator==(const PlanePoint&, const PlanePoint&) = default;
};

/// The two-dimensional part of a tensor that a picture shows: element (row, column) lies at
/// `origin + row * rowStride + column * columnStride` of the flat tensor.
struct TensorPlane {
  std::vector<std::int64_t> shape;  ///< of the tensor
  std::vector<SliceRange> slice;    ///< of the tensor; one range a dimension
  int rowDimension = -1;            ///< -1: a single line of elements, folded into rows
  int columnDimension = -1;         ///< -1: a single element
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t cells = 1;  ///< rows * columns, or fewer where the last folded row is not full
  std::int64_t origin = 0;
  std::int64_t rowStride = 0;
  std::int64_t columnStride = 0;

  [[nodiscard]] bool contains(const PlanePoint& at) const {
    return at.row >= 0 && at.column >= 0 && at.row < rows && at.column < columns &&
           at.row * columns + at.column < cells;
  }
  /// `at` must be contained.
  [[nodiscard]] std::int64_t flatAt(const PlanePoint& at) const {
    return origin + at.row * rowStride + at.column * columnStride;
  }
  /// Columns of a row: fewer in a last row that is not full.
  [[nodiscard]] std::int64_t columnsOf(std::int64_t row) const;
  [[nodiscard]] std::vector<std::int64_t> indexAt(const PlanePoint& at) const;
  /// Finds the point of the plane that shows an element of the tensor; nothing when the plane does
  /// not show it.
  [[nodiscard]] std::optional<PlanePoint> locate(std::span<const std::int64_t> index) const;

  friend bool operator==(const TensorPlane&, const TensorPlane&) = default;
};

/// Which dimensions become rows and columns; -1: the last two that have more than one position
/// (rows stay -1, that is folded, where only one has).
struct PlaneAxes {
  int rows = -1;
  int columns = -1;
  friend bool operator==(const PlaneAxes&, const PlaneAxes&) = default;
};

/// `slice` is one of parseSlice() of this shape. Dimensions that are neither rows nor columns stand
/// at the start of their range. Axes that the tensor does not have count as not chosen. Errors:
/// InvalidArgument when the slice holds no element.
[[nodiscard]] Result<TensorPlane> makePlane(std::span<const std::int64_t> shape,
                                            std::span<const SliceRange> slice,
                                            const PlaneAxes& axes = {});

/// The slice as NumPy writes it, dimension by dimension: "0, :, 5:10".
[[nodiscard]] std::string sliceText(std::span<const SliceRange> slice,
                                    std::span<const std::int64_t> shape);

}  // namespace ulp::analysis
