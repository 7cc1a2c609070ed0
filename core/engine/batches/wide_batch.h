#pragma once

#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/base/result.h"
#include "core/engine/batches/compared_rows.h"
#include "core/engine/engine.h"
#include "core/engine/losses/label_layout.h"
#include "core/engine/network/network.h"

namespace ulp::engine {

/// Positions of a batch that go through the network at once.
struct BatchPiece {
  Piece place;
  at::Tensor ids;  ///< int64 [sequences, positions]
  PackedLayout layout;
};

/// What goes through the network for a micro-batch, on the run's first device.
struct WideBatch {
  std::vector<BatchPiece> pieces;  ///< at least one
  bool isCached = false;           ///< the pieces share keys and values
  std::optional<numerics::NumberFormat> cacheFormat{};
  ComparedPart compared;
};

/// Errors: InvalidArgument where the sequences of a micro-batch have no place among so many, or
/// packed documents or Fast-LLM's semantics meet padding or pieces, for which neither has a
/// meaning.
[[nodiscard]] Result<> checkBatch(const BatchPlan& plan,
                                  const TokenBatch& tokens,
                                  Semantics semantics);

/// Of a micro-batch that checkBatch() accepts. Its padding has the model's token for it (token 0
/// where there is none), and positions as transformers' generate() gives them: 0 in the padding,
/// from 0 behind it on the left.
[[nodiscard]] WideBatch wideBatch(const BatchPlan& plan,
                                  const TokenBatch& tokens,
                                  const LabelLayout& layout,
                                  const Numerics& numerics,
                                  const NetworkFacts& facts);

/// The part that is the micro-batch's of [sequences, positions, …] of a piece.
[[nodiscard]] at::Tensor comparedOf(const at::Tensor& wide,
                                    const ComparedPart& part,
                                    const Piece& piece);

}  // namespace ulp::engine
