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
inline constexpr int kThreadsOfRun = kLanes / kLanesOfThread;
inline constexpr int kThreads = kRunsOfChunk * kThreadsOfRun;
inline constexpr int kRunsOfWarp = kWarp / kThreadsOfRun;
inline constexpr int kRowsOfRun = kRun / kLanes;
/// As many as their registers allow.
inline constexpr int kBlocksOfMultiprocessor = 4;
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

/// How many rows of a run a tile has: 8 to 10 KB of both tensors together.
template <class Reference, class Candidate>
constexpr int kRowsOfTile = sizeof(Reference) + sizeof(Candidate) <= 4    ? 8
                            : sizeof(Reference) + sizeof(Candidate) <= 10 ? 4
                                                                          : 2;

/// Rows of the eight runs of one warp, of one tensor. A row of padding lets the warp's threads read
/// without bank conflicts.
template <class Element, int kRows>
class WarpTile {
  static constexpr int kElementsOfUnit = kUnit / sizeof(Element);
  static constexpr int kUnitsOfRun = kRows * kLanes / kElementsOfUnit;
  /// Runs that the threads of a warp copy at a time.
  static constexpr int kRunsAtOnce = kWarp / kUnitsOfRun;
  static_assert(kWarp % kUnitsOfRun == 0 && kRunsOfWarp % kRunsAtOnce == 0);

 public:
  const __device__ Element* at(int run, int row, int lane) const {
    return m_elements + (run * (kRows + 1) + row) * kLanes + lane;
  }

  /// The first of what this thread copies, counted from the first element of run 0.
  __device__ static int ownPlace() {
    return threadOfWarp() / kUnitsOfRun * kRun + threadOfWarp() % kUnitsOfRun * kElementsOfUnit;
  }

  /// Starts copying. `from` is at the thread's own place, and aligned. All threads of the warp take
  /// part; each waits for its own copies, then for the warp.
  __device__ void copyWhole(const Element* from) {
    Element* const to = ownElements();
#pragma unroll
    for (int run = 0; run < kRunsOfWarp; run += kRunsAtOnce) {
      __pipeline_memcpy_async(to + run * (kRows + 1) * kLanes, from + run * kRun, kUnit);
    }
  }

  /// Copies from any address, `rest` elements before the end of the tensor; zeros follow it.
  __device__ void copyPart(const Element* from, std::int64_t rest) {
    Element* const to = ownElements();
#pragma unroll 1
    for (int run = 0; run < kRunsOfWarp; run += kRunsAtOnce) {
#pragma unroll 1
      for (int i = 0; i < kElementsOfUnit; ++i) {
        to[run * (kRows + 1) * kLanes + i] =
            run * kRun + i < rest ? from[run * kRun + i] : Element(0);
      }
    }
  }

 private:
  __device__ static int threadOfWarp() {
    return static_cast<int>(threadIdx.x) % kWarp;
  }
  __device__ Element* ownElements() {
    return m_elements + threadOfWarp() / kUnitsOfRun * (kRows + 1) * kLanes +
           threadOfWarp() % kUnitsOfRun * kElementsOfUnit;
  }

  alignas(kUnit) Element m_elements[kRunsOfWarp * (kRows + 1) * kLanes];
};

/// The tiles of a warp, one tile of both tensors after the other: those of its block's chunks.
template <class Reference, class Candidate>
class TileStream {
 public:
  static constexpr int kRows = kRowsOfTile<Reference, Candidate>;
  static constexpr int kTilesOfChunk = kRowsOfRun / kRows;
  struct Tile {
    WarpTile<Reference, kRows> reference;
    WarpTile<Candidate, kRows> candidate;
  };

  __device__ TileStream(const PairOnDevice<Reference, Candidate>& pair, int warp)
      : m_pair(pair),
        m_chunk(blockIdx.x),
        m_areAligned(reinterpret_cast<std::uintptr_t>(pair.reference) % kUnit == 0 &&
                     reinterpret_cast<std::uintptr_t>(pair.candidate) % kUnit == 0) {
    const std::uint64_t first =
        m_chunk * kChunk + static_cast<std::uint64_t>(warp * kRunsOfWarp * kRun);
    m_reference = pair.reference + first + decltype(Tile::reference)::ownPlace();
    m_candidate = pair.candidate + first + decltype(Tile::candidate)::ownPlace();
  }

