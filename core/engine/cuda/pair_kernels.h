#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

#include "core/engine/cuda/result_layout.h"
#include "core/engine/device_comparer.h"

namespace ulp::engine::cuda {

/// The kernels for one pair of element types, as code knows them that nvcc does not compile.
struct PairKernels {
  const void* compare = nullptr;  ///< by which the CUDA runtime knows the one that compares
  int threads = 0;                ///< of each of its blocks
  std::size_t sharedBytes = 0;    ///< of each of its blocks
  /// Both enqueue on the pair's stream what works on `memory`, which lies on the device.
  cudaError_t (*startComparing)(const DevicePair& pair,
                                const ResultLayout& layout,
                                void* memory,
                                unsigned int blocks) = nullptr;
  cudaError_t (*startSearch)(const DevicePair& pair,
                             const ResultLayout& layout,
                             void* memory) = nullptr;
};

/// Error: Unsupported.
[[nodiscard]] Result<PairKernels> pairKernels(DType reference, DType candidate);

}  // namespace ulp::engine::cuda
