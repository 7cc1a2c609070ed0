#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// A view of a storage, in elements.
struct Strides {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> steps;  ///< one for each dimension, not negative
  std::uint64_t offset = 0;
};

/// Counts how many elements of its storage a view reaches, its offset included; 0 for an empty one.
/// Nothing: a number is negative, or the sum does not fit into 63 bits.
[[nodiscard]] std::optional<std::uint64_t> reachOf(const Strides& strides);

/// The elements of the view stand one after the other in row-major order.
[[nodiscard]] bool isContiguous(const Strides& strides);

/// Copies the elements of a view into row-major order. `storage` holds at least its reach of
/// `itemSize` bytes each. A view may repeat elements; one that would take far more memory than its
/// storage is refused. Errors: Unsupported, OutOfMemory, Cancelled, without file and tensor.
[[nodiscard]] Result<std::shared_ptr<std::byte[]>> gather(std::span<const std::byte> storage,
                                                          std::size_t itemSize,
                                                          const Strides& strides);

}  // namespace ulp::tensors
