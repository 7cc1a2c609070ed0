#pragma once

#include "core/study/reading/study.h"

namespace ulp::study {

/// Tells whether a reference of these effective settings computes its attention by the plain SDPA
/// (`sdpa_math`) on a CUDA device: it is in float32 or wider, and nobody chose another one.
[[nodiscard]] bool takesExactAttention(const Settings& settings);

}  // namespace ulp::study
