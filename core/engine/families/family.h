#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
struct Family {
  FamilyInfo info;
  /// Fields of config.json that change the model, and that a study may therefore override.
  std::span<const std::string_view> configFields;
  /// Builds the network. `source` names the configuration in errors. Errors: CorruptData (a field
  /// missing or of the wrong type), Unsupported (a value that this family does not know).
  Result<std::unique_ptr<Network>> (*configure)(const json::Value& config,
                                                const std::string& source) = nullptr;
  /// The metadata of a GGUF file as the config.json that it was made from.
  Result<json::Value> (*configFromGguf)(const tensors::GgufFile& file) = nullptr;
  GgufPlace (*placeInGguf)(const std::string& parameter, const json::Value& config) = nullptr;
  /// Of a tensor that a checkpoint may hold although the network has no parameter for it.
  bool (*isSpareTensor)(std::string_view name, const json::Value& config) = nullptr;
};

class FamilyRegistry {
 public:
  void add(Family family) { m_families.push_back(std::move(family)); }
  /// Finds the family by a name of `architectures`, or without any by `model_type` as the family's
  /// id; the result holds until another is added. Errors: Unsupported, with the supported ones.
  [[nodiscard]] Result<const Family*> forConfig(const json::Value& config,
                                                const std::string& source) const;
  [[nodiscard]] Result<const Family*> forGguf(std::string_view architecture,
                                              const std::string& source) const;
  [[nodiscard]] const std::vector<Family>& families() const { return m_families; }

 private:
  std::vector<Family> m_families;
};

/// Adds every family of families/plugins/ (generated).
void registerBuiltin(FamilyRegistry& registry);

// What llama.cpp's conversion keeps of a decoder-only model with gated MLPs, read back
// (gguf_decoder.cpp). Shared by the families whose files differ in the prefix of their keys alone.

/// Sizes, epsilon, rotary parameters, biases and tying as fields of a Hugging Face config.json;
/// `prefix` is the architecture ("llama"). Errors: CorruptData (a size is missing, of another
/// type), Unsupported (experts, biases on some attention projections only).
[[nodiscard]] Result<json::Value> decoderConfigFromGguf(const tensors::GgufFile& file,
                                                        const std::string& prefix);
/// `model.layers.3.mlp.up_proj.weight` -> `blk.3.ffn_up.weight`; an unknown name stays as it is.
[[nodiscard]] std::string decoderNameInGguf(const std::string& parameter);

}  // namespace ulp::engine
