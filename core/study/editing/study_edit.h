#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/study/schema/schema.h"
#include "core/study/yaml/yaml_edit.h"

/// Changes of a study in its text, by schema keys instead of YAML paths: a key may be written
/// nested or dotted. All functions return the new text; comments and layout stay (yaml_edit.h,
/// whose errors these have, too).
namespace ulp::study {

/// Whose settings a key belongs to: the study's, the reference's, or those of one variant.
struct KeyOwner {
  enum class Kind : std::uint8_t { Study, Reference, Variant };
  Kind kind = Kind::Study;
  std::string variant;

  friend bool operator==(const KeyOwner&, const KeyOwner&) = default;
};

using OverrideTexts = std::vector<std::pair<std::string, std::string>>;  ///< key, value as text

/// The value of a key as it is written; null: it is not.
[[nodiscard]] const YamlNode* writtenValue(const YamlNode& study,
                                           const KeyOwner& owner,
                                           std::string_view key);
/// A value of `key` from what a user typed: lists and objects are read as YAML, all else is one
/// scalar. Errors: InvalidArgument (no YAML).
[[nodiscard]] Result<YamlNode> valueFromText(const Key& key, std::string_view text);

/// Writes the key where it is, else beside its section, in the order of the schema.
[[nodiscard]] Result<std::string> setStudyKey(std::string_view yaml,
                                              const KeyOwner& owner,
                                              std::string_view key,
                                              const YamlNode& value);
/// Removes it, and its section when nothing is left in it; no error where it is not set.
[[nodiscard]] Result<std::string> resetStudyKey(std::string_view yaml,
                                                const KeyOwner& owner,
                                                std::string_view key);

/// Where a variant is written, for copyYaml(), renameYaml() and removeYaml().
[[nodiscard]] YamlPath variantPath(std::string_view name);
/// Lists the names of the variants in the order of the file.
[[nodiscard]] std::vector<std::string> variantNames(const YamlNode& study);
/// `base`, or `base_2`, `base_3` … where that is taken.
[[nodiscard]] std::string freeVariantName(const std::vector<std::string>& taken,
                                          std::string_view base);
/// Appends a variant to `variants`, which is made when missing.
[[nodiscard]] Result<std::string> addVariant(std::string_view yaml,
                                             std::string_view name,
                                             const OverrideTexts& overrides);
/// The variant becomes the `to`-th.
[[nodiscard]] Result<std::string> moveVariant(std::string_view yaml,
                                              std::string_view name,
                                              std::size_t to);

}  // namespace ulp::study
