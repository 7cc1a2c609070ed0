#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/tokens/token_distance.h"
#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {

/// How far the next-token distributions of two runs are apart, over all of the vocabulary.
struct DistributionGap {
  std::uint64_t tokens = 0;  ///< compared
  std::uint64_t nonFinite =
      0;  ///< with a NaN or +Inf among the logits of one of the runs; left out
  /// KL(A ‖ B) in nats of each token; NaN where it was left out, +Inf where B rules out what A does
  /// not.
  std::vector<double> kl;
  double meanKl = 0;
  double largestKl = 0;
  std::size_t largestPlace = 0;
  double topAgreement = 0;  ///< share of tokens whose most likely next token is the same
};

/// Sums up the distances of single tokens. Error: InvalidArgument (no token that can be compared).
[[nodiscard]] Result<DistributionGap> distributionGap(std::span<const TokenDistance> tokens);
/// Compares two tensors of logits, [.., tokens, vocabulary], which are read once, with all threads;
/// the first of equal logits is the most likely one, as torch.argmax has it. In float64. Pages of
/// mapped files are given back on the way. Errors: InvalidArgument (shapes that differ, no
/// vocabulary, no token that can be compared), Cancelled.
[[nodiscard]] Result<DistributionGap> distributionGap(const tensors::Tensor& a,
                                                      const tensors::Tensor& b,
                                                      const std::stop_token& stop = {});

}  // namespace ulp::analysis
