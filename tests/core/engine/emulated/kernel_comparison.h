#pragma once

#include <cstddef>
#include <memory>

#include "core/engine/device_comparer.h"
#include "core/numerics/comparison/comparison.h"
#include "tests/core/engine/emulated/device_threads.h"

namespace ulp::engine::cuda::testing {

struct KernelOptions {
  unsigned int blocks = 2;
  std::size_t worstCount = 8;
  Turns turns = Turns::Ascending;
};

/// Adds what the device's comparer finds, whose kernels run on the CPU, to `total`.
void accumulateByKernels(numerics::Moments& total,
                         const numerics::TensorView& reference,
                         const numerics::TensorView& candidate,
                         const KernelOptions& options);

[[nodiscard]] DevicePair pairOf(const numerics::TensorView& reference,
                                const numerics::TensorView& candidate);

/// The comparer of a device that FakeCuda plays; its kernels run when the device is waited for.
[[nodiscard]] std::unique_ptr<DeviceComparer> makeComparer(const ComparerMemory& memory);

}  // namespace ulp::engine::cuda::testing
