#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include <ATen/ATen.h>

#include "core/engine/precision/simulated_format.h"

namespace ulp::engine {

/// Keys and values of the positions that went through a network piece by piece, of every attention
/// by its module path. Each piece appends its own, as DynamicCache of transformers does.
class KeyValueCache {
 public:
  /// `format`: what is kept is rounded to it, and all positions read it so, those of the piece as
  /// well; the gradient passes as if nothing had been rounded.
  explicit KeyValueCache(const std::optional<numerics::NumberFormat>& format = {}) {
    if (format) {
      m_rounding.forward = Quantization{.format = *format};
    }
  }

  /// Appends those of a piece, [batch, keyValueHeads, length, headDim], and gives all so far.
  [[nodiscard]] std::pair<at::Tensor, at::Tensor> append(const std::string& module,
                                                         const at::Tensor& key,
                                                         const at::Tensor& value) {
    Held& held = m_held[module];
    held.key = joined(held.key, quantizeStraightThrough(key, m_rounding));
    held.value = joined(held.value, quantizeStraightThrough(value, m_rounding));
    return {held.key, held.value};
  }

 private:
  struct Held {
    at::Tensor key;
    at::Tensor value;
  };

  /// Also the first ones are copied: how they lie in memory may decide about the kernel.
  [[nodiscard]] static at::Tensor joined(const at::Tensor& before, const at::Tensor& piece) {
    return at::cat({before.defined() ? before : at::empty({0}, piece.options()), piece}, -2);
  }

  StraightThrough m_rounding;
  std::unordered_map<std::string, Held> m_held;
};

}  // namespace ulp::engine
