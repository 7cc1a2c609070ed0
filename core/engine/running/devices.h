#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/placement/layer_devices.h"

namespace ulp::engine {

/// The devices of this machine. CUDA is found at run time: LibTorch's CUDA half is opened when a
/// CUDA device is listed or asked for, never before. Thread-safe.
class Devices {
 public:
  [[nodiscard]] std::vector<DeviceInfo> list();
  /// "cpu", "cuda", "cuda:1", or several as "cuda:0+cuda:1", which may stand there twice. Errors:
  /// InvalidArgument (another word), Device (no such device, or CUDA asked for after a run on the
  /// CPU: LibTorch counts its devices at the first backward pass).
  [[nodiscard]] Result<std::vector<at::Device>> resolve(std::string_view names);

  /// Tells whether an error of a device is one that no context gets over, such as an illegal
  /// access of a kernel: every later call of this process then fails with it. Waits for the
  /// devices.
  [[nodiscard]] static bool areLost(const LayerDevices& devices);
  /// Gives memory back that LibTorch keeps for later: of CUDA devices, and page-locked memory.
  static void releaseUnused(const LayerDevices& devices);
  /// Waits until the devices have done all their work.
  static void synchronize(const LayerDevices& devices);
  static void resetPeak(const LayerDevices& devices);
  /// Gives the peak of each CUDA device's memory since resetPeak(), all together; where there is
  /// none, that of the process since its start.
  [[nodiscard]] static std::uint64_t peakBytes(const LayerDevices& devices);
  /// Gives what LibTorch has given out on CUDA devices.
  [[nodiscard]] static std::uint64_t allocatedBytes(const LayerDevices& devices);
  /// Gives the most that LibTorch has taken from the driver since resetPeak(), of all CUDA devices.
  [[nodiscard]] static std::uint64_t reservedPeakBytes(const LayerDevices& devices);
  /// Gives what a run can get of CUDA devices (LayerDevices::asOfTheLeast()): what the driver has,
  /// and what LibTorch keeps of freed memory.
  [[nodiscard]] static std::uint64_t freeBytes(const LayerDevices& devices);

 private:
  [[nodiscard]] Result<at::Device> resolveOne(std::string_view name);
  /// Opens LibTorch's CUDA half once. Errors: Device, with the reason.
  [[nodiscard]] Result<> loadCuda();

  std::mutex m_mutex;
  bool m_cudaTried = false;
  std::string m_cudaProblem;
  bool m_cpuUsed = false;
};

}  // namespace ulp::engine
