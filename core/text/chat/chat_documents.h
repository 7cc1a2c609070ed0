#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/text/chat/chat_template.h"
#include "core/text/documents/text_lines.h"

namespace ulp::text {

/// A conversation as a model reads it.
struct ChatDocument {
  std::vector<std::string> parts;  ///< each tokenised on its own, without a frame
  std::string place;               ///< "data.jsonl:12"
};

/// The conversations of a .jsonl, .ndjson or .json file, one object a line, read as they are asked
/// for. A line has a list of messages, or else a `problem` and its `solution`: these become what
/// Fast-LLM's evaluate_precision tool makes of them, its system prompt, the problem and the prompt
/// of the answer by the template, then the solution as it is.
class ChatDocumentReader {
 public:
  /// `field` names the messages in an object. Errors: those of MappedFile, InvalidArgument (a file
  /// of another kind).
  [[nodiscard]] static Result<ChatDocumentReader> open(const std::filesystem::path& path,
                                                       std::string field,
                                                       ChatTemplate chatTemplate);

  /// Reads the next document; nothing at the end. Errors, all with file and line: CorruptData (what
  /// is no conversation of texts; the file was changed meanwhile), those of ChatTemplate::render().
  [[nodiscard]] Result<std::optional<ChatDocument>> next();

 private:
  ChatDocumentReader(TextLines lines, std::string field, ChatTemplate chatTemplate);
  [[nodiscard]] Result<std::vector<std::string>> renderRow(std::string_view line) const;

  TextLines m_lines;
  std::string m_field;
  ChatTemplate m_template;
};

}  // namespace ulp::text
