#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/placement/layer_devices.h"
#include "core/engine/precision/attention_backends.h"

namespace ulp::engine {

/// What a plan asks of LibTorch as a whole, from construction to destruction: the choice of
/// attention kernels, precision and reductions of matrix products, deterministic kernels, threads.
/// Afterwards everything is as it was, so that no run changes the next one.
class RunSettings {
 public:
  RunSettings(const PrecisionPlan& plan, const LayerDevices& devices);
  ~RunSettings();
  RunSettings(const RunSettings&) = delete;
  RunSettings& operator=(const RunSettings&) = delete;

 private:
  void chooseAttention(const PrecisionPlan& plan);
  void chooseProducts(const PrecisionPlan& plan);
  void chooseDeterministic();
  void chooseThreads(int threads);
  /// Autograd has a thread for each device, so that hooks of two devices could run at once.
  void chooseOneBackwardThread();

  std::optional<AttentionBackends> m_backends;
  std::vector<std::function<void()>> m_undo;  ///< in the order of what they undo
};

}  // namespace ulp::engine
