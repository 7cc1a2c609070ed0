#pragma once

#include <cstdint>
#include <string>

#include "core/study/reading/study.h"

namespace ulp::cli {

/// Says why so much free memory of a CUDA device may be too little for a study, with what takes how
/// much and the way out. Empty: it seems enough, or nothing can be told of this model or input.
[[nodiscard]] std::string warnOfMemory(const study::Study& study, std::uint64_t freeBytes);

}  // namespace ulp::cli
