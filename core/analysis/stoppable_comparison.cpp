#include "core/analysis/stoppable_comparison.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ulp::analysis {
namespace {

/// Elements between two looks at the stop token: a few milliseconds. A multiple of the comparer's
/// own chunks, so that the sums are those of one call.
constexpr std::size_t kPiece = numerics::Comparer::kChunkElements * 64;

numerics::TensorView pieceOf(const numerics::TensorView& tensor,
                             std::size_t first,
                             std::size_t count) {
  return {static_cast<const std::byte*>(tensor.data) + (first * itemSize(tensor.dtype)),
          tensor.dtype,
          {static_cast<std::int64_t>(count)}};
}

}  // namespace

Result<numerics::Moments> compareStoppably(numerics::Comparer& comparer,
                                           const numerics::TensorView& reference,
                                           const numerics::TensorView& candidate,
                                           const std::stop_token& stop) {
  if (reference.shape != candidate.shape || reference.count() <= kPiece) {
    return comparer.compare(reference, candidate);
  }
  numerics::Moments moments;
  const std::size_t count = reference.count();
  for (std::size_t first = 0; first < count; first += kPiece) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped");
    }
    const std::size_t size = std::min(kPiece, count - first);
    auto added = comparer.accumulate(
        moments, pieceOf(reference, first, size), pieceOf(candidate, first, size));
    if (!added) {
      return tl::unexpected(std::move(added.error()));
    }
  }
  return moments;
}

}  // namespace ulp::analysis
