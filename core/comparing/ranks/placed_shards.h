#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/text/sentence.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/model/tensor_recipe.h"

/// Tensors whose rows say themselves how the ranks hold them (dumps::Placement).
namespace ulp::analysis {

struct PlacedShard {
  dumps::DumpRow row;
  dumps::TensorRecipe recipe;
};

/// Every row says where it lies, and they are parts of a whole rather than the same.
[[nodiscard]] bool arePlacedShards(const std::vector<PlacedShard>& parts);
/// Every row says where it lies, and that the others have the same.
[[nodiscard]] bool arePlacedReplicas(const std::vector<PlacedShard>& parts);

struct PlacedWhole {
  PlacedShard whole{};
  Sentence problem{};  ///< empty: there is none
};
/// Puts them together: parts along a dimension one behind the other, summands as their sum,
/// replicas as one; pieces of its elements in one dimension (FSDP 1) get its shape. What lies along
/// dimensions of the mesh in which the ranks do not differ stays a part.
[[nodiscard]] PlacedWhole wholeOf(std::vector<PlacedShard> parts);

using PlacementPtr = std::shared_ptr<const dumps::Placement>;
/// Where rows that were put one behind the other along `dim`, whatever they say, lie among those of
/// other ranks, in their order. Null: they do not all say it.
[[nodiscard]] PlacementPtr placementBehind(const std::vector<PlacementPtr>& parts, std::size_t dim);

}  // namespace ulp::analysis
