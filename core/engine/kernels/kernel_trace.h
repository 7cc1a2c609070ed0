#pragma once

#include <functional>
#include <vector>

#include <c10/util/ApproximateClock.h>

#include "core/engine/kernels/kernel_rows.h"

namespace ulp::engine {

/// Watches which kernels this process launches on CUDA devices, through LibTorch's profiler
/// (Kineto, CUPTI), from construction to finish() or destruction. One at a time, both ends on one
/// thread; what other threads launch is seen as well.
class KernelTrace {
 public:
  /// Throws c10::Error where a profiler is running already.
  KernelTrace();
  ~KernelTrace();
  KernelTrace(const KernelTrace&) = delete;
  KernelTrace& operator=(const KernelTrace&) = delete;

  /// A moment, for finish() to translate. May be called from any thread.
  [[nodiscard]] static c10::approx_time_t now() { return c10::getApproximateTime(); }

  struct Seen {
    std::vector<KernelLaunch> launches;  ///< empty where CUPTI may not look: privileges, profilers
    /// From now() to the clock of `launches`.
    std::function<std::int64_t(c10::approx_time_t)> timeOf;
  };
  /// Waits for the device. Throws c10::Error.
  [[nodiscard]] Seen finish();

 private:
  c10::ApproximateClockToUnixTimeConverter m_clock;
  bool m_isRunning = false;
};

}  // namespace ulp::engine
