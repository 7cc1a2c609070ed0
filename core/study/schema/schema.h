#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ulp::study {

enum class ValueType : std::uint8_t {
  Text,
  Path,
  Integer,
  Number,
  Boolean,
  DTypeName,
  Choice,
  Name,         ///< one of the key's choices, or another word
  DeviceName,   ///< auto, cpu, cuda, cuda:N
  PatternList,  ///< list of regular expressions (ECMAScript)
  NameList,     ///< list of some of the key's choices
  Object,
  RuleList,      ///< of precision.rules (precision_rules.h)
  DocumentList,  ///< of input.documents (loss_values.h)
  RangeList,     ///< of input.unlabelled
  LossTermList   ///< of loss.terms
};

/// Where a key may be set. Variants override run settings only: model, input and output are shared
/// by all runs of a study.
enum class KeyScope : std::uint8_t { Study, Run };

/// One row of the table that drives validation, help, completion and the editor.
struct Key {
  std::string_view path{};  ///< "precision.compute_dtype"
  ValueType type = ValueType::Text;
  KeyScope scope = KeyScope::Study;
  /// As YAML; empty: required (model.path), none (input.path), or what help says that it follows.
  std::string_view defaultText{};
  std::vector<std::string_view> choices{};  ///< of Choice, DTypeName, Name and NameList
  std::optional<double> minimum{};
  std::optional<double> maximum{};
  std::string_view help{};  ///< one or two sentences
};

/// Lists all keys (schema_keys.cpp).
[[nodiscard]] std::span<const Key> schemaKeys();
[[nodiscard]] const Key* findKey(std::string_view path);
/// The dotted path nearest to a misspelt one, or empty when none is near. One that is written
/// without its first parts is near whatever the distance.
[[nodiscard]] std::string_view nearestPath(std::string_view path,
                                           const std::vector<std::string_view>& known);
/// The same among all keys.
[[nodiscard]] std::string_view nearestKey(std::string_view path);
/// Aligned plain-text table of all keys: path, type, default, choices, help (`ulpscope-cli
/// schema`).
[[nodiscard]] std::string schemaHelp();
/// Writes the keys as a Markdown table, as it stands in docs/study.md.
[[nodiscard]] std::string schemaMarkdown();

/// The section ("precision") nearest to a misspelt one, or empty.
[[nodiscard]] std::string_view nearestSection(std::string_view path);
/// True when `path` is a section that holds keys ("precision"), not a key itself.
[[nodiscard]] bool isSection(std::string_view path);
[[nodiscard]] std::string_view toString(ValueType type);
/// Lists and maps, which are written and read as YAML of their own.
[[nodiscard]] bool isStructuredType(ValueType type);

}  // namespace ulp::study
