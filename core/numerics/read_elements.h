#pragma once

#include <cstdint>
#include <span>

#include "core/numerics/tensor_view.h"

namespace ulp::numerics {

/// Elements `first`, `first + step`, … as doubles, each as elementAt() gives it, at any alignment;
/// all of them must exist. `step` may be negative. Fastest with a step of 1.
void readElements(const TensorView& tensor,
                  std::int64_t first,
                  std::int64_t step,
                  std::span<double> elements);

}  // namespace ulp::numerics
