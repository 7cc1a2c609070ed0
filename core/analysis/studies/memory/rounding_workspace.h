#pragma once

#include <cstdint>

#include "core/numerics/rounding/number_format.h"

namespace ulp::analysis {

/// What rounding so many float32 numbers to a format takes on a CUDA device beside them and the
/// result, in bytes, as core/engine/precision/quantize_operations.cpp does it: a piece after the
/// other.
[[nodiscard]] std::uint64_t roundingWorkspace(numerics::NumberFormat format,
                                              std::uint64_t count,
                                              bool isStochastic);

}  // namespace ulp::analysis
