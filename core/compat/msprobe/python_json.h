#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compat/msprobe/table_file.h"
#include "core/dumps/msprobe/json_tree.h"

namespace ulp::compat::msprobe {

/// JSON as Python's json.dump() writes it with an indent: NaN and infinities as bare words, all
/// that is not ASCII escaped.
class PythonJson {
 public:
  explicit PythonJson(std::size_t indent) : m_indent(indent) {}

  void beginObject() { begin('{'); }
  void endObject() { end('}'); }
  void beginList() { begin('['); }
  void endList() { end(']'); }
  void key(std::string_view name);
  void text(std::string_view value);
  void flag(bool value) { raw(value ? "true" : "false"); }
  void scalar(const Cell& cell);
  void texts(const std::vector<std::string>& values);
  /// A value with all that it holds.
  void tree(const dumps::msprobe::JsonTree& tree, const dumps::msprobe::JsonNode& node);
  [[nodiscard]] const std::string& written() const { return m_out; }

 private:
  void begin(char bracket);
  void end(char bracket);
  void raw(std::string_view value);
  void place();
  void newLine();

  std::size_t m_indent;
  std::string m_out;
  std::vector<bool> m_isEmpty;  ///< of each object and list that is open
  bool m_isAfterKey = false;
};

}  // namespace ulp::compat::msprobe
