#pragma once

#include <cstdint>

#include "core/numerics/comparison/comparison.h"

namespace ulp::engine::cuda::testing {

/// In which order the threads of a block take their turns.
enum class ThreadOrder { Ascending, Descending };

/// What the kernels do, by the same code, with `blocks` blocks one after the other on the CPU.
/// Gives `total` with the pair, whose elements follow.
[[nodiscard]] numerics::Moments compareOnHost(const numerics::TensorView& reference,
                                              const numerics::TensorView& candidate,
                                              std::uint64_t blocks,
                                              ThreadOrder order,
                                              std::size_t worstCount = 8,
                                              numerics::Moments total = {});

}  // namespace ulp::engine::cuda::testing
