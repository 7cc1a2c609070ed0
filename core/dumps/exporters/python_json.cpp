#include "core/dumps/exporters/python_json.h"

#include <span>
#include <utility>

#include "core/dumps/msprobe/json_tree.h"
#include "core/dumps/msprobe/python_text.h"

namespace ulp::dumps {
namespace {

using msprobe::JsonKind;
using msprobe::JsonNode;
using msprobe::JsonTree;

constexpr std::size_t kBuffer = std::size_t{1} << 18;

/// Writes a node with all below it as the next value. The reader of a tree limits its depth.
void writeTree(PythonJson& json, const JsonTree& tree, const JsonNode& node) {
  const bool isObject = node.kind == JsonKind::Object;
  if (!isObject && node.kind != JsonKind::List) {
    json.word(msprobe::jsonText(tree, node));
    return;
  }
  isObject ? json.beginObject() : json.beginList();
  for (std::uint32_t child = node.firstChild; child != msprobe::kNoNode; child = tree[child].next) {
    if (isObject) {
      json.key(tree[child].key);
    }
    writeTree(json, tree, tree[child]);
  }
  isObject ? json.endObject() : json.endList();
}

}  // namespace

Result<PythonJson> PythonJson::create(const std::filesystem::path& path, int indent) {
  auto file = ULP_TRY(FileWriter::create(path));
  return PythonJson(std::move(file), indent);
}

void PythonJson::flushIfLarge() {
  if (m_json.size() > kBuffer) {
    flush();
  }
}

void PythonJson::flush() {
  const std::string text = m_json.drain();
  if (m_state) {
    m_state = m_file.write(std::as_bytes(std::span(text)));
  }
}

PythonJson& PythonJson::real(double value) {
  return word(msprobe::jsonFloat(value));
}

PythonJson& PythonJson::texts(std::span<const std::string> values) {
  beginList();
  for (const std::string& value : values) {
    text(value);
  }
  return endList();
}

PythonJson& PythonJson::argument(std::string_view object) {
  beginObject();
  static_cast<void>(msprobe::streamMembers(
      object, {}, [&](bool /*isInside*/, std::string_view name, const JsonTree& value) {
        if (name != "data_name") {
          key(name);
          writeTree(*this, value, value.root());
        }
      }));
  return endObject();
}

Result<> PythonJson::finish(Durability durability) {
  flush();
  return m_state ? m_file.commit(durability) : m_state;
}

}  // namespace ulp::dumps
