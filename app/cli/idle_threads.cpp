#include "app/cli/idle_threads.h"

#include <cstdlib>

namespace ulp::cli {

void limitIdleSpinning() {
  // Measured by tests/bench/study/busy_bench.py.
  constexpr const char* kSpinCount = "20000";
  // NOLINTBEGIN(concurrency-mt-unsafe)
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    ::setenv("GOMP_SPINCOUNT", kSpinCount, 0);
  }
  // NOLINTEND(concurrency-mt-unsafe)
}

}  // namespace ulp::cli
