#include "core/dumps/exporters/python_json.h"

#include <span>
#include <utility>

#include "core/dumps/msprobe/json_tree.h"
#include "core/dumps/msprobe/python_text.h"
#include "core/json/dump.h"

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

Result<PythonJson> PythonJson::create(const std::filesystem::path& path, std::size_t indent) {
  auto file = ULP_TRY(FileWriter::create(path));
  return PythonJson(std::move(file), indent);
}

void PythonJson::append(std::string_view bytes) {
  m_buffer += bytes;
  if (m_buffer.size() > kBuffer) {
    flush();
  }
}

void PythonJson::flush() {
  if (m_state) {
    m_state = m_file.write(std::as_bytes(std::span(m_buffer)));
  }
  m_buffer.clear();
}

void PythonJson::next() {
  if (std::exchange(m_isAfterKey, false) || m_counts.empty()) {
    return;
  }
  append(m_counts.back() == 0 ? "\n" : ",\n");
  append(margin());
  ++m_counts.back();
}

std::string PythonJson::margin() const {
  return std::string(m_counts.size() * m_indent, ' ');
}

PythonJson& PythonJson::begin(char bracket) {
  next();
  append({&bracket, 1});
  m_counts.push_back(0);
  return *this;
}

PythonJson& PythonJson::end(char bracket) {
  const bool isEmpty = m_counts.back() == 0;
  m_counts.pop_back();
  if (!isEmpty) {
    append("\n" + margin());
  }
  append({&bracket, 1});
  return *this;
}

PythonJson& PythonJson::key(std::string_view name) {
  next();
  append(json::quoted(name, true) + ": ");
  m_isAfterKey = true;
  return *this;
}

PythonJson& PythonJson::text(std::string_view value) {
  next();
  append(json::quoted(value, true));
  return *this;
}

PythonJson& PythonJson::word(std::string_view value) {
  next();
  append(value);
  return *this;
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
