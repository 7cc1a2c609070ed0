#include "core/dumps/msprobe/json_tree.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/dumps/msprobe/python_text.h"
#include "core/json/dump.h"

namespace ulp::dumps::msprobe {
namespace {

/// How a language writes values.
struct Notation {
  std::string_view null;
  std::string_view yes;
  std::string_view no;
  std::string (*real)(double value);
  std::string (*quoted)(std::string_view text);
};
constexpr Notation kPython{"None", "True", "False", pythonFloat, pythonQuoted};
constexpr Notation kJson{"null", "true", "false", jsonFloat, [](std::string_view text) {
                           return json::quoted(text, true);
                         }};

/// Depth is limited by whoever made the tree.
void append(std::string& out,
            const JsonTree& tree,
            const JsonNode& node,
            const Notation& notation) {
  switch (node.kind) {
    case JsonKind::Null:
      out += notation.null;
      return;
    case JsonKind::Bool:
      out += node.flag ? notation.yes : notation.no;
      return;
    case JsonKind::Integer:
      out += node.text;
      return;
    case JsonKind::Float:
      out += notation.real(node.number);
      return;
    case JsonKind::Text:
      out += notation.quoted(node.text);
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
      out += notation.quoted(tree[child].key) + ": ";
    }
    append(out, tree, tree[child], notation);
  }
  out += isObject ? '}' : ']';
}

/// Objects of leaves are small, and there are very many of them.
constexpr std::uint32_t kSmallObject = 16;

bool hasDuplicates(const JsonTree& tree, const JsonNode& object) {
  for (std::uint32_t first = object.firstChild; first != kNoNode; first = tree[first].next) {
    for (std::uint32_t other = tree[first].next; other != kNoNode; other = tree[other].next) {
      if (tree[first].key == tree[other].key) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

void JsonTree::clear() {
  m_nodes.clear();
  m_texts.release();
}

std::string_view JsonTree::keep(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  auto* copy = static_cast<char*>(m_texts.allocate(text.size(), 1));
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

const JsonNode* JsonTree::find(const JsonNode& object, std::string_view key) const {
  if (object.kind != JsonKind::Object) {
    return nullptr;
  }
  for (std::uint32_t child = object.firstChild; child != kNoNode; child = m_nodes[child].next) {
    if (m_nodes[child].key == key) {
      return &m_nodes[child];
    }
  }
  return nullptr;
}

std::uint32_t JsonTree::add(std::uint32_t parent, std::string_view key, const JsonNode& value) {
  const auto added = static_cast<std::uint32_t>(m_nodes.size());
  JsonNode& node = m_nodes.emplace_back(value);
  node.key = keep(key);
  node.text = keep(value.text);
  if (parent != kNoNode) {
    JsonNode& above = m_nodes[parent];
    if (above.firstChild == kNoNode) {
      above.firstChild = added;
    } else {
      m_nodes[above.lastChild].next = added;
    }
    above.lastChild = added;
    ++above.childCount;
  }
  return added;
}

void JsonTree::mergeDuplicates(std::uint32_t object) {
  if (m_nodes[object].childCount <= kSmallObject && !hasDuplicates(*this, m_nodes[object])) {
    return;
  }
  std::unordered_map<std::string_view, std::uint32_t> seen;
  std::uint32_t previous = kNoNode;
  std::uint32_t child = m_nodes[object].firstChild;
  while (child != kNoNode) {
    const std::uint32_t next = m_nodes[child].next;
    const auto [place, isNew] = seen.try_emplace(m_nodes[child].key, child);
    if (isNew) {
      previous = child;
    } else {
      const std::uint32_t after = m_nodes[place->second].next;
      m_nodes[place->second] = m_nodes[child];
      m_nodes[place->second].next = after;
      m_nodes[previous].next = next;
      --m_nodes[object].childCount;
    }
    child = next;
  }
  m_nodes[object].lastChild = previous;
}

std::string printed(const JsonTree& tree, const JsonNode& node) {
  std::string out;
  if (node.kind == JsonKind::Text) {
    out = node.text;
  } else {
    append(out, tree, node, kPython);
  }
  return out;
}

std::string jsonText(const JsonTree& tree, const JsonNode& node) {
  std::string out;
  append(out, tree, node, kJson);
  return out;
}

}  // namespace ulp::dumps::msprobe
