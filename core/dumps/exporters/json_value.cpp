#include "core/dumps/exporters/json_value.h"

#include "core/dumps/msprobe/json_stream.h"

namespace ulp::dumps {

using msprobe::JsonKind;
using msprobe::JsonNode;
using msprobe::JsonTree;

void writeTree(PythonJson& json, const JsonTree& tree, const JsonNode& node) {
  switch (node.kind) {
    case JsonKind::Null:
      json.word("null");
      return;
    case JsonKind::Bool:
      json.flag(node.flag);
      return;
    case JsonKind::Integer:
      json.word(node.text);
      return;
    case JsonKind::Float:
      json.real(node.number);
      return;
    case JsonKind::Text:
      json.text(node.text);
      return;
    case JsonKind::List:
    case JsonKind::Object:
      break;
  }
  const bool isObject = node.kind == JsonKind::Object;
  isObject ? json.beginObject() : json.beginList();
  for (std::uint32_t child = node.firstChild; child != msprobe::kNoNode; child = tree[child].next) {
    if (isObject) {
      json.key(tree[child].key);
    }
    writeTree(json, tree, tree[child]);
  }
  isObject ? json.endObject() : json.endList();
}

void writeJson(PythonJson& json, std::string_view object) {
  // No member is to be taken apart: none has this name.
  constexpr std::string_view kNoMember("\0", 1);
  json.beginObject();
  (void)msprobe::streamMembers(
      object, kNoMember, [&](bool /*isInside*/, std::string_view key, const JsonTree& value) {
        if (key != "data_name") {
          json.key(key);
          writeTree(json, value, value.root());
        }
        return true;
      });
  json.endObject();
}

}  // namespace ulp::dumps
