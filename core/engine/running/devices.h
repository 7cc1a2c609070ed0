#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/engine.h"

namespace ulp::engine {

/// The devices of this machine. CUDA is found at run time: LibTorch's CUDA half is opened when a
/// CUDA device is listed or asked for, never before. Thread-safe.
class Devices {
 public:
  [[nodiscard]] std::vector<DeviceInfo> list();
  /// "cpu", "cuda", "cuda:1". Errors: InvalidArgument (another word), Device (no such device, or
  /// CUDA asked for after a run on the CPU: LibTorch counts its devices at the first backward
  /// pass).
  [[nodiscard]] Result<at::Device> resolve(std::string_view name);

  /// Tells whether an error of the device is one that no context gets over, such as an illegal
  /// access of a kernel: every later call of this process then fails with it. Waits for the device.
  [[nodiscard]] static bool isLost(const at::Device& device);
  /// Gives memory back that LibTorch keeps for later: of the device, and page-locked memory.
  static void releaseUnused(const at::Device& device);
  /// Waits until the device has done all its work.
  static void synchronize(const at::Device& device);
  static void resetPeak(const at::Device& device);
  /// Gives the peak of the device's memory since resetPeak(); on the CPU, that of the process since
  /// its start.
  [[nodiscard]] static std::uint64_t peakBytes(const at::Device& device);
  /// Gives what LibTorch has given out on a CUDA device; 0 of the CPU.
  [[nodiscard]] static std::uint64_t allocatedBytes(const at::Device& device);
  /// Gives the most that LibTorch has taken from the driver since resetPeak(); 0 of the CPU.
  [[nodiscard]] static std::uint64_t reservedPeakBytes(const at::Device& device);
  /// Gives what a run on a CUDA device can get: what the driver has, and what LibTorch keeps of
  /// freed memory.
  [[nodiscard]] static std::uint64_t freeBytes(const at::Device& device);

 private:
  /// Opens LibTorch's CUDA half once. Errors: Device, with the reason.
  [[nodiscard]] Result<> loadCuda();

  std::mutex m_mutex;
  bool m_cudaTried = false;
  std::string m_cudaProblem;
  bool m_cpuUsed = false;
};

}  // namespace ulp::engine
