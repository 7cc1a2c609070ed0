#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/studies/memory/parameter_shadow.h"
#include "core/analysis/studies/memory/site_shadow.h"

namespace ulp::analysis {

/// A product of rows with a parameter: core/engine/network/layers.cpp, of linear modules of layers
/// also precision/float8_product.cpp.
struct ProductShape {
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  numerics::Operation operation = numerics::Operation::Compute;
  bool isFloat8 = false;
};

/// What it leaves for the backward pass.
struct ProductSaved {
  ParameterUse use;
  DType type = DType::Float32;  ///< of the rows
  MemoryTensor input;           ///< as it is read
  MemoryTensor weight;          ///< as it is read
  SplitInputs inputs;

  /// The forward pass is done: who needs the parameter itself holds it.
  void letGo(RunShadow& run, const std::string& module) {
    const bool isKept = use.isWanted || run.at(module).isSplit();
    if (!run.step().backward || !isKept) {
      use.elements.reset();
    }
  }
  void reset() {
    input.reset();
    weight.reset();
  }
};

/// Gives the result.
[[nodiscard]] MemoryTensor product(const SiteShadow& site,
                                   const ProductShape& shape,
                                   const MemoryTensor& x,
                                   ProductSaved& saved);
/// Gives the gradient of the rows, and leaves that of the parameter.
[[nodiscard]] MemoryTensor productBackward(const SiteShadow& site,
                                           ParameterShadow& parameters,
                                           const ProductShape& shape,
                                           MemoryTensor gradient,
                                           ProductSaved& saved);

}  // namespace ulp::analysis
