#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "core/engine/network/parameters.h"
#include "core/engine/network/probe.h"
#include "core/engine/precision/numerics.h"

namespace ulp::engine {

/// How the sequences of a batch are packed, on the run's device. Undefined: one document each, no
/// padding.
struct PackedLayout {
  at::Tensor documents;  ///< int64 [length], attention stays within one; padding is one of its own
  at::Tensor positions;  ///< int64 [length], of the rotary tables
  at::Tensor present;    ///< bool [length], false: padding, which embeds to zeros
  std::int64_t longest = 0;  ///< one more than the last of `positions`

  /// Length of the rotary tables of a sequence.
  [[nodiscard]] std::int64_t tableLength(std::int64_t length) const {
    return positions.defined() ? longest : length;
  }
};

/// What a network's forward pass works with.
struct ForwardPass {
  const Numerics& numerics;
  ParameterSet& parameters;
  Probe& probe;
  PackedLayout layout{};
  bool hasBackward = true;  ///< false: nobody asks for gradients, and there is no autograd graph
  bool isLast = true;       ///< of the micro-batches of the step
};

}  // namespace ulp::engine
