#pragma once

#include <cstdint>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "core/engine/cuda/pair_accumulator.h"

namespace ulp::engine::cuda {

inline constexpr std::uint64_t kChunk = numerics::Comparer::kChunkElements;
/// Threads of a block; their accumulators and one histogram fit into the shared memory of every
/// GPU.
inline constexpr int kThreads = 128;
static_assert(kThreads * sizeof(PairAccumulator) + numerics::kHistogramBins * 4 < 48 * 1024);

__device__ inline double widen(double value) {
  return value;
}
__device__ inline double widen(float value) {
  return static_cast<double>(value);
}
__device__ inline double widen(__half value) {
  return static_cast<double>(__half2float(value));
}
__device__ inline double widen(__nv_bfloat16 value) {
  return static_cast<double>(__bfloat162float(value));
}

/// The accumulators of a block. Plain bytes: a variable in shared memory cannot be constructed.
struct BlockParts {
  alignas(PairAccumulator) unsigned char bytes[kThreads * sizeof(PairAccumulator)];
  __device__ PairAccumulator* parts() { return reinterpret_cast<PairAccumulator*>(bytes); }
};

/// Adds `own` of all threads of the block, always in the same order; the result is in parts[0].
__device__ inline void combineBlock(PairAccumulator* parts, const PairAccumulator& own) {
  parts[threadIdx.x] = own;
  __syncthreads();
  for (unsigned int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      parts[threadIdx.x].combine(parts[threadIdx.x + half]);
    }
    __syncthreads();
  }
}

/// One block a chunk: its accumulator into partials[chunk], its histogram added to `histogram`
/// (integers, so that the order of the atomics does not matter).
template <class Reference, class Candidate>
__global__ void compareChunks(const Reference* reference,
                              const Candidate* candidate,
                              std::uint64_t count,
                              UlpGrid grid,
                              PairAccumulator* partials,
                              unsigned long long* histogram) {
  __shared__ BlockParts storage;
  PairAccumulator* parts = storage.parts();
  __shared__ std::uint32_t bins[numerics::kHistogramBins];
  for (unsigned int bin = threadIdx.x; bin < numerics::kHistogramBins; bin += kThreads) {
    bins[bin] = 0;
  }
  __syncthreads();
  const std::uint64_t begin = blockIdx.x * kChunk;
  const std::uint64_t end = begin + kChunk < count ? begin + kChunk : count;
  PairAccumulator own;
  for (std::uint64_t i = begin + threadIdx.x; i < end; i += kThreads) {
    const int bin = own.add(widen(reference[i]), widen(candidate[i]), i, grid);
    if (bin >= 0) {
      atomicAdd(&bins[bin], 1U);
    }
  }
  combineBlock(parts, own);
  for (unsigned int bin = threadIdx.x; bin < numerics::kHistogramBins; bin += kThreads) {
    if (bins[bin] != 0) {
      atomicAdd(&histogram[bin], static_cast<unsigned long long>(bins[bin]));
    }
  }
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = parts[0];
  }
}

/// One block a listed chunk: its `wanted` pairs of largest |d|, in order, into worst[block * wanted
/// …]. Places beyond the number of compared pairs keep position == count.
template <class Reference, class Candidate>
__global__ void worstOfChunks(const Reference* reference,
                              const Candidate* candidate,
                              std::uint64_t count,
                              const std::uint64_t* chunks,
                              int wanted,
                              numerics::WorstElement* worst) {
  __shared__ BlockParts storage;
  PairAccumulator* parts = storage.parts();
  const std::uint64_t begin = chunks[blockIdx.x] * kChunk;
  const std::uint64_t end = begin + kChunk < count ? begin + kChunk : count;
  double lastMagnitude = 0;
  std::uint64_t lastPosition = count;  // nothing found yet
  for (int rank = 0; rank < wanted; ++rank) {
    PairAccumulator own;
    for (std::uint64_t i = begin + threadIdx.x; i < end; i += kThreads) {
      const double r = widen(reference[i]);
      const double v = widen(candidate[i]);
      if (!isFiniteNumber(r) || !isFiniteNumber(v)) {
        continue;
      }
      const double magnitude = magnitudeOf(v - r);
      const bool after = lastPosition == count || magnitude < lastMagnitude ||
                         (magnitude == lastMagnitude && i > lastPosition);
      if (after) {
        own.offer(magnitude, i);
      }
    }
    combineBlock(parts, own);
    if (parts[0].maxAbsolute <= 0) {
      return;
    }
    lastMagnitude = parts[0].maxAbsolute;
    lastPosition = parts[0].maxPosition;
    if (threadIdx.x == 0) {
      worst[blockIdx.x * wanted + rank] = {
          lastPosition, widen(reference[lastPosition]), widen(candidate[lastPosition])};
    }
    __syncthreads();
  }
}

}  // namespace ulp::engine::cuda
