#pragma once

#include <c10/core/Device.h>
#include <c10/util/Exception.h>

#include "core/base/error.h"

namespace ulp::engine {

/// Says what an exception of LibTorch that ended a run on `device` means to the user: OutOfMemory,
/// Unsupported, else Internal.
[[nodiscard]] Error runError(const c10::Error& e, const c10::Device& device);

/// Says that a run failed with `cause` and left a device that this process cannot use any more
/// (Devices::isLost()): Device.
[[nodiscard]] Error lostDevice(const c10::Device& device, const Error& cause);

}  // namespace ulp::engine
