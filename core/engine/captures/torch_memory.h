#pragma once

#include "core/engine/device_comparer.h"

namespace ulp::engine {

/// Memory of LibTorch's caching allocators, of the device and of the host. Comparisons must be
/// started on the device's current stream.
[[nodiscard]] ComparerMemory torchMemory();

}  // namespace ulp::engine
