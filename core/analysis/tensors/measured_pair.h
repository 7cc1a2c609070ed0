#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>

#include "core/base/result.h"
#include "core/json/value.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/comparison/relative_shares.h"
#include "core/remote/protocol/numbers.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {

/// Elements between two looks at a stop token, and before pages are given back: a few milliseconds.
/// A multiple of the comparer's own chunks, so that the sums are those of one call.
inline constexpr std::size_t kPieceElements = numerics::Comparer::kChunkElements * 64;
/// `count` elements from `first` on, as a vector.
[[nodiscard]] numerics::TensorView pieceOf(const numerics::TensorView& tensor,
                                           std::size_t first,
                                           std::size_t count);

/// What the elements of two tensors come to.
struct MeasuredPair {
  numerics::Moments moments;
  numerics::RelativeShares shares;
};

struct MeasureOptions {
  std::size_t worstCount = 8;  ///< as the comparer has it
  bool hasShares = false;
  std::size_t pieceElements = kPieceElements;  ///< a multiple of the comparer's own chunks
};

/// Compares as comparer.compare() does, to the last bit, but piece by piece: it can be stopped
/// every few milliseconds, and of tensors larger than memory little is in it at a time; and 64-bit
/// integers are equal where they are the same, not where float64 rounds them alike. Tensors that
/// lie on one host (Tensor::parts) are compared there. Errors: those of compare() and
/// numbersThere(); Cancelled.
[[nodiscard]] Result<MeasuredPair> measure(const tensors::Tensor& reference,
                                           const tensors::Tensor& candidate,
                                           numerics::Comparer& comparer,
                                           const MeasureOptions& options,
                                           const std::stop_token& stop);
/// The moments of both tensors in other units, where squares of float64 leave its range: what has
/// no unit, such as Σ d² / Σ r², is known of these alone. `moments`: of the tensors as they are.
/// Nothing: their squares are numbers. Errors: those of compare() and bringAll(); Cancelled.
[[nodiscard]] Result<std::optional<numerics::Moments>> measureScaled(
    const tensors::Tensor& reference,
    const tensors::Tensor& candidate,
    numerics::Comparer& comparer,
    const numerics::Moments& moments,
    const std::stop_token& stop);
/// What a host answers.
[[nodiscard]] Result<remote::Numbers> answerMeasure(const json::Value& question,
                                                    std::span<const tensors::Tensor> tensors,
                                                    const std::stop_token& stop);

}  // namespace ulp::analysis
