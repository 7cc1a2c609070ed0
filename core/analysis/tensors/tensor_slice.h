#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/numerics/tensor_view.h"

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

}  // namespace ulp::analysis
