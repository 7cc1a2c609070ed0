#include "core/engine/precision/torch_team.h"

#include <ATen/Parallel.h>

namespace ulp::engine {

void TorchTeam::run(const std::function<void()>& job) {
#ifndef _OPENMP
#error "compile this file with OpenMP: else the job runs on one thread, unnoticed"
#endif
#pragma omp parallel num_threads(at::get_num_threads())
  job();
}

}  // namespace ulp::engine
