#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/dumps/model/tensor_recipe.h"
#include "core/numerics/tensor_view.h"

namespace ulp::analysis {

/// How a fused tensor falls into parts.
struct FusedCut {
  std::size_t dim = 0;              ///< of the fused tensor
  std::vector<std::int64_t> sizes;  ///< of each part along it
};

/// The dimension along which the sizes of the parts add up to the whole while all others agree
/// (dimensions of size 1 in front aside). `wanted` (negative: from the end) is the only one that is
/// looked at; without it the last dimensions come first, with `isFromFront` the first ones.
/// Nothing: it is not made of these parts.
[[nodiscard]] std::optional<FusedCut> findCut(std::span<const std::int64_t> whole,
                                              std::span<const std::vector<std::int64_t>> parts,
                                              std::optional<std::int64_t> wanted,
                                              bool isFromFront);

/// Where part `part` lies along the dimension when a piece of every part follows one another,
/// `groups` times. Each size must be a multiple of `groups`.
[[nodiscard]] std::vector<dumps::Run> runsOf(const FusedCut& cut,
                                             std::size_t part,
                                             std::int64_t groups);

/// Numbers of groups that the sizes permit, from 1 up; at most 1024.
[[nodiscard]] std::vector<std::int64_t> possibleGroups(const FusedCut& cut);

/// Sum of squares of what the parts differ from their places in the whole, for each number of
/// groups; of at most 16 places across the dimension. What is not finite is left out.
[[nodiscard]] std::vector<double> layoutErrors(const numerics::TensorView& whole,
                                               std::span<const numerics::TensorView> parts,
                                               const FusedCut& cut,
                                               std::span<const std::int64_t> groups);

/// The number whose error is least; 1 unless another one's is less than a quarter of its.
[[nodiscard]] std::int64_t bestGroups(std::span<const std::int64_t> groups,
                                      std::span<const double> errors);

}  // namespace ulp::analysis
