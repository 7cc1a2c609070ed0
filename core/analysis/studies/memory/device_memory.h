#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/analysis/studies/model_outline.h"
#include "core/base/memory/device_memory.h"
#include "core/study/reading/study.h"

namespace ulp::analysis {

/// What CUDA, its kernels and libraries keep of a device for themselves, past LibTorch, in bytes.
inline constexpr std::uint64_t kCudaOwnBytes = std::uint64_t{600} << 20;

/// In how many pieces a run may go through the model to be planned: each takes as long to follow as
/// a run in one.
inline constexpr std::uint64_t kMostPieces = 1024;

/// What each run of a study takes of a CUDA device at its peak, by its name.
using MemoryOfRuns = std::map<std::string, MemoryParts, std::less<>>;

/// Follows what the native engine does with a model of this outline; `room` is what LibTorch can
/// get of the device, which decides how many of the reference's captures stay there. Empty where a
/// file of tokens decides how long the sequences are, or the reference goes through the model in
/// more than kMostPieces; such a variant is left out.
[[nodiscard]] MemoryOfRuns deviceMemory(const ModelOutline& model,
                                        const study::Study& study,
                                        std::uint64_t room);

struct LargestRun {
  std::string run;
  MemoryParts memory;
};

/// Nothing: there are no runs.
[[nodiscard]] std::optional<LargestRun> largestOf(const MemoryOfRuns& runs);

}  // namespace ulp::analysis
