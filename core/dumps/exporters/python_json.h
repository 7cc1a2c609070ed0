#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/files/file_writer.h"
#include "core/base/result.h"
#include "core/json/writer.h"

namespace ulp::dumps {

/// Writes JSON front to back as Python's json.dump does with an indent: the words NaN and Infinity
/// may stand for numbers, characters beyond ASCII are escaped. Little is in memory at a time. After
/// an error nothing more is written, and finish() returns it.
class PythonJson {
 public:
  explicit PythonJson(FileWriter file, int indent = 1)
      : m_file(std::move(file)), m_json({.indent = indent, .isAscii = true}) {}
  /// Begins a file. Error: Io with the path.
  [[nodiscard]] static Result<PythonJson> create(const std::filesystem::path& path, int indent = 1);

  PythonJson& beginObject() { return add(&json::Writer::beginObject); }
  PythonJson& endObject() { return add(&json::Writer::endObject); }
  PythonJson& beginList() { return add(&json::Writer::beginArray); }
  PythonJson& endList() { return add(&json::Writer::endArray); }
  PythonJson& key(std::string_view name) { return add(&json::Writer::key, name); }
  PythonJson& text(std::string_view value) {
    m_json.value(value);
    flushIfLarge();
    return *this;
  }
  /// JSON as it stands: "62", "NaN", "null", "true".
  PythonJson& word(std::string_view value) { return add(&json::Writer::raw, value); }
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
  /// Calls a function of the writer.
  template <class Write, class... Arguments>
  PythonJson& add(Write write, const Arguments&... arguments) {
    std::invoke(write, m_json, arguments...);
    flushIfLarge();
    return *this;
  }
  void flushIfLarge();
  void flush();

  FileWriter m_file;
  json::Writer m_json;
  Result<> m_state;
};

}  // namespace ulp::dumps
