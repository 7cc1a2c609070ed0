#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/dtype.h"

namespace ulp::numerics {

/// Row-major, contiguous elements owned by somebody else: LibTorch, a mapped file, a buffer. A view
/// is valid as long as its owner says; copying it copies no elements. A scalar has an empty shape.
struct TensorView {
  const void* data = nullptr;
  DType dtype = DType::Float32;
  std::vector<std::int64_t> shape;

  /// Number of elements; 1 for a scalar.
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] std::size_t sizeBytes() const { return count() * itemSize(dtype); }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(data), sizeBytes()};
  }
};

/// Element `flat` as a double, exactly (int64 beyond 2^53 rounds). `flat` must be below count().
[[nodiscard]] double elementAt(const TensorView& tensor, std::size_t flat);

/// Elements `first`, `first + step`, … as doubles, each as elementAt() gives it, at any alignment;
/// all of them must exist. `step` may be negative. Fastest with a step of 1.
void readElements(const TensorView& tensor,
                  std::int64_t first,
                  std::int64_t step,
                  std::span<double> elements);

/// Row-major multi-index of element `flat`.
[[nodiscard]] std::vector<std::int64_t> unravel(std::size_t flat,
                                                std::span<const std::int64_t> shape);

}  // namespace ulp::numerics
