#include "core/analysis/reports/stoppable_comparison.h"

#include <algorithm>
#include <cstddef>

namespace ulp::analysis {
numerics::TensorView pieceOf(const numerics::TensorView& tensor,
                             std::size_t first,
                             std::size_t count) {
  return {static_cast<const std::byte*>(tensor.data) + (first * itemSize(tensor.dtype)),
          tensor.dtype,
          {static_cast<std::int64_t>(count)}};
}

Result<numerics::Moments> compareStoppably(numerics::Comparer& comparer,
                                           const numerics::TensorView& reference,
                                           const numerics::TensorView& candidate,
                                           const std::stop_token& stop) {
  if (reference.shape != candidate.shape || reference.count() <= kPieceElements) {
    return comparer.compare(reference, candidate);
  }
  numerics::Moments moments;
  const std::size_t count = reference.count();
  for (std::size_t first = 0; first < count; first += kPieceElements) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    const std::size_t size = std::min(kPieceElements, count - first);
    ULP_TRY(comparer.accumulate(
        moments, pieceOf(reference, first, size), pieceOf(candidate, first, size)));
  }
  return moments;
}

}  // namespace ulp::analysis
