#pragma once

#include <cstdint>

#include <cuda_pipeline_primitives.h>

#include "core/engine/cuda/comparison_result.h"
#include "core/engine/cuda/element_loads.cuh"
#include "core/engine/cuda/lane_pass.h"
#include "core/engine/cuda/worst_search.h"

/// The kernels of the device comparer. Note [device order]: the sums of numerics::compare() are
/// followed exactly. A block takes one chunk at a time, a thread two neighbouring lanes of one of
/// its runs, so that threads need not talk until the runs are added, in order, at the chunk's end.
/// Elements come through shared memory, since what a thread needs lies apart and what memory gives
/// at once lies together.
namespace ulp::engine::cuda {

inline constexpr int kWarp = 32;
inline constexpr int kLanesOfThread = 2;
inline constexpr int kThreadsOfRun = kLanes / kLanesOfThread;
inline constexpr int kThreads = kRunsOfChunk * kThreadsOfRun;
inline constexpr int kRunsOfWarp = kWarp / kThreadsOfRun;
inline constexpr int kRowsOfRun = kRun / kLanes;
/// Tiles that are on their way while one is worked on.
inline constexpr int kStages = 2;
/// Bytes that are copied at a time.
inline constexpr int kUnit = 16;

/// Two tensors.
template <class Reference, class Candidate>
struct PairOnDevice {
  const Reference* reference;
  const Candidate* candidate;
  std::uint64_t count;
};

/// How many rows of a run a tile has: 8 KB of both tensors together.
template <class Reference, class Candidate>
constexpr int kRowsOfTile = sizeof(Reference) + sizeof(Candidate) <= 4   ? 8
                            : sizeof(Reference) + sizeof(Candidate) <= 8 ? 4
                                                                         : 2;

/// The rows of the eight runs of one warp, of one tensor. A row of padding lets the warp's threads
/// read without bank conflicts.
template <class Element, int kRows>
class WarpTile {
 public:
  const __device__ Element* at(int run, int row, int lane) const {
    return m_elements + (run * (kRows + 1) + row) * kLanes + lane;
  }

  /// Starts copying: run 0 begins at element `first` of `from`. Elements from `count` on become 0.
  /// All threads of the warp take part; each waits for its own copies, then for the warp.
  __device__ void load(const Element* from,
                       std::uint64_t first,
                       std::uint64_t count,
                       bool aligned) {
    constexpr int kElementsOfUnit = kUnit / sizeof(Element);
    constexpr int kUnitsOfRun = kRows * kLanes / kElementsOfUnit;
    constexpr int kUnits = kRunsOfWarp * kUnitsOfRun;
    static_assert(kRows * kLanes % kElementsOfUnit == 0);
    const int thread = static_cast<int>(threadIdx.x) % kWarp;
#pragma unroll
    for (int begin = 0; begin < kUnits; begin += kWarp) {
      const int unit = begin + thread;
      if (kUnits % kWarp != 0 && unit >= kUnits) {
        return;
      }
      const int run = unit / kUnitsOfRun;
      const int within = unit % kUnitsOfRun * kElementsOfUnit;
      const std::uint64_t element = first + static_cast<std::uint64_t>(run * kRun + within);
      Element* const to = m_elements + run * (kRows + 1) * kLanes + within;
      const std::uint64_t rest = element < count ? count - element : 0;
      if (aligned) {
        const int missing = rest < kElementsOfUnit ? (kElementsOfUnit - static_cast<int>(rest)) : 0;
        __pipeline_memcpy_async(
            to, rest > 0 ? from + element : from, kUnit, missing * sizeof(Element));
      } else {
        for (int i = 0; i < kElementsOfUnit; ++i) {
          to[i] = static_cast<std::uint64_t>(i) < rest ? from[element + i] : Element(0);
        }
      }
    }
  }

 private:
  alignas(kUnit) Element m_elements[kRunsOfWarp * (kRows + 1) * kLanes];
};

/// The sums of all lanes of all runs of a chunk, and how they become one.
struct LaneSums {
  double of[kSums][kRunsOfChunk][kLanes];

