#pragma once

#include <cstdint>

#include "core/engine/cuda/tile_stream.cuh"
#include "core/engine/cuda/worst_search.h"

/// The kernel that finds the worst pairs when the largest |d| of each chunk is known.
namespace ulp::engine::cuda {

inline constexpr int kSearchThreads = 1024;

/// The largest of a warp's numbers, in all its threads.
__device__ inline std::uint32_t largestOfWarp(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(0xFFFFFFFFU, value);
#else
  for (int other = kWarp / 2; other > 0; other /= 2) {
    const std::uint32_t theirs = __shfl_xor_sync(0xFFFFFFFFU, value, other);
    value = theirs > value ? theirs : value;
  }
  return value;
#endif
}

/// The first of a warp's, in all its threads. Numbers that are not negative are ordered as their
/// bits are: their upper halves decide, then the lower ones, then the places.
__device__ inline Ranked firstOfWarp(const Ranked& own) {
  const std::uint64_t bits = bitsOf(own.value);
  const auto upper = static_cast<std::uint32_t>(bits >> 32);
  const std::uint32_t bestUpper = largestOfWarp(upper);
  const std::uint32_t lower = upper == bestUpper ? static_cast<std::uint32_t>(bits) : 0;
  const std::uint32_t bestLower = largestOfWarp(lower);
  const std::uint64_t best = std::uint64_t{bestUpper} << 32 | bestLower;
  // Of equal numbers the lowest place, which has the largest complement.
  const std::uint32_t place =
      ~largestOfWarp(bits == best ? ~static_cast<std::uint32_t>(own.place) : 0);
  return {doubleOf(best), static_cast<std::int32_t>(place)};
}

/// Calls found(rank, ranked) in all threads for each of the `wanted` largest of `count` values, as
/// many as there are, and returns the last one wanted.
template <class ValueAt, class Found>
__device__ Ranked
searchWorst(std::uint32_t count, int wanted, const ValueAt& valueAt, const Found& found) {
  static_assert(kSearchThreads == kWarp * kWarp);
  __shared__ Ranked bestOfWarps[2][kWarp];  // rounds take turns
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  Ranked own = bestAfter(beforeAll(), thread, kSearchThreads, count, valueAt);
  Ranked best;
  for (int rank = 0; rank < wanted; ++rank) {
    const Ranked ofWarp = firstOfWarp(own);
    if (thread % kWarp == 0) {
      bestOfWarps[rank % 2][thread / kWarp] = ofWarp;
    }
    __syncthreads();
    best = firstOfWarp(bestOfWarps[rank % 2][thread % kWarp]);
    if (best.value <= 0) {
      break;
    }
    found(rank, best);
    if (own.place == best.place) {
      own = bestAfter(best, thread, kSearchThreads, count, valueAt);
    }
  }
  return best;
}

/// Block k looks through the chunk with the k-th largest |d|: of the `wanted` worst pairs it may
/// hold those from the k-th on. They become worst[k * wanted …]; `flat` of others is the count.
template <class Reference, class Candidate>
__global__ void __launch_bounds__(kSearchThreads, 1)
    worstOfChunks(PairOnDevice<Reference, Candidate> pair,
                  std::int32_t chunks,
                  const double* largestOfChunks,
                  int wanted,
                  numerics::WorstElement* worst) {
  const int block = static_cast<int>(blockIdx.x);
  worst += block * wanted;
  for (int i = static_cast<int>(threadIdx.x); i < wanted; i += kSearchThreads) {
    worst[i] = {pair.count, 0, 0};
  }
  const Ranked chunk = searchWorst(
      chunks,
      block + 1,
      [&](std::int32_t place) { return largestOfChunks[place]; },
      [](int, const Ranked&) {});
  if (chunk.value <= 0) {
    return;
  }
  __syncthreads();
  const std::uint64_t begin = static_cast<std::uint64_t>(chunk.place) * kChunk;
  const std::uint64_t rest = pair.count - begin;
  searchWorst(
      static_cast<std::int32_t>(rest < kChunk ? rest : kChunk),
      wanted - block,
      [&](std::int32_t place) {
        return comparedMagnitude(widen(pair.reference[begin + static_cast<std::uint64_t>(place)]),
                                 widen(pair.candidate[begin + static_cast<std::uint64_t>(place)]));
      },
      [&](int rank, const Ranked& found) {
        if (threadIdx.x == 0) {
          const std::uint64_t flat = begin + static_cast<std::uint64_t>(found.place);
          worst[rank] = {flat, widen(pair.reference[flat]), widen(pair.candidate[flat])};
        }
      });
}

}  // namespace ulp::engine::cuda
