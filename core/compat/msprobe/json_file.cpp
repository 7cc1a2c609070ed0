#include "core/compat/msprobe/json_file.h"

#include <utility>

namespace ulp::compat::msprobe {

namespace fs = std::filesystem;
using dumps::PythonJson;
using dumps::msprobe::JsonKind;
using dumps::msprobe::JsonNode;
using dumps::msprobe::JsonTree;
using dumps::msprobe::kNoNode;

Result<PythonJson> createJsonFile(const fs::path& file, std::size_t indent) {
  if (auto made = makeFolder(file.parent_path()); !made) {
    return tl::unexpected<Error>(std::move(made.error()));
  }
  auto writer = tensors::FileWriter::create(file);
  return writer ? Result<PythonJson>(PythonJson(std::move(*writer), indent))
                : tl::unexpected<Error>(std::move(writer.error()));
}

Result<> finishJsonFile(PythonJson& json, const fs::path& file, CompareOutcome& outcome) {
  auto finished = json.finish(tensors::Durability::Synced);
  if (finished) {
    outcome.files.push_back(file);
  }
  return finished;
}

void writeCell(PythonJson& json, const Cell& cell) {
  switch (cell.kind) {
    case dumps::msprobe::ScalarKind::Float:
      json.real(cell.number);
      return;
    case dumps::msprobe::ScalarKind::Integer:
      json.word(cell.text);
      return;
    default:
      json.text(cell.text);
  }
}

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
  if (isObject) {
    json.beginObject();
  } else {
    json.beginList();
  }
  for (std::uint32_t child = node.firstChild; child != kNoNode; child = tree[child].next) {
    if (isObject) {
      json.key(tree[child].key);
    }
    writeTree(json, tree, tree[child]);
  }
  if (isObject) {
    json.endObject();
  } else {
    json.endList();
  }
}

Result<> FindingsFile::add(std::string_view process,
                           const std::function<void(PythonJson& json)>& describe) {
  if (!m_json) {
    constexpr std::size_t kIndent = 2;
    auto created = createJsonFile(m_file, kIndent);
    if (!created) {
      return tl::unexpected<Error>(std::move(created.error()));
    }
    m_json.emplace(std::move(*created));
    m_json->beginObject();
  }
  m_json->key(process).beginList();
  describe(*m_json);
  m_json->endList();
  return {};
}

Result<> FindingsFile::finish(CompareOutcome& outcome) {
  if (!m_json) {
    return {};
  }
  m_json->endObject();
  return finishJsonFile(*m_json, m_file, outcome);
}

}  // namespace ulp::compat::msprobe
