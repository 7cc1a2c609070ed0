#include "core/dumps/msprobe/json_text.h"

#include <algorithm>

#include "core/dumps/msprobe/python_text.h"
#include "core/json/dump.h"

namespace ulp::dumps::msprobe {
namespace {

bool isPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char each) {
    return each >= ' ' && each <= '~' && each != '"' && each != '\\';
  });
}

/// Depth is limited by whoever made the tree.
void append(std::string& out, const JsonTree& tree, const JsonNode& node) {
  switch (node.kind) {
    case JsonKind::Null:
      out += "null";
      return;
    case JsonKind::Bool:
      out += node.flag ? "true" : "false";
      return;
    case JsonKind::Integer:
      out += node.text;
      return;
    case JsonKind::Float:
      out += jsonFloat(node.number);
      return;
    case JsonKind::Text:
      out += jsonText(node.text);
      return;
    case JsonKind::List:
    case JsonKind::Object:
      break;
  }
  const bool isObject = node.kind == JsonKind::Object;
  out += isObject ? '{' : '[';
  for (std::uint32_t child = node.firstChild; child != kNoNode; child = tree[child].next) {
    if (child != node.firstChild) {
      out += ", ";
    }
    if (isObject) {
      out += jsonText(tree[child].key) + ": ";
    }
    append(out, tree, tree[child]);
  }
  out += isObject ? '}' : ']';
}

}  // namespace

std::string jsonText(std::string_view text) {
  if (isPlain(text)) {  // nearly all: a large dump has millions
    std::string plain;
    plain.reserve(text.size() + 2);
    plain += '"';
    plain += text;
    plain += '"';
    return plain;
  }
  return json::quoted(text, true);
}

std::string jsonText(const JsonTree& tree, const JsonNode& node) {
  std::string out;
  append(out, tree, node);
  return out;
}

}  // namespace ulp::dumps::msprobe
