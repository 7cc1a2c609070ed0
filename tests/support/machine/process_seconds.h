#pragma once

#include <ctime>

namespace ulp::test {

/// Processor time of all threads of this process: what a step takes at most where nothing else
/// runs.
inline double processSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + (static_cast<double>(now.tv_nsec) * 1e-9);
}

}  // namespace ulp::test
