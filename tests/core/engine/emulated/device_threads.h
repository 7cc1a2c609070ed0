#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

/// What kernels use of CUDA, on the CPU: the threads of a block take turns, each until it waits for
/// others. Included before any header of kernels, which then are C++ like any other.

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): CUDA's names.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#undef __global__
#undef __launch_bounds__
#define __global__
#define __launch_bounds__(...)

struct ThreadPlace {
  unsigned int x = 0;
  unsigned int y = 0;
  unsigned int z = 0;
};
extern ThreadPlace threadIdx;  ///< of the thread whose turn it is
extern ThreadPlace blockIdx;
extern ThreadPlace gridDim;

void __syncthreads();
void __syncwarp();
double __shfl_down_sync(std::uint32_t mask, double value, unsigned int by, int width);
std::uint32_t __reduce_max_sync(std::uint32_t mask, std::uint32_t value);
float __uint_as_float(std::uint32_t bits);

/// Copies that are made no sooner than they are waited for.
void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes);
void __pipeline_commit();
void __pipeline_wait_prior(int groups);

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace ulp::engine::cuda::testing {

/// In which order threads take their turns: warp after warp, each as far as it gets without the
/// others, from the first or from the last, or all threads of a block in turn in any order.
enum class Turns { Ascending, Descending, Shuffled };

/// Runs `kernel` in each thread, whole warps of them, of each of `blocks` blocks, one block after
/// another, in fresh shared memory that holds anything. Throws std::logic_error where threads wait
/// for each other for ever.
void runBlocks(unsigned int blocks,
               unsigned int threads,
               Turns turns,
               const std::function<void()>& kernel);

/// Runs one of them alone.
void runBlock(unsigned int block,
              unsigned int blocks,
              unsigned int threads,
              Turns turns,
              const std::function<void()>& kernel);

}  // namespace ulp::engine::cuda::testing
