#include "core/compat/msprobe/files/json_file.h"

#include <utility>

namespace ulp::compat::msprobe {

namespace fs = std::filesystem;
using dumps::PythonJson;

Result<PythonJson> createJsonFile(const fs::path& file, std::size_t indent) {
  ULP_TRY(makeFolder(file.parent_path()));
  return PythonJson::create(file, indent);
}

Result<> finishJsonFile(PythonJson& json, const fs::path& file, CompareOutcome& outcome) {
  auto finished = json.finish(Durability::Synced);
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
    case dumps::msprobe::ScalarKind::Flag:
      json.flag(cell.text == "True");
      return;
    default:
      json.text(cell.text);
  }
}

Result<> FindingsFile::add(std::string_view process,
                           const std::function<void(PythonJson& json)>& describe) {
  if (!m_json) {
    constexpr std::size_t kIndent = 2;
    auto created = ULP_TRY(createJsonFile(m_file, kIndent));
    m_json.emplace(std::move(created));
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
