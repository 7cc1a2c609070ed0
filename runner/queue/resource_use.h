#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ulp::queue {

/// What the GPU of a job does, as the driver tells.
struct GpuUse {
  /// Of the worker alone; nothing where the driver does not know it by its process id (containers).
  std::optional<std::uint64_t> processBytes;
  std::uint64_t usedBytes = 0;        ///< by everybody
  std::uint64_t totalBytes = 0;       ///< of the device
  std::optional<double> utilization;  ///< share of the last moments in which it computed, 0 … 1
};

/// The driver's management library (NVML), opened when it is first asked: no program needs it to
/// start. Not thread-safe.
class GpuMonitor {
 public:
  GpuMonitor();
  ~GpuMonitor();
  GpuMonitor(const GpuMonitor&) = delete;
  GpuMonitor& operator=(const GpuMonitor&) = delete;

  /// Reads the use of the GPU on which the process `pid` computes, else of the one that `device`
  /// ("cuda:0", "GPU-…") names; of several ("cuda:0+cuda:1") their sum, and the utilization of the
  /// busiest.
  /// Nothing: no such device, one of which nobody knows which card it is (cudaDevices()), no
  /// driver, or a driver that does not tell.
  [[nodiscard]] std::optional<GpuUse> use(std::string_view device, std::int64_t pid);
  /// What cuda:0, cuda:1, … are, in this order: "NVIDIA H100 80GB HBM3"; a name is empty where
  /// nobody knows which card it is. `uuids`: theirs as a worker told them; empty: none did. Empty:
  /// none is visible, or no driver tells.
  [[nodiscard]] std::vector<std::string> deviceNames(const std::vector<std::string>& uuids = {});

 private:
  class Library;

  /// Null: there is none.
  [[nodiscard]] Library* library();

  std::unique_ptr<Library> m_library;
  bool m_isOpened = false;
};

}  // namespace ulp::queue
