#pragma once

#include "core/engine/device_comparer.h"

namespace ulp::engine::cuda {

/// See DeviceComparer::prove().
[[nodiscard]] Result<> proveComparer(DeviceComparer& comparer,
                                     const ComparerMemory& memory,
                                     int device);

}  // namespace ulp::engine::cuda
