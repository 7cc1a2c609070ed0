#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/json/value.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/metrics/metric.h"
#include "core/numerics/tensor_view.h"
#include "core/remote/protocol/numbers.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {

/// A metric of parts of a tensor, each compared as if it were a tensor of its own.
struct PartErrors {
  std::vector<double> values;            ///< one a part; NaN: undefined
  std::vector<std::uint64_t> nonFinite;  ///< elements of the variant's part that are not numbers
};

/// Parts are tokens: the last dimension are channels, each position of the ones before it is a
/// token. Errors: InvalidArgument (fewer than two dimensions, shapes that differ), Cancelled.
[[nodiscard]] Result<PartErrors> tokenErrors(const numerics::TensorView& reference,
                                             const numerics::TensorView& variant,
                                             const numerics::Metric& metric,
                                             numerics::Comparer& comparer,
                                             const std::stop_token& stop = {});

/// Parts are the heads of an attention tensor, whose channels are heads of `headSize` channels
/// each. Errors: InvalidArgument (as tokenErrors(), or channels that are no multiple of
/// `headSize`).
[[nodiscard]] Result<PartErrors> headErrors(const numerics::TensorView& reference,
                                            const numerics::TensorView& variant,
                                            std::int64_t headSize,
                                            const numerics::Metric& metric,
                                            numerics::Comparer& comparer,
                                            const std::stop_token& stop = {});

/// headErrors(), or tokenErrors() where `headSize` is 0, of tensors that may lie on a host:
/// computed there where both do. Errors: theirs, and those of numbersThere() and checkIntact().
[[nodiscard]] Result<PartErrors> partErrors(const tensors::Tensor& reference,
                                            const tensors::Tensor& variant,
                                            std::int64_t headSize,
                                            const numerics::Metric& metric,
                                            numerics::Comparer& comparer,
                                            const std::stop_token& stop = {});
/// What a host answers.
[[nodiscard]] Result<remote::Numbers> answerPartErrors(const json::Value& question,
                                                       std::span<const tensors::Tensor> tensors,
                                                       const std::stop_token& stop);

}  // namespace ulp::analysis
