#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/families/family.h"
#include "core/json/value.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::engine {

/// What a ModelRequest leads to on disk.
struct ModelSource {
  std::string name;
  const Family* family = nullptr;
  json::Value config;        ///< with overrides, standardised
  std::string configOrigin;  ///< file, and what changes it, that errors name
  bool layersOverridden = false;
  bool isGguf = false;
  tensors::TensorArchivePtr weights;               ///< null: random
  std::vector<std::filesystem::path> weightFiles;  ///< in the order of the digest
};

/// Finds config and weights and chooses the family. Errors: NotFound, CorruptData, Unsupported,
/// InvalidArgument (override of a field that the family does not have).
[[nodiscard]] Result<ModelSource> resolveModel(const FamilyRegistry& registry,
                                               const ModelRequest& request);

}  // namespace ulp::engine
