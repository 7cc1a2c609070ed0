#pragma once

#include <stop_token>

#include "core/base/result.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::analysis {

/// Elements between two looks at a stop token, and before pages are given back: a few milliseconds.
/// A multiple of the comparer's own chunks, so that the sums are those of one call.
inline constexpr std::size_t kPieceElements = numerics::Comparer::kChunkElements * 64;
/// `count` elements from `first` on, as a vector.
[[nodiscard]] numerics::TensorView pieceOf(const numerics::TensorView& tensor,
                                           std::size_t first,
                                           std::size_t count);

/// Compares as comparer.compare() does, to the last bit, but can be stopped every few milliseconds
/// however large the tensors are. Errors: those of compare(); Cancelled.
[[nodiscard]] Result<numerics::Moments> compareStoppably(numerics::Comparer& comparer,
                                                         const numerics::TensorView& reference,
                                                         const numerics::TensorView& candidate,
                                                         const std::stop_token& stop);

}  // namespace ulp::analysis
