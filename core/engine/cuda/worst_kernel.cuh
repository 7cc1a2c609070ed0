#pragma once

#include <cstdint>

#include "core/engine/cuda/tile_stream.cuh"
#include "core/engine/cuda/worst_search.h"

/// The kernel that finds the worst pairs when the largest |d| of each chunk is known.
namespace ulp::engine::cuda {

inline constexpr int kSearchThreads = 512;

/// Calls found(rank, ranked) in all threads for each of the `wanted` largest of `count` values, as
/// many as there are, and returns the last one wanted.
template <class ValueAt, class Found>
__device__ Ranked
searchWorst(std::uint64_t count, int wanted, const ValueAt& valueAt, const Found& found) {
  __shared__ Ranked bestOfWarps[kSearchThreads / kWarp];
  const auto better = [](Ranked own) {
    for (int other = kWarp / 2; other > 0; other /= 2) {
      const Ranked theirs{__shfl_xor_sync(0xFFFFFFFFU, own.value, other),
                          __shfl_xor_sync(0xFFFFFFFFU, own.place, other)};
      own = isBefore(theirs, own) ? theirs : own;
    }
    return own;
  };
  Ranked own = bestAfter(nullptr, threadIdx.x, kSearchThreads, count, valueAt);
  Ranked best;
  for (int rank = 0; rank < wanted; ++rank) {
    const Ranked ofWarp = better(own);
    if (threadIdx.x % kWarp == 0) {
      bestOfWarps[threadIdx.x / kWarp] = ofWarp;
    }
    __syncthreads();
    best = better(bestOfWarps[threadIdx.x % (kSearchThreads / kWarp)]);
    __syncthreads();
    if (best.value <= 0) {
      break;
    }
    found(rank, best);
    if (own.place == best.place) {
      own = bestAfter(&best, threadIdx.x, kSearchThreads, count, valueAt);
    }
  }
  return best;
}

/// Block k looks through the chunk with the k-th largest |d|: of the `wanted` worst pairs it may
/// hold those from the k-th on. They become worst[k * wanted …]; `flat` of others is the count.
template <class Reference, class Candidate>
__global__ void __launch_bounds__(kSearchThreads)
    worstOfChunks(PairOnDevice<Reference, Candidate> pair,
                  std::uint64_t chunks,
                  const double* largestOfChunks,
                  int wanted,
                  numerics::WorstElement* worst) {
  const int block = static_cast<int>(blockIdx.x);
  worst += block * wanted;
  for (int i = static_cast<int>(threadIdx.x); i < wanted; i += kSearchThreads) {
    worst[i].flat = pair.count;
  }
  const Ranked chunk = searchWorst(
      chunks,
      block + 1,
      [&](std::uint64_t place) { return largestOfChunks[place]; },
      [](int, const Ranked&) {});
  if (chunk.value <= 0) {
    return;
  }
  __syncthreads();
  const std::uint64_t begin = chunk.place * kChunk;
  const std::uint64_t rest = pair.count - begin;
  searchWorst(
      rest < kChunk ? rest : kChunk,
      wanted - block,
      [&](std::uint64_t place) {
        return comparedMagnitude(widen(pair.reference[begin + place]),
                                 widen(pair.candidate[begin + place]));
      },
      [&](int rank, const Ranked& found) {
        if (threadIdx.x == 0) {
          const std::uint64_t flat = begin + found.place;
          worst[rank] = {flat, widen(pair.reference[flat]), widen(pair.candidate[flat])};
        }
      });
}

}  // namespace ulp::engine::cuda
