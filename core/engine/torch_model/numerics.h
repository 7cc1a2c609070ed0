#pragma once

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/engine.h"

namespace ulp::engine {

/// A PrecisionPlan in LibTorch's words, with what follows from it.
struct Numerics {
  at::ScalarType compute = at::kFloat;
  at::ScalarType residual = at::kFloat;
  at::ScalarType head = at::kFloat;
  Cast cast = Cast::Load;
  AttentionImplementation attention = AttentionImplementation::Sdpa;
  at::Device device = at::kCPU;

  /// Inside the norms: float32 as in transformers, float64 when what they read or give is float64.
  [[nodiscard]] at::ScalarType normMath() const;
  /// Inside softmax and the rotary angles.
  [[nodiscard]] at::ScalarType attentionMath() const;
};

/// Errors: InvalidArgument for a dtype that no computation can use.
[[nodiscard]] Result<Numerics> resolveNumerics(const PrecisionPlan& plan, at::Device device);

}  // namespace ulp::engine
