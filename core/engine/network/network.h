#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/engine/network/forward_pass.h"

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

/// A configured model without weights. Immutable, so that one serves any number of runs.
class Network {
 public:
  virtual ~Network() = default;
  [[nodiscard]] virtual const NetworkFacts& facts() const = 0;
  /// Lists the parameters in the order of the state dict, tied ones once.
  [[nodiscard]] virtual const std::vector<ParameterSpec>& parameters() const = 0;
  /// Token ids [batch, length] to logits [batch, length, vocabulary] in the dtype of the head. The
  /// rows `logits` and `loss` are the caller's.
  [[nodiscard]] virtual at::Tensor logits(const ForwardPass& pass, const at::Tensor& ids) const = 0;
  /// Makes a network of the same modules in the smallest widths, to list sites with.
  [[nodiscard]] virtual std::unique_ptr<Network> miniature() const = 0;

 protected:
  Network() = default;
  Network(const Network&) = default;
  Network& operator=(const Network&) = default;
};

}  // namespace ulp::engine
