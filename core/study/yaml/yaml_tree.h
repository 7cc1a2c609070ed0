#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/study/yaml/source_position.h"

namespace ulp::study {

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

/// The node as JSON text, which is YAML flow style, too. Plain scalars become null, booleans and
/// numbers as in the core schema of YAML 1.2; `.nan` and `.inf` stay text.
[[nodiscard]] std::string toJsonText(const YamlNode& node);

}  // namespace ulp::study
