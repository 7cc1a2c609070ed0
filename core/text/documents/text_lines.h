#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/files/mapped_file.h"
#include "core/base/result.h"
#include "core/json/value.h"

namespace ulp::text {

/// The lines of a text file, read as they are asked for, without their ends and a byte order mark.
class TextLines {
 public:
  /// Errors: those of MappedFile.
  [[nodiscard]] static Result<TextLines> open(const std::filesystem::path& path);

  /// Valid as long as the object lives; nothing at the end.
  [[nodiscard]] std::optional<std::string_view> next();
  /// The next line that is not blank.
  [[nodiscard]] std::optional<std::string_view> nextFilled();

  /// Gives the place of the line that was read last: "data.jsonl:12".
  [[nodiscard]] std::string place() const;
  /// Gives the text that has not been read yet.
  [[nodiscard]] std::string_view rest() const { return m_rest; }
  [[nodiscard]] const std::filesystem::path& path() const { return m_file->path(); }
  /// Checks whether what was read may be believed. Error: that of MappedFile::checkIntact().
  [[nodiscard]] Result<> checkIntact() const { return m_file->checkIntact(); }
  /// True for .jsonl, .ndjson and .json: each line is an object.
  [[nodiscard]] bool areJson() const;
  /// Parses a line of such a file. Errors: CorruptData (no JSON object), with the place of the line
  /// that was read last.
  [[nodiscard]] Result<json::Value> parseRow(std::string_view line) const;

 private:
  explicit TextLines(std::shared_ptr<const MappedFile> file);

  std::shared_ptr<const MappedFile> m_file;
  std::string_view m_rest;
  std::size_t m_line = 0;  ///< from 1
};

/// Spaces alone.
[[nodiscard]] bool isBlank(std::string_view line);

/// "'text', 'id'", or "none".
[[nodiscard]] std::string fieldNamesOf(const json::Value& row);

}  // namespace ulp::text
