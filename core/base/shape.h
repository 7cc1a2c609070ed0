#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <vector>

namespace ulp {

/// The shape without extents of 1: the shapes [1, 8, 1, 64] and [8, 64] hold the same elements in
/// the same order.
[[nodiscard]] inline std::vector<std::int64_t> squeezed(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> kept;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(kept), [](std::int64_t extent) {
    return extent != 1;
  });
  return kept;
}

/// squeezed() of both is equal.
[[nodiscard]] inline bool isSqueezedSame(std::span<const std::int64_t> left,
                                         std::span<const std::int64_t> right) {
  const auto extents = [](std::span<const std::int64_t> shape) {
    return shape | std::views::filter([](std::int64_t extent) { return extent != 1; });
  };
  return std::ranges::equal(extents(left), extents(right));
}

}  // namespace ulp
