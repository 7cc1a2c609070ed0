#pragma once

#include <memory>

#include "core/engine/device_comparer.h"

/// Entry point of libulpscope_cuda.so.
extern "C" __attribute__((visibility("default"))) void ulpscopeCreateDeviceComparer(
    ulp::engine::ComparerMemory memory, std::unique_ptr<ulp::engine::DeviceComparer>* comparer);

namespace ulp::engine::cuda {
inline constexpr const char* kPluginName = "libulpscope_cuda.so";
inline constexpr const char* kPluginSymbol = "ulpscopeCreateDeviceComparer";
}  // namespace ulp::engine::cuda
