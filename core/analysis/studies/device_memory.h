#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/studies/model_outline.h"
#include "core/analysis/studies/run_formats.h"
#include "core/study/reading/study.h"

namespace ulp::analysis {

/// What a run takes of the memory of a CUDA device, in bytes. From shapes: the device may take a
/// tenth more or less, besides what captures take that stay there because there is room.
struct DeviceMemory {
  std::uint64_t weights = 0;      ///< as they are cast
  std::uint64_t gradients = 0;    ///< of the weights
  std::uint64_t activations = 0;  ///< that the backward pass needs, else those of one layer
  std::uint64_t workspace = 0;    ///< logits and loss, or a step of the optimizer; libraries

  [[nodiscard]] std::uint64_t total() const {
    return weights + gradients + activations + workspace;
  }
};

/// What decides about it beside model and formats.
struct StepShape {
  std::int64_t batch = 1;   ///< sequences of a micro-batch
  std::int64_t length = 0;  ///< tokens of each
  std::uint64_t microBatches = 1;
  bool backward = true;
  bool hasParameterGradients = true;  ///< somebody looks at them, or an optimizer needs them
  bool hasOptimizer = false;
};

[[nodiscard]] DeviceMemory deviceMemory(const ModelOutline& model,
                                        const StepShape& step,
                                        const RunFormats& formats);

/// Gives what the run of a study takes that takes most; nothing where a file of tokens decides how
/// long its sequences are.
[[nodiscard]] std::optional<DeviceMemory> deviceMemory(const ModelOutline& model,
                                                       const study::Study& study);

}  // namespace ulp::analysis
