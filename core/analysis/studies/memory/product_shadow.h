#pragma once

#include <cstdint>
#include <string>

#include "core/analysis/studies/memory/run_shadow.h"
#include "core/numerics/rounding/operation_formats.h"

namespace ulp::analysis {

/// A product of rows with a parameter: core/engine/network/layers.cpp, of linear modules of layers
/// also precision/float8_product.cpp.
struct ProductShape {
  std::string parameter;
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  numerics::Operation from = numerics::Operation::Compute;  ///< that gives the rows
  numerics::Operation operation = numerics::Operation::Compute;
  bool isInLayer = true;
};

/// What it leaves for the backward pass.
struct ProductSaved {
  MemoryTensor input;   ///< as it is read
  MemoryTensor weight;  ///< as it is read; nothing: the parameter itself
};

/// Gives the result.
[[nodiscard]] MemoryTensor product(RunShadow& run,
                                   const ProductShape& shape,
                                   const MemoryTensor& x,
                                   ProductSaved& saved);
/// Gives the gradient of the rows, as the product read them, and makes that of the parameter; lets
/// go of `saved` unless the graph is walked once more.
[[nodiscard]] MemoryTensor productBackward(RunShadow& run,
                                           const ProductShape& shape,
                                           MemoryTensor gradient,
                                           ProductSaved& saved);

}  // namespace ulp::analysis
