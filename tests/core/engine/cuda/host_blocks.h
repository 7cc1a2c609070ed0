#pragma once

#include <cstdint>

#include "core/numerics/comparison/comparison.h"

namespace ulp::engine::cuda::testing {

/// In which order the threads of a block take their turns.
enum class ThreadOrder { Ascending, Descending };

/// What the kernels do, by the same code, with `blocks` blocks one after the other on the CPU. Adds
/// the result to `total`.
void accumulateOnHost(numerics::Moments& total,
                      const numerics::TensorView& reference,
                      const numerics::TensorView& candidate,
                      std::uint64_t blocks,
                      ThreadOrder order,
                      std::size_t worstCount = 8);

}  // namespace ulp::engine::cuda::testing
