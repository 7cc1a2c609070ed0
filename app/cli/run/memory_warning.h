#pragma once

#include <cstdint>

#include "core/study/reading/study.h"
#include "runner/worker/session/memory_forecast.h"

namespace ulp::cli {

/// Tells what the runs of a study are going to take of a CUDA device, and warns where so much free
/// memory may be too little, with what takes how much and the way out. Empty: nothing can be told
/// of this model or input.
[[nodiscard]] worker::MemoryForecast forecastMemory(const study::Study& study,
                                                    std::uint64_t freeBytes);

}  // namespace ulp::cli
