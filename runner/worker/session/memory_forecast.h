#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/base/memory/device_memory.h"

namespace ulp::worker {

/// What is known of the memory of a CUDA device before the first run of a study.
struct MemoryForecast {
  std::map<std::string, MemoryParts, std::less<>> runs;  ///< by their names; may lack some
  std::string warning;  ///< why there may be too little; empty: it seems enough
};

}  // namespace ulp::worker
