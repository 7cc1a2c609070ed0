#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/json/value.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/tensor_view.h"
#include "core/remote/protocol/numbers.h"
#include "core/tensors/archive/tensor_archive.h"

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
/// The same of a tensor that may lie on a host: computed there. Errors: those of numbersThere() and
/// checkIntact(); Cancelled (currentStop()).
[[nodiscard]] Result<TensorStatistics> statisticsOf(const tensors::Tensor& tensor);

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
/// As statisticsOf() of a tensor.
[[nodiscard]] Result<Histogram> histogramOf(const tensors::Tensor& tensor,
                                            const TensorStatistics& statistics,
                                            std::size_t bins);

/// What a host answers: of both.
[[nodiscard]] Result<remote::Numbers> answerStatistics(const json::Value& question,
                                                       std::span<const tensors::Tensor> tensors,
                                                       const std::stop_token& stop);

}  // namespace ulp::analysis