  /// Starts copying the next tile, if there is one.
  __device__ void copyNext(Tile& to) {
    if (m_chunk < m_pair.count / kChunk && m_areAligned) {
      to.reference.copyWhole(m_reference);
      to.candidate.copyWhole(m_candidate);
    } else if (m_chunk < chunksOf(m_pair.count)) {
      const auto count = static_cast<std::int64_t>(m_pair.count);
      to.reference.copyPart(m_reference, count - (m_reference - m_pair.reference));
      to.candidate.copyPart(m_candidate, count - (m_candidate - m_pair.candidate));
    }
    // Also nothing: what is waited for is counted.
    __pipeline_commit();
    advance();
  }

 private:
  __device__ void advance() {
    std::int64_t step = kRows * kLanes;
    if (++m_tile == kTilesOfChunk) {
      m_tile = 0;
      m_chunk += gridDim.x;
      step += static_cast<std::int64_t>(gridDim.x * kChunk) - kRun;
    }
    m_reference += step;
    m_candidate += step;
  }

  const PairOnDevice<Reference, Candidate>& m_pair;
  const Reference* m_reference;  ///< what this thread copies next
  const Candidate* m_candidate;
  std::uint32_t m_chunk;
  int m_tile = 0;  ///< of the chunk
  bool m_areAligned;
};

/// What a thread reads of a tile, from its row on.
template <class Reference, class Candidate>
struct TileElements {
  const Reference* reference;
  const Candidate* candidate;

  __device__ void read(int row, double (&r)[kLanesOfThread], double (&v)[kLanesOfThread]) const {
    loadTwo(reference + row * kLanes, r);
    loadTwo(candidate + row * kLanes, v);
  }
  __device__ void read(int row, int lane, double& r, double& v) const {
    r = widen(reference[row * kLanes + lane]);
    v = widen(candidate[row * kLanes + lane]);
  }
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
__global__ void __launch_bounds__(kThreads, kBlocksOfMultiprocessor)
    compareChunks(PairOnDevice<Reference, Candidate> pair,
                  UlpScale scale,
                  std::uint32_t chunks,
                  Sums* sumsOfChunks,
                  double* largestOfChunks,
                  Totals* totals) {
  constexpr bool kWide = sizeof(Reference) == 8 || sizeof(Candidate) == 8;
  using Stream = TileStream<Reference, Candidate>;
  using Tile = typename Stream::Tile;
  __shared__ Tile tiles[kThreads / kWarp][kStages];
  __shared__ LaneSums laneSums;
  __shared__ BlockFindings findings;
  clear(findings);
  __syncthreads();

  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int thread = static_cast<int>(threadIdx.x) % kWarp;
  const int run = thread / kThreadsOfRun;
  const int lane = thread % kThreadsOfRun * kLanesOfThread;
  Tile* const stages = tiles[warp];
  Stream stream(pair, warp);
  for (int stage = 0; stage < kStages; ++stage) {
    stream.copyNext(stages[stage]);
  }
  int stage = 0;
  LanePass<kWide> pass(scale, findings);
  int turn = 0;
  for (std::uint32_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x, turn ^= 1) {
    Sums sums[kLanesOfThread];
    for (int tile = 0; tile < Stream::kTilesOfChunk; ++tile) {
      __pipeline_wait_prior(kStages - 1);
      __syncwarp();
      Tile& from = stages[stage];
      TileElements<Reference, Candidate> elements{from.reference.at(run, 0, lane),
                                                  from.candidate.at(run, 0, lane)};
      // In its first chunk a block learns most.
      if (chunk == blockIdx.x || tile == 0) {
        pass.refresh();
      }
#pragma unroll 1
      for (int row = 0; row < Stream::kRows; row += kRowsAtOnce) {
        pass.add(elements, sums, turn);
        elements.reference += kRowsAtOnce * kLanes;
        elements.candidate += kRowsAtOnce * kLanes;
      }
      __syncwarp();
      stream.copyNext(from);
      stage = (stage + 1) % kStages;
    }
    __syncthreads();  // the sums of the chunk before have been folded
    for (int i = 0; i < kLanesOfThread; ++i) {
      laneSums.put(warp * kRunsOfWarp + run, lane + i, sums[i]);
    }
    __syncthreads();
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
