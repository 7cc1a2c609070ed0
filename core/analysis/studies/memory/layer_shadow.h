#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/studies/memory/attention_shadow.h"
#include "core/analysis/studies/memory/norm_shadow.h"
#include "core/analysis/studies/memory/product_shadow.h"

namespace ulp::analysis {

/// Cosines and sines.
struct RotaryTables {
  MemoryTensor cos, sin;

  void reset() {
    cos.reset();
    sin.reset();
  }
};

/// What core/engine/network/layers.cpp and rotary.cpp leave of a layer for the backward pass.
struct RotationSaved {
  RotaryTables tables;  ///< as the rotation reads them
  DType type = DType::Float32;
  SplitInputs inputs;
};
struct ActivationSaved {
  MemoryTensor gate;
  DType type = DType::Float32;
  SplitInputs inputs;
};
struct GatedSaved {
  MemoryTensor active, up;
  DType activeType = DType::Float32;
  DType upType = DType::Float32;
  SplitInputs inputs;
};
struct SumSaved {
  DType streamType = DType::Float32;
  DType branchType = DType::Float32;
  SplitInputs inputs;
};
struct LayerSaved {
  NormSaved norm1, norm2;
  ProductSaved query, key, value;  ///< with joined keys and values both are in `key`
  RotationSaved queryRotation, keyRotation;
  AttentionSaved attention;
  ProductSaved output;
  SumSaved sum1, sum2;
  ProductSaved gate, up;  ///< with joined ones both are in `gate`
  ActivationSaved activation;
  GatedSaved gated;
  ProductSaved down;
};

/// Keys and values of the pieces so far, of one layer.
struct LayerCache {
  MemoryTensor key, value;
};

/// What every layer reads, and what it leaves for the pieces before.
struct SharedShadow {
  RotaryTables tables;
  LayerCache* cache = nullptr;      ///< nothing: there is none
  LayerCache* gradients = nullptr;  ///< of what the pieces behind read of the cache
};

/// A decoder layer of a shadow.
class LayerShadow {
 public:
  LayerShadow(RunShadow& run, ParameterShadow& parameters, int layer);

  /// Gives the layer's output; `saved` is filled where a backward pass follows.
  [[nodiscard]] MemoryTensor forward(const MemoryTensor& x,
                                     const SharedShadow& shared,
                                     LayerSaved& saved);
  /// Gives the gradient of the layer's input; lets go of `saved` on the way, unless the graph is
  /// walked once more.
  [[nodiscard]] MemoryTensor backward(MemoryTensor gradient,
                                      const SharedShadow& shared,
                                      LayerSaved& saved);

 private:
  using Operation = numerics::Operation;
  using Sizes = std::pair<std::uint64_t, std::uint64_t>;
  using Names = std::pair<std::string_view, std::string_view>;

  [[nodiscard]] std::string path(std::string_view name) const;
  [[nodiscard]] ProductShape shapeOf(std::string_view name, Sizes inOut) const;
  [[nodiscard]] NormShadow norm(std::string_view name) const {
    return {m_run, m_parameters, path(name)};
  }
  /// A product with a parameter.
  [[nodiscard]] MemoryTensor linear(std::string_view name,
                                    const MemoryTensor& x,
                                    Sizes inOut,
                                    ProductSaved& saved);
  [[nodiscard]] MemoryTensor linearBackward(std::string_view name,
                                            MemoryTensor gradient,
                                            Sizes inOut,
                                            ProductSaved& saved);
  /// Whether Fast-LLM makes one product of two modules.
  [[nodiscard]] bool areJoined(Names names) const;
  /// `inOut`: of one of them.
  [[nodiscard]] MemoryTensor joined(Names names,
                                    const MemoryTensor& x,
                                    Sizes inOut,
                                    ProductSaved& saved);
  [[nodiscard]] MemoryTensor joinedBackward(Names names,
                                            const MemoryTensor& gradient,
                                            Sizes inOut,
                                            ProductSaved& saved);
  [[nodiscard]] MemoryTensor rotated(std::string_view name,
                                     const MemoryTensor& x,
                                     const RotaryTables& tables,
                                     RotationSaved& saved);
  [[nodiscard]] MemoryTensor rotation(const SiteShadow& site,
                                      const MemoryTensor& x,
                                      const RotaryTables& tables,
                                      RotationSaved& saved);
  [[nodiscard]] MemoryTensor rotatedBackward(std::string_view name,
                                             MemoryTensor gradient,
                                             const RotaryTables& tables,
                                             RotationSaved& saved);
  [[nodiscard]] AttentionTensors projected(const MemoryTensor& x, LayerSaved& saved);
  [[nodiscard]] MemoryTensor projectedBackward(AttentionTensors gradients, LayerSaved& saved);
  [[nodiscard]] MemoryTensor attended(const MemoryTensor& x,
                                      const SharedShadow& shared,
                                      LayerSaved& saved);
  [[nodiscard]] AttentionTensors attendedBackward(MemoryTensor gradient,
                                                  const SharedShadow& shared,
                                                  LayerSaved& saved);
  void showShare(std::string_view name, const MemoryTensor& gradient, Sizes inOut);
  void append(AttentionTensors& own, LayerCache& cache);
  /// Adds what the pieces behind sent back, lets the piece's own go on, and keeps the rest.
  void cutGradients(AttentionTensors& own, LayerCache& behind);
  [[nodiscard]] MemoryTensor activated(const MemoryTensor& gate, ActivationSaved& saved);
  [[nodiscard]] MemoryTensor activation(const SiteShadow& site,
                                        const MemoryTensor& gate,
                                        ActivationSaved& saved);
  [[nodiscard]] MemoryTensor activatedBackward(MemoryTensor gradient, ActivationSaved& saved);
  [[nodiscard]] MemoryTensor multiplied(const SiteShadow& site,
                                        const MemoryTensor& active,
                                        const MemoryTensor& up,
                                        GatedSaved& saved);
  [[nodiscard]] MemoryTensor mlp(const MemoryTensor& x, LayerSaved& saved);
  [[nodiscard]] MemoryTensor mlpBackward(MemoryTensor gradient, LayerSaved& saved);
  /// The residual stream with what a branch adds to it.
  [[nodiscard]] MemoryTensor added(const MemoryTensor& x,
                                   const MemoryTensor& branch,
                                   SumSaved& saved);
  [[nodiscard]] MemoryTensor sum(const SiteShadow& site,
                                 const MemoryTensor& x,
                                 const MemoryTensor& branch);
  /// The gradients of both.
  [[nodiscard]] std::pair<MemoryTensor, MemoryTensor> addedBackward(const MemoryTensor& gradient,
                                                                    SumSaved& saved);

  RunShadow& m_run;
  ParameterShadow& m_parameters;
  int m_layer;
  std::uint64_t m_hidden, m_inner, m_query, m_keyValue;
};

}  // namespace ulp::analysis
