#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/cuda/lane_pass.h"

namespace ulp::engine::cuda {

/// What all blocks find together; zeroed before the kernel starts.
struct Totals {
  /// Of differences that are not zero.
  std::uint64_t histogram[numerics::kHistogramBins];
  std::uint64_t excluded[kPairKinds];
  double largestRelative;
  double largestUlp;
};

/// What the kernels leave of a comparison of `count` pairs, on the host.
struct ComparisonResult {
  std::uint64_t count = 0;
  const Totals* totals = nullptr;
  const Sums* sumsOfChunks = nullptr;
  std::vector<numerics::WorstElement> worst;  ///< candidates, in any order
};

[[nodiscard]] constexpr std::uint64_t chunksOf(std::uint64_t count) {
  return (count + kChunk - 1) / kChunk;
}

/// Adds a result whose elements follow those of `total`, of which the `worstCount` worst are kept.
void addResult(numerics::Moments& total, ComparisonResult result, std::size_t worstCount);

}  // namespace ulp::engine::cuda
