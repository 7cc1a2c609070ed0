#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/network/network.h"
#include "core/json/value.h"
#include "core/tensors/formats/gguf/gguf.h"

namespace ulp::engine {

/// Where a GGUF file holds a parameter.
struct GgufPlace {
  std::string name;
  /// Heads of a projection whose rows llama.cpp permuted; 0: rows as in Hugging Face.
  std::int64_t permutedHeads = 0;
};

/// A model family: what its configurations mean. One file in families/plugins/ makes one.
class Family {
 public:
  virtual ~Family() = default;
  [[nodiscard]] virtual const FamilyInfo& info() const = 0;
  /// Fields of config.json that change the model, and that a study may therefore override.
  [[nodiscard]] virtual std::span<const std::string_view> configFields() const = 0;
  /// Builds the network. `source` names the configuration in errors. Errors: CorruptData (a field
  /// missing or of the wrong type), Unsupported (a value that this family does not know).
  [[nodiscard]] virtual Result<std::unique_ptr<Network>> configure(
      const json::Value& config, const std::string& source) const = 0;

  /// The metadata of a GGUF file as the config.json that it was made from.
  [[nodiscard]] virtual Result<json::Value> configFromGguf(const tensors::GgufFile& file) const = 0;
  [[nodiscard]] virtual GgufPlace placeInGguf(const std::string& parameter,
                                              const json::Value& config) const = 0;
  /// A tensor that a checkpoint may hold although the network has no parameter for it.
  [[nodiscard]] virtual bool isSpareTensor(std::string_view name,
                                           const json::Value& config) const = 0;

 protected:
  Family() = default;
  Family(const Family&) = default;
  Family& operator=(const Family&) = default;
};

class FamilyRegistry {
 public:
  void add(std::unique_ptr<Family> family);
  /// Finds the family by a name of `architectures`, or without any by `model_type` as the family's
  /// id. Errors: Unsupported, with the supported ones.
  [[nodiscard]] Result<const Family*> forConfig(const json::Value& config,
                                                const std::string& source) const;
  [[nodiscard]] Result<const Family*> forGguf(std::string_view architecture,
                                              const std::string& source) const;
  [[nodiscard]] const std::vector<std::unique_ptr<Family>>& families() const { return m_families; }

 private:
  std::vector<std::unique_ptr<Family>> m_families;
};

/// Adds every family of families/plugins/ (generated).
void registerBuiltin(FamilyRegistry& registry);

}  // namespace ulp::engine
