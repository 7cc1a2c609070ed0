#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/analysis/tensors/tensor_pair.h"
#include "core/analysis/tensors/tensor_pyramid.h"
#include "core/analysis/tensors/value_bins.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::analysis {

/// How reference and variant lie to each other: counts over a square of both values. Both axes run
/// from -limit to limit on a scale that is linear near zero, so that the diagonal is where both are
/// equal.
struct DensityGrid {
  static constexpr int kSide = 128;

  double limit = 0;   ///< largest magnitude of either tensor; 0: nothing but zeros, or no pair
  double linear = 0;  ///< magnitude up to which the axes are linear
  std::vector<std::uint64_t> counts;  ///< [variant][reference], lowest values first; empty: no pair

  [[nodiscard]] std::uint64_t at(int variant, int reference) const {
    return counts[static_cast<std::size_t>(variant) * kSide + static_cast<std::size_t>(reference)];
  }
  /// Position of a value on an axis, -1 … 1: linear near zero, logarithmic far from it. The edges
  /// of the counts are rounded to 1/64 octave.
  [[nodiscard]] double position(double value) const;
  [[nodiscard]] double valueAt(double position) const;
};

/// Everything about a pair that needs all its elements. Immutable once made.
struct PairStatistics {
  numerics::Moments moments;  ///< `worst` holds kWorstElements elements
  ValueBins reference;
  ValueBins variant;
  ValueBins difference;  ///< a − b where both are finite
  std::array<FormatFit, kNarrowFormats.size()> referenceFits;
  std::array<FormatFit, kNarrowFormats.size()> variantFits;
  DensityGrid density;
};

using PairStatisticsPtr = std::shared_ptr<const PairStatistics>;
inline constexpr std::size_t kWorstElements = 100;

/// Reads both tensors three times, piece by piece, with a thread a core; the result does not depend
/// on how many there are. `progress` counts elements. Errors: Cancelled (within
/// some milliseconds of the request), InvalidArgument (a tensor without elements).
[[nodiscard]] Result<PairStatisticsPtr> computePairStatistics(const TensorPair& pair,
                                                              const std::stop_token& stop,
                                                              Progress* progress = nullptr);

}  // namespace ulp::analysis
