#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What a run optimises, and what it says about it. Part of engine.h.
namespace ulp::engine {

/// One summand of the loss.
struct LossTerm {
  std::string type = "cross_entropy";  ///< id of a loss: cross_entropy, z_loss, grpo, gspo, …
  double weight = 1;
  double epsilonLow = 0.2;  ///< of the clip range [1 - epsilonLow, 1 + epsilonHigh]
  double epsilonHigh = 0.2;

  bool operator==(const LossTerm&) const = default;
};

/// The losses compute as Fast-LLM's do; cross-entropy in transformers' semantics as torch's.
struct LossPlan {
  /// Their sum is the loss; gradients are added in this order, in the dtype of the logits.
  std::vector<LossTerm> terms{LossTerm{}};
  double logitsScale = 1;  ///< the losses see logits × logitsScale (1 / temperature)
};

/// How a sequence of length + 1 tokens divides into documents; the same for every sequence of a
/// batch. Attention stays within a document, and the first token of a document is nobody's label.
/// Positions start anew at each document, as transformers has it of packed sequences; in Fast-LLM's
/// semantics they run through the sequence.
struct DocumentLayout {
  std::vector<std::int64_t> lengths{};  ///< in tokens; empty: one document before the padding
  std::int64_t padding = 0;             ///< tokens at the end, of no document and without labels
  /// [begin, end) of tokens that are no labels (prompts).
  std::vector<std::pair<std::int64_t, std::int64_t>> unlabelled{};

  [[nodiscard]] bool isPlain() const {
    return lengths.size() < 2 && padding == 0 && unlabelled.empty();
  }
  [[nodiscard]] std::int64_t documents() const {
    return lengths.empty() ? 1 : static_cast<std::int64_t>(lengths.size());
  }
  bool operator==(const DocumentLayout&) const = default;
};

/// What policy losses (grpo, gspo) know of the tokens: one number for each of TokenBatch::ids; that
/// of a token which is no label is not looked at.
struct PolicyData {
  std::vector<float> advantages{};
  std::vector<float> oldLogProbabilities{};
  /// The run's own log-probabilities are the old ones, with `oldLogProbabilities` added to them in
  /// float32.
  bool oldIsOwn = false;
};

/// What the clip range did to the tokens (grpo) or documents (gspo) of a term, in order; tokens
/// without a label are left out.
struct ClipDecisions {
  enum class Unit : std::uint8_t { None, Token, Document };
  Unit unit = Unit::None;
  std::vector<std::int8_t> region{};    ///< of the ratio: -1 below the range, 0 in it, 1 above
  std::vector<std::uint8_t> stopped{};  ///< 1: the gradient is cut off
};

struct LossMetric {
  std::string name;
  double value = 0;
};

struct LossTermOutcome {
  LossTerm term;
  double value = 0;  ///< without its weight
  std::vector<LossMetric> metrics{};
  ClipDecisions clips{};
};

/// log π of every token that was to be predicted, in the dtype of the loss.
struct TokenOutcome {
  /// [micro-batches × batch × length] of labels × logitsScale; of token 0 where there is no label.
  std::vector<double> logProbabilities{};
  std::vector<std::uint8_t> isLabel{};
};

}  // namespace ulp::engine
