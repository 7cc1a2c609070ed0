#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace ulp::text {

/// The fields of a message in the order of the file: {"role", "user"}, {"content", "Hi"}.
using ChatMessage = std::vector<std::pair<std::string, std::string>>;

/// What a template knows by name: {"bos_token", "<s>"}.
using SpecialTokens = std::vector<std::pair<std::string, std::string>>;

struct ChatTemplateSource {
  std::string jinja;
  std::string origin;  ///< file, and the place in it
  SpecialTokens specialTokens{};
};

/// Writes conversations as a model was trained to read them: `apply_chat_template(messages,
/// tokenize=False)` of `transformers`, without tools and documents. The template is run by a
/// process of its own (TemplateProcess), with limits on time, memory and text. Safe to use from
/// several threads, which take turns.
class ChatTemplate {
 public:
  /// Errors, all with the origin: Unsupported with row and column in the template; CorruptData
  /// (template or special tokens are not UTF-8); those of TemplateProcess.
  [[nodiscard]] static Result<ChatTemplate> parse(ChatTemplateSource source);

  /// `addPrompt`: with what makes the model answer behind it (`add_generation_prompt`). A template
  /// may ask for today's date. Errors, all with the origin: InvalidArgument with what the template
  /// says of the messages; Unsupported where it looks at single characters and the library that
  /// runs it does not count them as Python does; those of TemplateProcess.
  [[nodiscard]] Result<std::string> render(std::span<const ChatMessage> messages,
                                           bool addPrompt) const;

  [[nodiscard]] const std::string& origin() const;

 private:
  struct Program;
  explicit ChatTemplate(std::shared_ptr<Program> program) : m_program(std::move(program)) {}

  std::shared_ptr<Program> m_program;
};

/// The chat template of a model, with its special tokens: of a .gguf file from its metadata
/// (`tokenizer.chat_template`); of a folder, or of the folder of a tokenizer's file, from
/// chat_template.jinja or else from the field `chat_template` of tokenizer_config.json. Errors:
/// NotFound with what was looked for, Io, CorruptData, those of ChatTemplate::parse().
[[nodiscard]] Result<ChatTemplate> loadChatTemplate(const std::filesystem::path& path);

}  // namespace ulp::text
