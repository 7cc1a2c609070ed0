#pragma once

#include <cstdint>
#include <vector>

#include "core/numerics/comparison/comparison.h"
#include "core/numerics/tensor_view.h"

namespace ulp::analysis {

/// What a tensor is like. Minimum to RMS are over its finite elements, NaN when there is none; sums
/// are float64.
struct TensorStatistics {
  std::uint64_t count = 0;
  std::uint64_t zeros = 0;
  numerics::NonFiniteCounts nonFinite;
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
  double rms = 0;
};

[[nodiscard]] TensorStatistics statisticsOf(const numerics::TensorView& tensor);

/// Finite elements by value, in bins of equal width from the smallest to the largest; the last one
/// holds its upper end.
struct Histogram {
  double lower = 0;
  double upper = 0;
  std::vector<std::uint64_t> counts;

  [[nodiscard]] double lowerEdge(std::size_t bin) const;
};

/// `statistics` are those of the tensor. One bin when all finite elements are equal, none when no
/// element is finite.
[[nodiscard]] Histogram histogramOf(const numerics::TensorView& tensor,
                                    const TensorStatistics& statistics,
                                    std::size_t bins);

}  // namespace ulp::analysis