  __device__ void put(int run, int lane, const Sums& sums) {
    of[0][run][lane] = sums.squaredReference;
    of[1][run][lane] = sums.squaredCandidate;
    of[2][run][lane] = sums.product;
    of[3][run][lane] = sums.squaredDifference;
    of[4][run][lane] = sums.absoluteDifference;
    of[5][run][lane] = sums.ulp;
  }

  /// Threads 0 … 2 * kWarp - 1; sum `s` is written to result[s].
  __device__ void fold(double* result) const {
    const int sum = static_cast<int>(threadIdx.x) / kLanes;
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
    double total = 0;
    if (sum < kSums) {
#pragma unroll 8
      for (int run = 0; run < kRunsOfChunk; ++run) {
        total += of[sum][run][lane];
      }
    }
    // numerics::detail::sumOf()
    for (int half = kLanes / 2; half > 0; half /= 2) {
      total += __shfl_down_sync(0xFFFFFFFFU, total, half, kLanes);
    }
    if (sum < kSums && lane == 0) {
      result[sum] = total;
    }
  }
};

__device__ inline void clear(BlockFindings& findings) {
  auto* const words = reinterpret_cast<std::uint32_t*>(&findings);
  for (unsigned int i = threadIdx.x; i < sizeof(findings) / sizeof(std::uint32_t); i += kThreads) {
    words[i] = 0;
  }
}

__device__ inline void addAtomically(std::uint64_t& total, std::uint32_t count) {
  atomicAdd(reinterpret_cast<unsigned long long*>(&total), static_cast<unsigned long long>(count));
}

__device__ inline void addTo(Totals& totals, const BlockFindings& findings) {
  for (unsigned int bin = threadIdx.x; bin < numerics::kHistogramBins; bin += kThreads) {
    if (findings.histogram[bin] != 0) {
      addAtomically(totals.histogram[bin], findings.histogram[bin]);
    }
  }
  if (threadIdx.x < kPairKinds && findings.excluded[threadIdx.x] != 0) {
    addAtomically(totals.excluded[threadIdx.x], findings.excluded[threadIdx.x]);
  }
  if (threadIdx.x == 0) {
    raise(totals.largestRelative, findings.largestRelative);
    raise(totals.largestUlp, findings.largestUlp);
  }
}

/// Chunks blockIdx.x, blockIdx.x + gridDim.x …: their sums and largest |d|, and what the block
/// finds added to `totals`.
template <class Reference, class Candidate>
__global__ void __launch_bounds__(kThreads) compareChunks(PairOnDevice<Reference, Candidate> pair,
                                                          UlpScale scale,
                                                          std::uint64_t chunks,
                                                          Sums* sumsOfChunks,
                                                          double* largestOfChunks,
                                                          Totals* totals) {
  constexpr bool kWide = sizeof(Reference) == 8 || sizeof(Candidate) == 8;
  constexpr int kRows = kRowsOfTile<Reference, Candidate>;
  constexpr int kTilesOfChunk = kRowsOfRun / kRows;
  struct Tile {
    WarpTile<Reference, kRows> reference;
    WarpTile<Candidate, kRows> candidate;
  };
  __shared__ Tile tiles[kThreads / kWarp][kStages];
  __shared__ LaneSums laneSums;
  __shared__ BlockFindings findings;
  clear(findings);
  __syncthreads();

  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int thread = static_cast<int>(threadIdx.x) % kWarp;
  const int run = thread / kThreadsOfRun;
  const int lane = thread % kThreadsOfRun * kLanesOfThread;
  const bool referenceAligned = reinterpret_cast<std::uintptr_t>(pair.reference) % kUnit == 0;
  const bool candidateAligned = reinterpret_cast<std::uintptr_t>(pair.candidate) % kUnit == 0;
  const std::uint64_t ownChunks = (chunks - blockIdx.x + gridDim.x - 1) / gridDim.x;
  const std::uint64_t ownTiles = ownChunks * kTilesOfChunk;

  const auto load = [&](std::uint64_t tile) {
    if (tile < ownTiles) {
      const std::uint64_t chunk = blockIdx.x + tile / kTilesOfChunk * gridDim.x;
      const std::uint64_t first =
          chunk * kChunk +
          static_cast<std::uint64_t>(warp * kRunsOfWarp * kRun +
                                     static_cast<int>(tile % kTilesOfChunk) * kRows * kLanes);
      Tile& to = tiles[warp][tile % kStages];
      to.reference.load(pair.reference, first, pair.count, referenceAligned);
      to.candidate.load(pair.candidate, first, pair.count, candidateAligned);
    }
    // Also an empty one: what is waited for is counted.
    __pipeline_commit();
  };
  for (int stage = 0; stage < kStages; ++stage) {
    load(stage);
  }

  LanePass<kWide> pass(scale);
  std::uint64_t tile = 0;
  for (std::uint64_t own = 0; own < ownChunks; ++own) {
    const int turn = static_cast<int>(own % 2);
    Sums sums[kLanesOfThread];
    for (int tileOfChunk = 0; tileOfChunk < kTilesOfChunk; ++tileOfChunk, ++tile) {
      __pipeline_wait_prior(kStages - 1);
      __syncwarp();
      const Tile& from = tiles[warp][tile % kStages];
#pragma unroll 2
      for (int row = 0; row < kRows; ++row) {
        const TwoDoubles r = loadTwo(from.reference.at(run, row, lane));
        const TwoDoubles v = loadTwo(from.candidate.at(run, row, lane));
        pass.refresh(findings, turn);
        pass.add(r.first, v.first, sums[0], findings, turn);
        pass.add(r.second, v.second, sums[1], findings, turn);
      }
      __syncwarp();
      load(tile + kStages);
    }
    __syncthreads();  // the sums of the chunk before have been folded
    for (int i = 0; i < kLanesOfThread; ++i) {
      laneSums.put(warp * kRunsOfWarp + run, lane + i, sums[i]);
    }
    __syncthreads();
    const std::uint64_t chunk = blockIdx.x + own * gridDim.x;
    if (threadIdx.x < 2 * kWarp) {
      laneSums.fold(reinterpret_cast<double*>(sumsOfChunks + chunk));
    }
    if (threadIdx.x == 0) {
      largestOfChunks[chunk] = sharedValue(findings.largestOfChunk[turn]);
      findings.largestOfChunk[turn] = 0;
    }
  }
  __syncthreads();
  addTo(*totals, findings);
}

inline constexpr int kSearchThreads = 512;

/// Calls found(rank, ranked) in all threads for each of the `wanted` largest of `count` values, as
/// many as there are.
template <class ValueAt, class Found>
__device__ void searchWorst(std::uint64_t count,
                            int wanted,
                            const ValueAt& valueAt,
                            const Found& found) {
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
  for (int rank = 0; rank < wanted; ++rank) {
    const Ranked ofWarp = better(own);
    if (threadIdx.x % kWarp == 0) {
      bestOfWarps[threadIdx.x / kWarp] = ofWarp;
    }
    __syncthreads();
    const Ranked best = better(bestOfWarps[threadIdx.x % (kSearchThreads / kWarp)]);
    __syncthreads();
    if (best.value <= 0) {
      return;
    }
    found(rank, best);
    if (own.place == best.place) {
      own = bestAfter(&best, threadIdx.x, kSearchThreads, count, valueAt);
    }
  }
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
  std::uint64_t chunk = chunks;
  searchWorst(
      chunks,
      block + 1,
      [&](std::uint64_t place) { return largestOfChunks[place]; },
      [&](int rank, const Ranked& found) { chunk = rank == block ? found.place : chunk; });
  if (chunk == chunks) {
    return;
  }
  __syncthreads();
  const std::uint64_t begin = chunk * kChunk;
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
