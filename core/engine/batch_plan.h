#pragma once

#include <cstdint>
#include <optional>

#include "core/numerics/rounding/number_format.h"

/// What a run computes beside the sequences that it is asked about. Part of engine.h.
namespace ulp::engine {

/// The company in which the sequences of a micro-batch go through the network, and in which pieces.
/// Observers, the loss, its labels and every gradient are those of these sequences alone, whatever
/// else is computed.
struct BatchPlan {
  enum class Side : std::uint8_t { Left, Right };

  std::int64_t among = 0;  ///< sequences in all; 0: those of the micro-batch
  std::int64_t place = 0;  ///< of the first sequence of the micro-batch among them
  std::uint64_t seed = 0;  ///< of the other sequences, uniform over the vocabulary
  /// Positions of padding of the micro-batch's sequences, which nobody attends to. The other
  /// sequences are so much longer.
  std::int64_t padding = 0;
  Side side = Side::Left;
  /// Positions that go through the network at once, with the keys and values of those before; the
  /// last piece may be shorter. 0: all.
  std::int64_t chunkLength = 0;
  /// Positions of a prompt, behind which each goes through the network alone, as a sampler decodes;
  /// what pads on the right stands between them. 0: there is no prompt.
  std::int64_t prompt = 0;
  /// What keys and values are kept in, and read from; nothing: as they are computed.
  std::optional<numerics::NumberFormat> cacheFormat{};

  [[nodiscard]] bool isCached() const { return chunkLength > 0 || prompt > 0; }
  [[nodiscard]] bool isPlain() const { return among == 0 && padding == 0 && !isCached(); }
};

}  // namespace ulp::engine
