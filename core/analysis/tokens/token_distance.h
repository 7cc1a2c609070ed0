#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/json/value.h"
#include "core/numerics/tensor_view.h"
#include "core/remote/protocol/numbers.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {

/// What the logits of one place say of the next token, in float64. Reads one place after another
/// into the same memory.
class TokenDistribution {
 public:
  /// Reads `vocabulary` logits from `first` on, times `scale` (above 0). False where they make no
  /// distribution: a NaN, +Inf, or nothing but -Inf; the other functions must not be called then.
  [[nodiscard]] bool read(const numerics::TensorView& logits,
                          std::size_t first,
                          std::size_t vocabulary,
                          double scale = 1);

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
  double scaleOfA = 1;  ///< what logits are multiplied by before anything else: 1 / temperature
  double scaleOfB = 1;
};

/// Computes the distance of each token, in their order. Each is read once, with `threads` (0: one a
/// core), whose number changes no bit. Pages of mapped files are given back on the way. Of tensors
/// that lie on one host it is computed there. Errors: Cancelled, OutOfMemory, those of
/// numbersThere().
[[nodiscard]] Result<std::vector<TokenDistance>> tokenDistances(const tensors::Tensor& a,
                                                                const tensors::Tensor& b,
                                                                const TokenPairs& pairs,
                                                                int threads = 0,
                                                                const std::stop_token& stop = {});

/// What a host answers.
[[nodiscard]] Result<remote::Numbers> answerTokenDistances(const json::Value& question,
                                                           std::span<const tensors::Tensor> tensors,
                                                           const std::stop_token& stop);

/// How far the next-token distributions of two runs are apart, over all of the vocabulary; NaN
/// where no token can be compared.
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

/// Sums up the distances of single tokens.
[[nodiscard]] DistributionGap distributionGap(std::span<const TokenDistance> tokens);
/// What logits of two runs are multiplied by before they make a distribution: 1 / temperature.
struct LogitsScales {
  double a = 1;
  double b = 1;
};
/// Compares two tensors of logits, [.., tokens, vocabulary], which are read once, with all threads;
/// the first of equal logits is the most likely one, as torch.argmax has it. In float64. Pages of
/// mapped files are given back on the way. Errors: InvalidArgument (shapes that differ, no
/// vocabulary), Cancelled.
[[nodiscard]] Result<DistributionGap> distributionGap(const tensors::Tensor& a,
                                                      const tensors::Tensor& b,
                                                      const LogitsScales& scales = {},
                                                      const std::stop_token& stop = {});

}  // namespace ulp::analysis
