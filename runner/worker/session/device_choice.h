#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"

namespace ulp::worker {

struct DeviceChoice {
  engine::DeviceInfo device;
  std::string warning;  ///< why auto passed over a CUDA device; empty: it did not
};

/// Tells whether an id is that of a CUDA device, or of several with one among them: cuda, cuda:N,
/// cpu+cuda:0.
[[nodiscard]] bool isCuda(std::string_view device);

/// Tells whether one of the devices that an id names is the CPU: cpu, cuda:0+cpu.
[[nodiscard]] bool isOnCpu(std::string_view device);

/// The UUIDs of cuda:0, cuda:1, …; empty: there is none, or one is not known.
[[nodiscard]] std::vector<std::string> cudaUuids(const std::vector<engine::DeviceInfo>& devices);

/// The device that a study runs on. `wanted` is auto (the first CUDA device that the engine has
/// nothing to note about, else the CPU), cpu, cuda (the first), cuda:N or several of them with +
/// between them, which then count as one; a named device is never replaced. Errors: NotFound with
/// the devices that there are, and why one of them cannot be used.
[[nodiscard]] Result<DeviceChoice> chooseDevice(const std::vector<engine::DeviceInfo>& devices,
                                                std::string_view wanted);

}  // namespace ulp::worker
