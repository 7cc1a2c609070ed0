#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp::study {

/// Bytes [begin, end) of a text.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Finds where the line of a place begins.
[[nodiscard]] std::size_t lineStart(std::string_view text, std::size_t position);

/// Where the parts of a YAML document stand in its text: what YamlNode means, as it is written.
struct YamlLayout {
  enum class Kind : std::uint8_t { Null, Scalar, Alias, List, Map };
  struct Entry;

  Kind kind = Kind::Null;
  bool isFlow = false;     ///< of a list or map: in brackets
  bool hasAnchor = false;  ///< named with & for use elsewhere
  TextSpan span;           ///< without anchor and tag; of Null: empty, where the value would stand
  std::size_t column = 0;  ///< of a block list or map: indentation of its entries
  std::vector<YamlLayout> items;  ///< of a list; TextSpan of the value alone
  std::vector<Entry> entries;     ///< of a map, in order
};

struct YamlLayout::Entry {
  TextSpan key;           ///< with its quotes
  std::size_t colon = 0;  ///< of a key without colon in a flow map: the key's end
  YamlLayout value;
};

/// Errors (Unsupported): a construct that it does not know (explicit keys, a pair as item of a flow
/// list, several documents, keys behind an item's dash are known). `yaml` should be valid; what is
/// not valid gives an error or a layout that does not fit the tree of parseYaml().
[[nodiscard]] Result<YamlLayout> layOutYaml(std::string_view yaml);

}  // namespace ulp::study
