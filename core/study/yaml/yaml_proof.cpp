#include "core/study/yaml/yaml_proof.h"

#include <algorithm>

namespace ulp::study {

using Kind = YamlNode::Kind;

namespace {

/// An empty map and no value say the same.
bool isNothing(const YamlNode& node) {
  return node.kind == Kind::Null || (node.kind == Kind::Map && node.entries.empty());
}

}  // namespace

bool means(const YamlNode& a, const YamlNode& b) {
  if (isNothing(a) || isNothing(b)) {
    return isNothing(a) && isNothing(b);
  }
  const auto sameEntry = [](const YamlNode::Entry& x, const YamlNode::Entry& y) {
    return x.key == y.key && means(x.value, y.value);
  };
  return a.kind == b.kind && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), means) &&
         std::equal(
             a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), sameEntry);
}

YamlNode& nodeAt(YamlNode& root, const YamlPath& path) {
  YamlNode* node = &root;
  for (const std::string& key : path) {
    node = &std::find_if(node->entries.begin(), node->entries.end(), [&](const auto& entry) {
              return entry.key == key;
            })->value;
  }
  return *node;
}

tl::unexpected<Error> refuse() {
  return fail(ErrorCode::Unsupported,
              "this part of the YAML is shared through an anchor or written in a way that cannot "
              "be changed here; edit the text");
}

Result<std::string> proven(std::string text, const YamlNode& expected) {
  const auto tree = parseYaml(text, "study");
  if (!tree || !means(*tree, expected)) {
    return refuse();
  }
  return text;
}

}  // namespace ulp::study
