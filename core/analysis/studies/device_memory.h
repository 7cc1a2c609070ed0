#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/analysis/studies/model_outline.h"
#include "core/analysis/studies/run_formats.h"
#include "core/base/memory/device_memory.h"
#include "core/study/reading/study.h"

namespace ulp::analysis {

/// What CUDA, its kernels and libraries keep of a device for themselves, past LibTorch, in bytes.
inline constexpr std::uint64_t kCudaOwnBytes = std::uint64_t{600} << 20;

/// What decides about it beside model and formats.
struct StepShape {
  std::int64_t batch = 1;   ///< sequences of a micro-batch
  std::int64_t length = 0;  ///< tokens of each
  std::uint64_t microBatches = 1;
  bool backward = true;
  bool hasParameterGradients = true;  ///< somebody looks at them, or an optimizer needs them
  bool hasOptimizer = false;
};

[[nodiscard]] MemoryParts deviceMemory(const ModelOutline& model,
                                       const StepShape& step,
                                       const RunFormats& formats);

/// Gives what each run of a study takes, by its name; nothing where a file of tokens decides how
/// long its sequences are.
[[nodiscard]] std::map<std::string, MemoryParts, std::less<>> deviceMemoryOfRuns(
    const ModelOutline& model, const study::Study& study);

/// Gives what the run takes that takes most.
[[nodiscard]] std::optional<MemoryParts> deviceMemory(const ModelOutline& model,
                                                      const study::Study& study);

}  // namespace ulp::analysis
