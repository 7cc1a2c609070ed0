#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/comparing/measure/token_logits.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/model/tensor_recipe.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {

/// How the tokens of a unit lie in its tensors, beside each other in samples.
struct TokenLayout {
  std::int64_t samples = 1;
  std::int64_t positions = 1;    ///< of a sample; above 1
  bool isSequenceFirst = false;  ///< [positions, samples, ..] rather than [samples, positions, ..]
  /// What stands at a position may come from those before it; false: positions are samples of one
  /// token each.
  bool isOrdered = true;
  /// Where the logits hold all tokens in a row and the embeddings have put them out in two
  /// dimensions: the first of these; 0: elsewhere.
  std::int64_t embeddedRows = 0;

  /// "samples × positions: 2 × 5".
  [[nodiscard]] std::string text() const;
};

struct TokenIndex {
  std::int64_t sample = 0;
  std::int64_t position = 0;
};

struct PlacedToken {
  TokenLayout layout;
  TokenIndex index;
};

/// Where the network holds token `flat` of the baseline's logits, [.., vocabulary]. Of [a, b,
/// vocabulary] the head's name says which is the sequence: `output_layer` (Megatron, ChatGLM) puts
/// out [positions, samples, ..], every other one [samples, positions, ..]; where a and b differ,
/// token ids [samples, positions] that the embeddings read say it before the name. Logits of fewer
/// tokens than the embeddings have are those of the last position of each sample. Nothing: the
/// network holds this token alone, where it holds it is not known, or the recorded shape has no
/// such token.
[[nodiscard]] std::optional<PlacedToken> placeToken(const dumps::DumpUnit& unit,
                                                    const LogitsPair& logits,
                                                    std::size_t flat);

/// What of each dimension of a tensor belongs to a token.
using TensorCut = std::vector<dumps::Run>;

/// The part of a tensor of `shape` that belongs to a token: one place along the dimension that is
/// as long as the sequence (of attention scores, [.., queries, keys], along the queries) and the
/// sample's along the one of samples; or one place among all tokens, where a dimension holds these.
/// Where several dimensions are that long, the last of them stands for something else (keys, hidden
/// size), and of a batch as large as the sequence is long the layout says which is which. The last
/// dimension alone is not the sequence where the first one holds all tokens of several samples, nor
/// in a matrix that is not [samples, positions]. Empty: the tensor has no such dimension, which one
/// it is cannot be told, or the layout has no such token.
[[nodiscard]] TensorCut cutTo(const TokenLayout& layout,
                              const TokenIndex& index,
                              std::span<const std::int64_t> shape);

/// The elements of that part, in order; of a tensor that lies elsewhere these alone come, and
/// checkIntact() says whether they did. `cut` is not empty and has a run for every dimension of the
/// tensor, within its bounds; of any other nothing is read, and there are none.
[[nodiscard]] std::vector<double> elementsAt(const tensors::Tensor& tensor, const TensorCut& cut);

}  // namespace ulp::analysis
