#include "core/text/chat/chat_template.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string_view>

#include "core/base/text/utf8.h"
#include "core/text/chat/template_process.h"
#include "core/text/chat/template_questions.h"

namespace ulp::text {

struct ChatTemplate::Program {
  ChatTemplateSource source;
  std::mutex mutex{};
  std::unique_ptr<TemplateProcess> process{};

  /// Has the template parsed by a process of its own. Errors: those of ChatTemplate::parse().
  Result<> start() {
    process = ULP_TRY(TemplateProcess::start());
    ULP_TRY(whileDoing(source.origin, process->ask(questionToParse(source))));
    return {};
  }
};

Result<ChatTemplate> ChatTemplate::parse(ChatTemplateSource source) {
  const auto isNoText = [](const auto& token) { return invalidUtf8At(token.second).has_value(); };
  if (invalidUtf8At(source.jinja) || std::ranges::any_of(source.specialTokens, isNoText)) {
    return fail(ErrorCode::CorruptData,
                source.origin + ": the chat template or one of its special tokens is not UTF-8");
  }
  auto program = std::make_shared<Program>();
  program->source = std::move(source);
  ULP_TRY(program->start());
  return ChatTemplate(std::move(program));
}

Result<std::string> ChatTemplate::render(std::span<const ChatMessage> messages,
                                         bool addPrompt) const {
  const std::lock_guard lock(m_program->mutex);
  if (!m_program->process->isRunning()) {
    ULP_TRY(m_program->start());
  }
  return whileDoing(origin(), m_program->process->ask(questionToRender(messages, addPrompt)));
}

const std::string& ChatTemplate::origin() const {
  return m_program->source.origin;
}

}  // namespace ulp::text
