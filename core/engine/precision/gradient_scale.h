#pragma once

#include <functional>

#include <ATen/core/Tensor.h>

namespace ulp::engine {

/// The largest power of two that the gradient of `loss` can be multiplied by so that every float16
/// gradient of its graph stays finite; 1 when there is none. Backward passes over the kept graph
/// find it: one where its largest gradient is not near a power of two below the largest number of
/// float16, else another one that makes sure. `forget` is called after each.
[[nodiscard]] double largestGradientScale(const at::Tensor& loss,
                                          const std::function<void()>& forget);

/// loss.backward() of the loss times `scale`.
void runBackward(const at::Tensor& loss, double scale, bool keepGraph);

}  // namespace ulp::engine
