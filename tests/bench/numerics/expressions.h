#pragma once

#include "core/numerics/tensor_view.h"

namespace ulp::numerics::bench {

/// The numbers of a comparison, to keep the compiler from leaving any out.
struct ExpressionResults {
  double rmsDifference = 0;
  double referenceScale = 0;
  double meanAbsoluteDifference = 0;
  double maxDifference = 0;
  double maxRelative = 0;
  double cosine = 0;
  double equalFraction = 0;
  double meanUlp = 0;
  double maxUlp = 0;
};

/// What a tensor library does with `((v - r) ** 2).mean().sqrt()` and its like: every operation a
/// loop of its own over the whole tensor, with a temporary for its result, on `threads` threads.
/// float32 tensors; no histogram, no worst elements, no counts of non-finite numbers.
ExpressionResults compareByExpressions(const TensorView& reference,
                                       const TensorView& candidate,
                                       int threads);

}  // namespace ulp::numerics::bench
