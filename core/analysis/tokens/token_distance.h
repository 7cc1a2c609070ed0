#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {

/// How far what B says of the next token is from what A says, in float64. Where one of them makes
/// no distribution, nothing else than that is known.
struct TokenDistance {
  bool isFinite = false;    ///< both make a distribution
  double kl = 0;            ///< KL(A ‖ B) in nats; +Inf where B rules out what A does not
  double cosine = 0;        ///< of the logits that are finite in both
  double margin = 0;        ///< in nats: by how much A prefers its own choice to B's
  double spread = 0;        ///< RMS of A's logits around their mean
  std::size_t choiceA = 0;  ///< the most likely token, the first of equal ones
  std::size_t choiceB = 0;
};

/// Tokens that stand one behind the other in two tensors of logits.
struct TokenPairs {
  std::size_t tokens = 0;
  std::size_t vocabulary = 0;  ///< at least 1
  std::size_t firstOfA = 0;    ///< element where the first of them begins
  std::size_t firstOfB = 0;
};

/// Computes the distance of each token, in their order. Each is read once, with `threads` (0: one a
/// core), whose number changes no bit. Pages of mapped files are given back on the way. Errors:
/// Cancelled, OutOfMemory.
[[nodiscard]] Result<std::vector<TokenDistance>> tokenDistances(const tensors::Tensor& a,
                                                                const tensors::Tensor& b,
                                                                const TokenPairs& pairs,
                                                                int threads = 0,
                                                                const std::stop_token& stop = {});

}  // namespace ulp::analysis
