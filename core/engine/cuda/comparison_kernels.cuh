#pragma once

#include <cstdint>

#include "core/engine/cuda/tile_stream.cuh"
#include "core/engine/cuda/warp_reductions.cuh"

/// The kernel that compares. Note [device order]: the sums of numerics::compare() are followed
/// exactly. A block takes one chunk at a time, a thread two neighbouring lanes of one of its runs,
/// so that threads need not talk until the runs are added, in order, at the chunk's end.
namespace ulp::engine::cuda {

/// What a warp has beside its tiles: counts while it looks at a chunk, then the sums of the lanes
/// of its runs, while those of the chunk are made of them.
union WarpMemory {
  HistogramWindow window;
  double sums[kSums][kRunsOfWarp][kLanes];

  __device__ void clear() {
    constexpr int kRowBytes = HistogramWindow::kRows * kWarp * sizeof(std::uint32_t);
    auto* const units = reinterpret_cast<uint4*>(&window.words);
#pragma unroll
    for (int i = 0; i < kRowBytes / kUnit; i += kWarp) {
      units[i + static_cast<int>(threadIdx.x) % kWarp] = {0, 0, 0, 0};
    }
    __syncwarp();
  }
  __device__ void put(int run, int lane, const Sums& own) {
    sums[0][run][lane] = own.squaredReference;
    sums[1][run][lane] = own.squaredCandidate;
    sums[2][run][lane] = own.product;
    sums[3][run][lane] = own.squaredDifference;
    sums[4][run][lane] = own.absoluteDifference;
    sums[5][run][lane] = own.ulp;
  }
};

/// The shared memory of a block.
template <class Reference, class Candidate>
struct BlockMemory {
  typename TileStream<Reference, Candidate>::Tile tiles[kWarps][kStages];
  WarpMemory warps[kWarps];
  double largest[kWarps];  ///< |d| of the chunk
  BlockFindings findings;
};

/// Threads 0 … 2 * kWarp - 1 make the sums of a chunk; sum `s` is written to result[s].
__device__ inline void fold(const WarpMemory (&warps)[kWarps], double* result) {
  const int sum = static_cast<int>(threadIdx.x) / kLanes;
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  double total = 0;
  if (sum < kSums) {
#pragma unroll 8
    for (int run = 0; run < kRunsOfChunk; ++run) {
      total += warps[run / kRunsOfWarp].sums[sum][run % kRunsOfWarp][lane];
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
  constexpr bool kWide = sizeof(Reference) == 8 || sizeof(Candidate) == 8;
  using Stream = TileStream<Reference, Candidate>;
  using Tile = typename Stream::Tile;
  extern __shared__ uint4 memoryOfBlock[];
  auto& memory = *reinterpret_cast<BlockMemory<Reference, Candidate>*>(memoryOfBlock);
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int thread = static_cast<int>(threadIdx.x) % kWarp;
  WarpMemory& own = memory.warps[warp];
  clear(memory.findings);
  own.clear();
  __syncthreads();

  const int run = thread / kThreadsOfRun;
  const int lane = thread % kThreadsOfRun * kLanesOfThread;
  Tile* const stages = memory.tiles[warp];
  Stream stream(pair, warp);
  for (int stage = 0; stage < kStages; ++stage) {
    stream.copyNext(stages[stage]);
  }
  int stage = 0;
  LanePass<kWide> pass(scale, memory.findings, {own.window, thread, memory.findings.histogram});
  for (std::uint32_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
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
      if (chunk == blockIdx.x && tile == 0) {
        pass.counter().moveTo(firstLargest(elements));
      }
#pragma unroll 1
      for (int row = 0; row < Stream::kRows; row += kRowsAtOnce) {
        pass.add(elements, sums);
        elements.reference += kRowsAtOnce * kLanes;
        elements.candidate += kRowsAtOnce * kLanes;
      }
      __syncwarp();
      stream.copyNext(from);
      stage = (stage + 1) % kStages;
    }
    const double largest = largestOfWarp(pass.takeLargest());
    pass.counter().addRow(own.window);
    pass.counter().moveTo(largest);
    __syncwarp();
    for (int i = 0; i < kLanesOfThread; ++i) {
      own.put(run, lane + i, sums[i]);
    }
    memory.largest[warp] = largest;
    __syncthreads();
    if (threadIdx.x < 2 * kWarp) {
      fold(memory.warps, reinterpret_cast<double*>(sumsOfChunks + chunk));
    } else if (threadIdx.x == 2 * kWarp) {
      double most = 0;
      for (const double ofWarp : memory.largest) {
        most = ofWarp > most ? ofWarp : most;
      }
      largestOfChunks[chunk] = most;
    }
    __syncthreads();
    own.clear();
  }
  __syncthreads();
  addTo(*totals, memory.findings);
}

}  // namespace ulp::engine::cuda
