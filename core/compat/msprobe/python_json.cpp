#include "core/compat/msprobe/python_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/dumps/msprobe/python_text.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::msprobe::JsonKind;
using dumps::msprobe::JsonNode;
using dumps::msprobe::JsonTree;
using dumps::msprobe::kNoNode;

std::string quoted(std::string_view text) {
  return nlohmann::json(std::string(text))
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string numberText(double number) {
  if (std::isnan(number)) {
    return "NaN";
  }
  if (std::isinf(number)) {
    return number > 0 ? "Infinity" : "-Infinity";
  }
  return dumps::msprobe::pythonFloat(number);
}

}  // namespace

void PythonJson::newLine() {
  m_out += '\n';
  m_out.append(m_isEmpty.size() * m_indent, ' ');
}

void PythonJson::place() {
  if (m_isAfterKey) {
    m_isAfterKey = false;
    return;
  }
  if (m_isEmpty.empty()) {
    return;
  }
  m_out += m_isEmpty.back() ? "" : ",";
  m_isEmpty.back() = false;
  newLine();
}

void PythonJson::begin(char bracket) {
  place();
  m_out += bracket;
  m_isEmpty.push_back(true);
}

void PythonJson::end(char bracket) {
  const bool wasEmpty = m_isEmpty.back();
  m_isEmpty.pop_back();
  if (!wasEmpty) {
    newLine();
  }
  m_out += bracket;
}

void PythonJson::raw(std::string_view value) {
  place();
  m_out += value;
}

void PythonJson::key(std::string_view name) {
  raw(quoted(name));
  m_out += ": ";
  m_isAfterKey = true;
}

void PythonJson::text(std::string_view value) {
  raw(quoted(value));
}

void PythonJson::scalar(const Cell& cell) {
  switch (cell.kind) {
    case dumps::msprobe::ScalarKind::Float:
      raw(numberText(cell.number));
      return;
    case dumps::msprobe::ScalarKind::Integer:
      raw(cell.text);
      return;
    default:
      text(cell.text);
  }
}

void PythonJson::texts(const std::vector<std::string>& values) {
  beginList();
  for (const std::string& value : values) {
    text(value);
  }
  endList();
}

void PythonJson::tree(const JsonTree& tree, const JsonNode& node) {
  switch (node.kind) {
    case JsonKind::Null:
      raw("null");
      return;
    case JsonKind::Bool:
      flag(node.flag);
      return;
    case JsonKind::Integer:
      raw(node.text);
      return;
    case JsonKind::Float:
      raw(numberText(node.number));
      return;
    case JsonKind::Text:
      text(node.text);
      return;
    case JsonKind::List:
    case JsonKind::Object:
      break;
  }
  const bool isObject = node.kind == JsonKind::Object;
  begin(isObject ? '{' : '[');
  for (std::uint32_t child = node.firstChild; child != kNoNode; child = tree[child].next) {
    if (isObject) {
      key(tree[child].key);
    }
    this->tree(tree, tree[child]);
  }
  end(isObject ? '}' : ']');
}

}  // namespace ulp::compat::msprobe
