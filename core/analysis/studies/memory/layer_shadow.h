#pragma once

#include <string>

#include "core/analysis/studies/memory/run_shadow.h"

namespace ulp::analysis {

/// How attention uses memory on a CUDA device.
enum class AttentionWay : std::uint8_t {
  Eager,    ///< scores and softmax, one after another
  Plain,    ///< LibTorch's math kernel: the same in float32, and a second copy of the softmax
  Grouped,  ///< a fused kernel that takes fewer keys than queries
  Repeated  ///< a fused kernel that takes as many
};

/// What core/engine/network/layers.cpp and attention.cpp leave for the backward pass.
struct NormSaved {
  MemoryTensor wide;     ///< the input in the format of the statistics
  MemoryTensor root;     ///< one number a token
  MemoryTensor rounded;  ///< for the gradient of the weight
};
struct AttentionSaved {
  MemoryTensor query, key, value;
  MemoryTensor softmax;  ///< or the logarithm of its sum
  MemoryTensor weights;  ///< as the product with the values reads them
  MemoryTensor output;   ///< that the kernel keeps
};
struct LayerSaved {
  NormSaved norm1, norm2;
  MemoryTensor queryInput, keyInput, valueInput;
  AttentionSaved attention;
  MemoryTensor attended;
  MemoryTensor gateInput, upInput;
  MemoryTensor gate, active, up;
  MemoryTensor product;
};

/// A decoder layer of a shadow.
class LayerShadow {
 public:
  LayerShadow(RunShadow& run, int layer);

  /// Gives the layer's output; `saved` is filled where a backward pass follows.
  [[nodiscard]] MemoryTensor forward(const MemoryTensor& x, LayerSaved& saved);
  /// Gives the gradient of the layer's input; lets go of `saved` on the way, unless the graph is
  /// walked once more.
  [[nodiscard]] MemoryTensor backward(MemoryTensor gradient, LayerSaved& saved);

  [[nodiscard]] static MemoryTensor norm(RunShadow& run,
                                         const std::string& path,
                                         const MemoryTensor& x,
                                         NormSaved& saved);
  [[nodiscard]] static MemoryTensor normBackward(RunShadow& run,
                                                 const std::string& path,
                                                 MemoryTensor gradient,
                                                 NormSaved& saved);

 private:
  using Sizes = std::pair<std::uint64_t, std::uint64_t>;

  [[nodiscard]] std::string path(std::string_view name) const;
  /// A product with a parameter: its input as it is read goes to `kept`.
  [[nodiscard]] MemoryTensor linear(std::string_view name,
                                    const MemoryTensor& x,
                                    Sizes inOut,
                                    std::uint64_t itemBytes,
                                    MemoryTensor& kept);
  [[nodiscard]] MemoryTensor linearBackward(std::string_view name,
                                            const MemoryTensor& gradient,
                                            Sizes inOut,
                                            MemoryTensor& kept);
  [[nodiscard]] MemoryTensor rotated(std::string_view name, MemoryTensor x, std::uint64_t width);
  [[nodiscard]] MemoryTensor rotatedBackward(std::string_view name,
                                             MemoryTensor gradient,
                                             std::uint64_t width);
  [[nodiscard]] MemoryTensor attend(MemoryTensor query,
                                    MemoryTensor key,
                                    MemoryTensor value,
                                    AttentionSaved& saved);
  struct AttentionGradients {
    MemoryTensor query, key, value;
  };
  [[nodiscard]] AttentionGradients attendBackward(MemoryTensor gradient, AttentionSaved& saved);
  /// A sum of gradients: the first, or a new one.
  [[nodiscard]] MemoryTensor sum(const MemoryTensor& a, const MemoryTensor& b);

  RunShadow& m_run;
  int m_layer;
  std::uint64_t m_hidden, m_inner, m_query, m_keyValue;
  std::uint64_t m_compute;
  std::uint64_t m_pairs;  ///< queries × keys × heads, of all sequences
  AttentionWay m_way;
};

[[nodiscard]] AttentionWay attentionWay(const ModelOutline& model, const RunFormats& formats);

}  // namespace ulp::analysis
