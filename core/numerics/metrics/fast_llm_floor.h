#pragma once

namespace ulp::numerics {

/// Fast-LLM's CompareConfig.rms_eps: an absolute floor under the scale of the reference.
inline constexpr double kFastLlmFloor = 1e-4;

}  // namespace ulp::numerics
