#pragma once

#include <ATen/core/Tensor.h>

#include "core/engine/precision_plan.h"

namespace ulp::engine {

/// `x` [..., in] times `weight` [out, in] in the formats of `how`, under autograd: operands are
/// divided by scales from their largest numbers and rounded to float8, as torchao's float8 training
/// does it ("tensorwise" and "rowwise"; the gradient of the weight, too). The result and the
/// gradients have the types of `x` and `weight`.
[[nodiscard]] at::Tensor float8Linear(const at::Tensor& x,
                                      const at::Tensor& weight,
                                      const Float8Products& how);

}  // namespace ulp::engine
