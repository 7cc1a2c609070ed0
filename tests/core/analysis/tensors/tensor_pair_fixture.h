#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/analysis/tensors/tensor_pair.h"

namespace ulp::test {

/// float32 elements in memory.
inline tensors::Tensor floatTensor(std::vector<std::int64_t> shape, std::vector<float> values) {
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  return {{owner->data(), DType::Float32, std::move(shape)}, owner};
}

inline tensors::Tensor bytesTensor(DType dtype,
                                   std::vector<std::int64_t> shape,
                                   const std::vector<std::uint64_t>& patterns) {
  auto owner = std::make_shared<std::vector<std::byte>>(patterns.size() * itemSize(dtype));
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::memcpy(owner->data() + i * itemSize(dtype), &patterns[i], itemSize(dtype));
  }
  return {{owner->data(), dtype, std::move(shape)}, owner};
}

inline analysis::TensorPairPtr floatPair(const std::vector<std::int64_t>& shape,
                                         std::vector<float> reference,
                                         std::vector<float> variant) {
  auto pair = analysis::makeTensorPair({"decoder.0", "model.layers.0", 0, Level::Layer, {}},
                                       floatTensor(shape, std::move(reference)),
                                       floatTensor(shape, std::move(variant)));
  return pair.value();
}

}  // namespace ulp::test
