#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/text/documents/text_lines.h"

namespace ulp::text {

struct Document {
  std::string text;
  std::string place;  ///< "data.jsonl:12"
};

/// The documents of a local file, read as they are asked for: of .jsonl, .ndjson and .json files
/// one object a line; of others the paragraphs between blank lines, or, where no line is blank, the
/// lines.
class DocumentReader {
 public:
  /// `field` names the text in an object. Errors: those of MappedFile.
  [[nodiscard]] static Result<DocumentReader> open(const std::filesystem::path& path,
                                                   std::string field);

  /// The next document that is not empty, or nothing at the end. Errors: CorruptData with file and
  /// line (no JSON object, no such field, not a text), or where the file was changed meanwhile.
  [[nodiscard]] Result<std::optional<Document>> next();

 private:
  enum class Layout : std::uint8_t { JsonLines, Lines, Paragraphs };

  DocumentReader(TextLines lines, std::string field);
  [[nodiscard]] std::optional<Document> nextPlain();
  [[nodiscard]] Result<std::optional<Document>> nextObject();
  [[nodiscard]] Result<Document> readObject(std::string_view line) const;

  TextLines m_lines;
  std::string m_field;
  Layout m_layout;
};

}  // namespace ulp::text
