#pragma once

#include <c10/util/Exception.h>

#include "core/base/error.h"
#include "core/engine/placement/layer_devices.h"

namespace ulp::engine {

/// Says what an exception of LibTorch that ended a run on `devices` means to the user: OutOfMemory,
/// Unsupported, else Internal.
[[nodiscard]] Error runError(const c10::Error& e, const LayerDevices& devices);

/// Says that a run failed with `cause` and left devices that this process cannot use any more
/// (Devices::areLost()): Device.
[[nodiscard]] Error lostDevice(const LayerDevices& devices, const Error& cause);

}  // namespace ulp::engine
