#pragma once

#include <cstdint>

#include "core/engine/cuda/tile_stream.cuh"
#include "core/engine/cuda/warp_reductions.cuh"

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

/// The shared memory of a block.
template <class Reference, class Candidate>
struct BlockMemory {
  typename TileStream<Reference, Candidate>::Tile tiles[kWarps][kStages];
  HistogramWindow window;
  LaneSums laneSums;
  double largestOfWarps[kWarps];  ///< |d| of the chunk
  BlockFindings findings;

  __device__ void clear() {
    for (int row = 0; row < static_cast<int>(HistogramWindow::kBins); row += kWarps) {
      window.counts[row + static_cast<int>(threadIdx.x) / kWarp][threadIdx.x % kWarp] = 0;
    }
    if (threadIdx.x < sizeof(findings) / sizeof(std::uint32_t)) {
      reinterpret_cast<std::uint32_t*>(&findings)[threadIdx.x] = 0;
    }
  }

  __device__ double largest() const {
    double most = largestOfWarps[0];
    for (int warp = 1; warp < kWarps; ++warp) {
      most = largestOfWarps[warp] > most ? largestOfWarps[warp] : most;
    }
    return most;
  }
};

__device__ inline void addTo(Totals& totals, const BlockFindings& found) {
  if (threadIdx.x < kPairKinds && found.excluded[threadIdx.x] != 0) {
    addCount(totals.excluded[threadIdx.x], found.excluded[threadIdx.x]);
  }
  if (threadIdx.x == 0) {
    raise(totals.largestRelative, found.largestRelative);
    raise(totals.largestUlp, found.largestUlp);
  }
}

/// The largest |d| of the warp's first pairs, which tells where others will lie.
template <class Reference, class Candidate>
__device__ double firstLargest(const TileElements<Reference, Candidate>& elements) {
  double largest = 0;
  for (int lane = 0; lane < kLanesOfThread; ++lane) {
    double reference = 0;
    double candidate = 0;
    elements.read(0, lane, reference, candidate);
    const double magnitude = comparedMagnitude(reference, candidate);
    largest = magnitude > largest ? magnitude : largest;
  }
  return largestOfWarp(largest);
}

/// A window that moves must not come back at once: so many bins nearer or farther it stays.
inline constexpr std::uint32_t kWindowSlack = 12;

/// Chunks blockIdx.x, blockIdx.x + gridDim.x …: their sums and largest |d|, and what the block
/// finds added to `totals`. Takes a BlockMemory of shared memory.
template <class Reference, class Candidate>
__global__ void __launch_bounds__(kThreads, kBlocksOfMultiprocessor)
    compareChunks(PairOnDevice<Reference, Candidate> pair,
                  UlpScale scale,
                  std::uint32_t chunks,
                  Sums* sumsOfChunks,
                  double* largestOfChunks,
                  Totals* totals) {
  static_assert(kThreads == HistogramWindow::kBins);
  constexpr bool kWide = sizeof(Reference) == 8 || sizeof(Candidate) == 8;
  using Stream = TileStream<Reference, Candidate>;
  using Elements = TileElements<Reference, Candidate>;
  static_assert(Stream::kTilesOfChunk % kStages == 0);
  extern __shared__ uint4 memoryOfBlock[];
  auto& memory = *reinterpret_cast<BlockMemory<Reference, Candidate>*>(memoryOfBlock);
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int thread = static_cast<int>(threadIdx.x) % kWarp;
  const int run = thread / kThreadsOfRun;
  const int lane = thread % kThreadsOfRun * kLanesOfThread;
  auto* const stages = memory.tiles[warp];
  const auto elementsOf = [&](int stage) {
    return Elements{stages[stage].reference.at(run, 0, lane),
                    stages[stage].candidate.at(run, 0, lane)};
  };
  Stream stream(pair, warp);
  for (int stage = 0; stage < kStages; ++stage) {
    stream.copyNext(stages[stage]);
  }
  memory.clear();
  LanePass<kWide> pass(scale, memory.findings, {memory.window, thread, totals->histogram});
  __pipeline_wait_prior(kStages - 1);
  __syncwarp();
  memory.largestOfWarps[warp] = firstLargest(elementsOf(0));
  __syncthreads();
  std::uint32_t firstBin = HistogramWindow::firstBinFor<kWide>(memory.largest());
  pass.counter().moveTo(firstBin);

  for (std::uint32_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    Sums sums[kLanesOfThread];
    pass.refresh();
#pragma unroll 1
    for (int tile = 0; tile < Stream::kTilesOfChunk; tile += kStages) {
#pragma unroll
      for (int stage = 0; stage < kStages; ++stage) {
        __pipeline_wait_prior(kStages - 1);
        __syncwarp();
        Elements elements = elementsOf(stage);
#pragma unroll 1
        for (int row = 0; row < Stream::kRows; row += kRowsAtOnce) {
          pass.add(elements, sums);
          elements.reference += kRowsAtOnce * kLanes;
          elements.candidate += kRowsAtOnce * kLanes;
        }
        __syncwarp();
        stream.copyNext(stages[stage]);
      }
      // In its first chunk a block learns most.
      if (chunk == blockIdx.x) {
        pass.refresh();
      }
    }
    __syncthreads();  // the sums of the chunk before have been folded, its largest |d| was read
    for (int i = 0; i < kLanesOfThread; ++i) {
      memory.laneSums.put(warp * kRunsOfWarp + run, lane + i, sums[i]);
    }
    memory.largestOfWarps[warp] = largestOfWarp(pass.takeLargest());
    __syncthreads();
    const double largest = memory.largest();
    if (threadIdx.x < 2 * kWarp) {
      memory.laneSums.fold(reinterpret_cast<double*>(sumsOfChunks + chunk));
    } else if (threadIdx.x == 2 * kWarp) {
      largestOfChunks[chunk] = largest;
    }
    const std::uint32_t wanted = HistogramWindow::firstBinFor<kWide>(largest);
    if (wanted + kWindowSlack < firstBin || wanted > firstBin + kWindowSlack) {
      memory.window.moveRow(threadIdx.x, firstBin, totals->histogram);
      firstBin = wanted;
      pass.counter().moveTo(firstBin);
      __syncthreads();
    }
  }
  memory.window.moveRow(threadIdx.x, firstBin, totals->histogram);
  addTo(*totals, memory.findings);
}

}  // namespace ulp::engine::cuda
