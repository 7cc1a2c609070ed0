#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/files/file_writer.h"
#include "core/base/result.h"

namespace ulp::dumps {

/// Writes JSON front to back as Python's json.dump does with an indent: the words NaN and Infinity
/// may stand for numbers, characters beyond ASCII are escaped. Little is in memory at a time. After
/// an error nothing more is written, and finish() returns it.
class PythonJson {
 public:
  explicit PythonJson(FileWriter file, std::size_t indent = 1)
      : m_file(std::move(file)), m_indent(indent) {}
  /// Begins a file. Error: Io with the path.
  [[nodiscard]] static Result<PythonJson> create(const std::filesystem::path& path,
                                                 std::size_t indent = 1);

  PythonJson& beginObject() { return begin('{'); }
  PythonJson& endObject() { return end('}'); }
  PythonJson& beginList() { return begin('['); }
  PythonJson& endList() { return end(']'); }
  PythonJson& key(std::string_view name);
  PythonJson& text(std::string_view value);
  /// JSON as it stands: "62", "NaN", "null", "true".
  PythonJson& word(std::string_view value);
  PythonJson& real(double value);
  PythonJson& flag(bool value) { return word(value ? "true" : "false"); }
  /// A list.
  PythonJson& texts(std::span<const std::string> values);
  /// An object of JSON, as DumpRow::argument holds it. Of text that breaks off or is no object, the
  /// complete members. Its data_name is left out: the file stays behind.
  PythonJson& argument(std::string_view object);

  /// The file gets its name. Error: Io.
  [[nodiscard]] Result<> finish(Durability durability = Durability::WithItsFolder);

 private:
  PythonJson& begin(char bracket);
  [[nodiscard]] std::string margin() const;
  PythonJson& end(char bracket);
  /// Puts the comma and the line break in front of a value or key.
  void next();
  void append(std::string_view bytes);
  void flush();

  FileWriter m_file;
  std::size_t m_indent;
  Result<> m_state;
  std::string m_buffer;
  std::vector<std::size_t> m_counts;  ///< of what stands in each open list or object
  bool m_isAfterKey = false;
};

}  // namespace ulp::dumps
