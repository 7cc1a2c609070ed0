#pragma once

#include <string>

#include "core/analysis/studies/memory/product_shadow.h"
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
/// Cosines and sines as a rotation reads them; nothing: the tables of all.
struct RotationSaved {
  MemoryTensor cos, sin;
};
struct LayerSaved {
  NormSaved norm1, norm2;
  ProductSaved query, key, value;
  RotationSaved queryRotation, keyRotation;
  AttentionSaved attention;
  ProductSaved output;
  ProductSaved gateProduct, upProduct;
  MemoryTensor gate, active, up;
  ProductSaved down;
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
  using Operation = numerics::Operation;
  using Sizes = std::pair<std::uint64_t, std::uint64_t>;

  [[nodiscard]] std::string path(std::string_view name) const;
  [[nodiscard]] ProductShape shapeOf(std::string_view name, Sizes inOut, Operation from) const;
  /// A product with a parameter, of what `from` gave.
  [[nodiscard]] MemoryTensor linear(std::string_view name,
                                    const MemoryTensor& x,
                                    Sizes inOut,
                                    Operation from,
                                    ProductSaved& saved);
  [[nodiscard]] MemoryTensor linearBackward(std::string_view name,
                                            MemoryTensor gradient,
                                            Sizes inOut,
                                            ProductSaved& saved);
  [[nodiscard]] MemoryTensor rotated(std::string_view name,
                                     const MemoryTensor& x,
                                     std::uint64_t width,
                                     RotationSaved& saved);
  [[nodiscard]] MemoryTensor rotatedBackward(std::string_view name,
                                             MemoryTensor gradient,
                                             std::uint64_t width,
                                             RotationSaved& saved);
  [[nodiscard]] MemoryTensor gatedProduct(const MemoryTensor& x, LayerSaved& saved);
  [[nodiscard]] MemoryTensor mlpBackward(const MemoryTensor& gradient, LayerSaved& saved);
  /// The residual stream with what a branch adds to it.
  [[nodiscard]] MemoryTensor added(const MemoryTensor& x, const MemoryTensor& branch);
  /// What attention reads, or its gradients.
  struct AttentionTensors {
    MemoryTensor query, key, value;
  };
  /// As LibTorch's kernels read them.
  [[nodiscard]] AttentionTensors castForKernel(const AttentionTensors& read);
  [[nodiscard]] MemoryTensor attend(AttentionTensors read, AttentionSaved& saved);
  [[nodiscard]] MemoryTensor attendEager(AttentionTensors& read, AttentionSaved& own);
  [[nodiscard]] MemoryTensor attendPlain(const AttentionTensors& read, AttentionSaved& own);
  [[nodiscard]] MemoryTensor attendFused(const AttentionTensors& read, AttentionSaved& own);
  [[nodiscard]] AttentionTensors attendBackward(MemoryTensor gradient, AttentionSaved& saved);
  [[nodiscard]] AttentionTensors eagerBackward(MemoryTensor& gradient, AttentionSaved& saved);
  [[nodiscard]] AttentionTensors plainBackward(MemoryTensor& gradient, AttentionSaved& saved);
  [[nodiscard]] AttentionTensors fusedBackward(MemoryTensor& gradient, AttentionSaved& saved);
  /// Whether keys and values are made as many as queries.
  [[nodiscard]] bool isRepeated() const {
    return m_query != m_keyValue && m_way != AttentionWay::Grouped;
  }
  /// Bytes of an element, as LibTorch's math kernel computes.
  [[nodiscard]] std::uint64_t plainItem() const;
  /// A query, key or value as the math kernel widens it.
  [[nodiscard]] MemoryTensor widened(const MemoryTensor& x, std::uint64_t width) {
    return plainItem() == m_compute ? x : m_run.rows(width, plainItem());
  }
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
