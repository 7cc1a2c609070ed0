#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp::study {

/// Position in the text, from 1; 0: not from a file.
struct SourcePosition {
  int line = 0;
  int column = 0;
};
/// "study.yaml:3:7", or the origin alone.
[[nodiscard]] std::string placeIn(std::string_view origin, SourcePosition position);

/// YAML as a plain tree with positions, so that yaml-cpp stays inside one file.
struct YamlNode {
  enum class Kind : std::uint8_t { Null, Scalar, List, Map };
  struct Entry;

  Kind kind = Kind::Null;
  bool quoted = false;  ///< of a scalar: text whatever it looks like
  std::string text;     ///< of a scalar
  SourcePosition position;
  std::vector<YamlNode> items;  ///< of a list
  std::vector<Entry> entries;   ///< of a map, in order, repeated keys kept

  /// The first entry of a key; null: the map has none, or it is no map.
  [[nodiscard]] const Entry* find(std::string_view key) const;
  /// The node at the end of these keys; null: there is none.
  [[nodiscard]] const YamlNode* at(const std::vector<std::string>& path) const;
};

struct YamlNode::Entry {
  std::string key;
  SourcePosition position;
  YamlNode value;
};

inline constexpr int kMostYamlLevels = 64;

/// Parses one YAML document. An empty text is a Null node. Errors (InvalidArgument) read
/// `origin:line:column: what`: syntax, several documents, a key that is not a scalar, more than
/// kMostYamlLevels or 100,000 nodes (aliases are expanded).
[[nodiscard]] Result<YamlNode> parseYaml(std::string_view yaml, std::string_view origin);

/// What YAML 1.2 says "true" and "False" are; nothing for other texts.
[[nodiscard]] std::optional<bool> parseYamlBoolean(std::string_view text);

/// The node as JSON text, which is YAML flow style, too. Plain scalars become null, booleans and
/// numbers as in the core schema of YAML 1.2; `.nan` and `.inf` stay text.
[[nodiscard]] std::string toJsonText(const YamlNode& node);

}  // namespace ulp::study
