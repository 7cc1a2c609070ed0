#pragma once

#include <cstddef>

#include "core/numerics/comparison/comparison.h"
#include "tests/core/engine/emulated/device_threads.h"

namespace ulp::engine::cuda::testing {

struct KernelOptions {
  unsigned int blocks = 2;
  std::size_t worstCount = 8;
  Turns turns = Turns::Ascending;
};

/// What the device's comparer does with its kernels, whose blocks run on the CPU. Adds the result
/// to `total`.
void accumulateByKernels(numerics::Moments& total,
                         const numerics::TensorView& reference,
                         const numerics::TensorView& candidate,
                         const KernelOptions& options);

}  // namespace ulp::engine::cuda::testing
