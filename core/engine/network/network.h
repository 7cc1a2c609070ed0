#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/interface.h"
#include "core/engine/network/key_value_cache.h"
#include "core/engine/network/parameters.h"
#include "core/engine/network/probe.h"
#include "core/engine/precision/numerics.h"

namespace ulp::engine {

/// How transformers initialises a parameter of a fresh model.
enum class Initializer : std::uint8_t { Embedding, LinearWeight, LinearBias, Ones };

struct ParameterSpec {
  std::string name;  ///< of the Hugging Face state dict
  std::vector<std::int64_t> shape;
  Initializer initializer = Initializer::LinearWeight;
  int layer = -1;  ///< -1 outside layers
};

struct NetworkFacts {
  std::int64_t layers = 0;
  std::int64_t vocabularySize = 0;
  std::int64_t maxPositions = 0;
  double initializerRange = 0.02;
  /// Row of the embedding that gets no gradient and starts at zero; -1: none.
  std::int64_t paddingToken = -1;
  /// Parameters below this prefix belong to the model inside the causal one and are initialised
  /// before the others.
  std::string basePrefix = "model.";
};

/// How the sequences of a batch are packed, or the part of them that goes through the network at
/// once, on the run's first device. Undefined: one document each, no padding.
struct PackedLayout {
  at::Tensor documents;  ///< int64 [length], attention stays within one; padding is one of its own
  at::Tensor positions;  ///< int64 [length] or [batch, length], of the rotary tables
  at::Tensor present;    ///< bool [length], false: padding, which embeds to zeros
  at::Tensor attended;   ///< bool [batch, begin + length], false: padding that nobody attends to
  std::int64_t longest = 0;  ///< one more than the last of `positions`
  std::int64_t begin = 0;    ///< how many positions went through the network before

  /// Length of the rotary tables of a sequence.
  [[nodiscard]] std::int64_t tableLength(std::int64_t length) const {
    return positions.defined() ? longest : length;
  }
};

/// What a network's forward pass works with.
struct ForwardPass {
  const Numerics& numerics;
  ParameterSet& parameters;
  Probe& probe;
  PackedLayout layout{};
  bool hasBackward = true;  ///< false: nobody asks for gradients, and there is no autograd graph
  bool isLast = true;       ///< of the micro-batches of the step
  /// Keys and values of the pieces before, to which attention adds those of this one; null: all
  /// positions go through the network at once.
  KeyValueCache* cache = nullptr;
};

/// A configured model without weights. Immutable, so that one serves any number of runs.
class Network : public Interface {
 public:
  [[nodiscard]] virtual const NetworkFacts& facts() const = 0;
  /// Lists the parameters in the order of the state dict, tied ones once.
  [[nodiscard]] virtual const std::vector<ParameterSpec>& parameters() const = 0;
  /// Token ids [batch, length] to logits [batch, length, vocabulary] in the dtype of the head, each
  /// layer on the device that it is given. The rows `logits` and `loss` are the caller's.
  [[nodiscard]] virtual at::Tensor logits(const ForwardPass& pass, const at::Tensor& ids) const = 0;
  /// Makes a network of the same modules in the smallest widths, to list sites with.
  [[nodiscard]] virtual std::unique_ptr<Network> miniature() const = 0;
};

}  // namespace ulp::engine
