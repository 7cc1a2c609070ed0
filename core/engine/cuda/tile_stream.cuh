#pragma once

#include <cstdint>

#include <cuda_pipeline_primitives.h>

#include "core/engine/cuda/comparison_result.h"
#include "core/engine/cuda/element_loads.cuh"
#include "core/engine/cuda/lane_pass.h"

/// How elements come to the threads of a warp: through shared memory, since what a thread needs
/// lies apart and what memory gives at once lies together.
namespace ulp::engine::cuda {

inline constexpr int kThreadsOfRun = kLanes / kLanesOfThread;
inline constexpr int kThreads = kRunsOfChunk * kThreadsOfRun;
inline constexpr int kRunsOfWarp = kWarp / kThreadsOfRun;
inline constexpr int kWarps = kThreads / kWarp;
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
      : m_pair(pair), m_chunk(blockIdx.x) {
    const std::uint64_t first =
        m_chunk * kChunk + static_cast<std::uint64_t>(warp * kRunsOfWarp * kRun);
    m_reference = pair.reference + first + decltype(Tile::reference)::ownPlace();
    m_candidate = pair.candidate + first + decltype(Tile::candidate)::ownPlace();
    m_isWhole = isWhole();
  }

  /// Starts copying the next tile, if there is one.
  __device__ void copyNext(Tile& to) {
    if (m_isWhole) {
      to.reference.copyWhole(m_reference);
      to.candidate.copyWhole(m_candidate);
    } else if (m_chunk < chunksOf(m_pair.count)) {
      const auto count = static_cast<std::int64_t>(m_pair.count);
      to.reference.copyPart(m_reference, count - (m_reference - m_pair.reference));
      to.candidate.copyPart(m_candidate, count - (m_candidate - m_pair.candidate));
    }
    // Also nothing: what is waited for is counted.
    __pipeline_commit();
    m_reference += kRows * kLanes;
    m_candidate += kRows * kLanes;
    if (++m_tile == kTilesOfChunk) {
      beginNextChunk();
    }
  }

 private:
  /// Whether the chunk is in the tensors to its end, and can be copied by units.
  __device__ bool isWhole() const {
    return m_chunk < m_pair.count / kChunk &&
           reinterpret_cast<std::uintptr_t>(m_pair.reference) % kUnit == 0 &&
           reinterpret_cast<std::uintptr_t>(m_pair.candidate) % kUnit == 0;
  }

  __device__ void beginNextChunk() {
    const auto step = static_cast<std::int64_t>(gridDim.x * kChunk) - kRun;
    m_reference += step;
    m_candidate += step;
    m_tile = 0;
    m_chunk += gridDim.x;
    m_isWhole = isWhole();
  }

  const PairOnDevice<Reference, Candidate>& m_pair;
  const Reference* m_reference;  ///< what this thread copies next
  const Candidate* m_candidate;
  std::uint32_t m_chunk;
  int m_tile = 0;  ///< of the chunk
  bool m_isWhole;
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

}  // namespace ulp::engine::cuda
