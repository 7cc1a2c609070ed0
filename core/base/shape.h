#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
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
  const auto isKept = [](std::int64_t extent) { return extent != 1; };
  auto other = right.begin();
  for (const std::int64_t extent : left) {
    if (!isKept(extent)) {
      continue;
    }
    other = std::find_if(other, right.end(), isKept);
    if (other == right.end() || *other != extent) {
      return false;
    }
    ++other;
  }
  return std::none_of(other, right.end(), isKept);
}

}  // namespace ulp
