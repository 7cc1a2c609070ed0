#pragma once

#include <cstdint>

#include "core/engine/cuda/tile_stream.cuh"

/// The kernel that compares. Note [device order]: the sums of numerics::compare() are followed
/// exactly. A block takes one chunk at a time, a thread two neighbouring lanes of one of its runs,
/// so that threads need not talk until the runs are added, in order, at the chunk's end.
namespace ulp::engine::cuda {

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

}  // namespace ulp::engine::cuda
