#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/result.h"
#include "core/compat/comparator.h"
#include "core/compat/msprobe/files/table_file.h"
#include "core/dumps/exporters/python_json.h"

/// Results of msprobe that are no tables.
namespace ulp::compat::msprobe {

/// Begins a file; its folder is made. Error: Io with the path.
[[nodiscard]] Result<dumps::PythonJson> createJsonFile(const std::filesystem::path& file,
                                                       std::size_t indent);
/// The file gets its name and is added to the outcome. Error: Io with the path.
[[nodiscard]] Result<> finishJsonFile(dumps::PythonJson& json,
                                      const std::filesystem::path& file,
                                      CompareOutcome& outcome);

void writeCell(dumps::PythonJson& json, const Cell& cell);

/// `{"rank_0": [{…}], …}`: what was found in each process. No file where nothing was.
class FindingsFile {
 public:
  explicit FindingsFile(std::filesystem::path file) : m_file(std::move(file)) {}

  [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
  /// `describe` writes one value. Error: Io with the path.
  [[nodiscard]] Result<> add(std::string_view process,
                             const std::function<void(dumps::PythonJson& json)>& describe);
  /// Finishes the file as finishJsonFile() does.
  [[nodiscard]] Result<> finish(CompareOutcome& outcome);

 private:
  std::filesystem::path m_file;
  std::optional<dumps::PythonJson> m_json;
};

}  // namespace ulp::compat::msprobe
