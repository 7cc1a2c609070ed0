#pragma once

#include <cstdint>

#include "core/engine/cuda/tile_stream.cuh"
#include "core/engine/cuda/warp_reductions.cuh"
#include "core/engine/cuda/worst_search.h"

/// The kernel that finds the worst pairs when the largest |d| of each chunk is known.
namespace ulp::engine::cuda {

inline constexpr int kSearchThreads = 1024;

/// The first of a warp's, in all its threads.
__device__ inline Ranked firstOfWarp(const Ranked& own) {
  const double best = largestOfWarp(own.value);
  // Of equal numbers the lowest place, which has the largest complement.
  const std::uint32_t place =
      ~largestOfWarp(own.value == best ? ~static_cast<std::uint32_t>(own.place) : 0U);
  return {best, static_cast<std::int32_t>(place)};
}

/// The shared memory of a block that searches.
struct SearchMemory {
  Ranked bestOfWarps[2][kWarp];  ///< rounds take turns
};

/// Calls found(rank, ranked) in all threads for each of the `wanted` largest of a sequence, as many
/// as there are, and returns the last one wanted. `bestAfterOwn(ranked)` gives the first of the
/// thread's own that comes after it.
template <class BestAfterOwn, class Found>
__device__ Ranked searchWorst(SearchMemory& memory,
                              int wanted,
                              const BestAfterOwn& bestAfterOwn,
                              const Found& found) {
  static_assert(kSearchThreads == kWarp * kWarp);
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  Ranked best = beforeAll();
  Ranked own = best;
  for (int rank = 0; rank < wanted; ++rank) {
    if (own.place == best.place) {
      own = bestAfterOwn(best);
    }
    const Ranked ofWarp = firstOfWarp(own);
    if (thread % kWarp == 0) {
      memory.bestOfWarps[rank % 2][thread / kWarp] = ofWarp;
    }
    __syncthreads();
    best = firstOfWarp(memory.bestOfWarps[rank % 2][thread % kWarp]);
    if (best.value <= 0) {
      break;
    }
    found(rank, best);
  }
  return best;
}

/// Block k looks through the chunk with the k-th largest |d|: of the `wanted` worst pairs it may
/// hold those from the k-th on. Takes a SearchMemory of shared memory. They become worst[k * wanted
/// …]; `flat` of others is the count.
template <class Reference, class Candidate>
__global__ void __launch_bounds__(kSearchThreads, 1)
    worstOfChunks(PairOnDevice<Reference, Candidate> pair,
                  std::int32_t chunks,
                  const double* largestOfChunks,
                  int wanted,
                  numerics::WorstElement* worst) {
  extern __shared__ uint4 memoryOfBlock[];
  auto& memory = *reinterpret_cast<SearchMemory*>(memoryOfBlock);
  const int block = static_cast<int>(blockIdx.x);
  worst += block * wanted;
  for (int i = static_cast<int>(threadIdx.x); i < wanted; i += kSearchThreads) {
    worst[i] = {pair.count, 0, 0};
  }
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const Ranked chunk = searchWorst(
      memory,
      block + 1,
      [&](const Ranked& last) {
        return bestAfter(last, thread, kSearchThreads, chunks, [&](std::int32_t place) {
          return largestOfChunks[place];
        });
      },
      [](int, const Ranked&) {});
  if (chunk.value <= 0) {
    return;
  }
  __syncthreads();
  const std::uint64_t begin = static_cast<std::uint64_t>(chunk.place) * kChunk;
  const std::uint64_t rest = pair.count - begin;
  // A thread's part of the chunk is read once.
  ValuesAhead<kChunk / kSearchThreads> magnitudes(
      thread,
      kSearchThreads,
      static_cast<std::int32_t>(rest < kChunk ? rest : kChunk),
      [&](std::int32_t place) {
        const std::uint64_t flat = begin + static_cast<std::uint64_t>(place);
        return comparedMagnitude(widen(pair.reference[flat]), widen(pair.candidate[flat]));
      });
  searchWorst(
      memory,
      wanted - block,
      [&](const Ranked& last) {
        magnitudes.drop(last.place);
        return magnitudes.first();
      },
      [&](int rank, const Ranked& found) {
        if (threadIdx.x == 0) {
          const std::uint64_t flat = begin + static_cast<std::uint64_t>(found.place);
          worst[rank] = {flat, widen(pair.reference[flat]), widen(pair.candidate[flat])};
        }
      });
}

}  // namespace ulp::engine::cuda
