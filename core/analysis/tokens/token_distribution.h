#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/numerics/tensor_view.h"

namespace ulp::analysis {

/// What the logits of one place say of the next token, in float64. Reads one place after another
/// into the same memory.
class TokenDistribution {
 public:
  /// Reads `vocabulary` logits from `first` on. False where they make no distribution: a NaN, +Inf,
  /// or nothing but -Inf; the other functions must not be called then.
  [[nodiscard]] bool read(const numerics::TensorView& logits,
                          std::size_t first,
                          std::size_t vocabulary);

  /// The most likely token; the first of equal ones, as torch.argmax has it.
  [[nodiscard]] std::size_t choice() const { return m_choice; }
  [[nodiscard]] std::span<const double> logits() const { return m_logits; }
  [[nodiscard]] double logProbability(std::size_t token) const {
    return m_logits[token] - m_normaliser;
  }
  /// RMS of the logits around their mean; what is ruled out (-Inf) does not count.
  [[nodiscard]] double spread() const;

 private:
  std::vector<double> m_logits;
  std::size_t m_choice = 0;
  double m_normaliser = 0;
};

/// KL(A ‖ B) in nats, over one vocabulary; +Inf where B rules out what A does not.
[[nodiscard]] double klDivergence(const TokenDistribution& a, const TokenDistribution& b);

}  // namespace ulp::analysis
