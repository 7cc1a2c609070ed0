#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/text/utf8.h"
#include "core/text/chat/template_process.h"
#include "core/text/chat/template_questions.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// The text of a chat template, which writes two conversations, with and without a prompt. One
/// process runs all templates, one after the other, until one of them ends it: to start it takes
/// longer than most of them.
inline void fuzzChatTemplate(const std::uint8_t* data, std::size_t size) {
  const text::ChatTemplateSource source{.jinja = std::string(fuzzText(data, size)),
                                        .origin = "chat_template.jinja",
                                        .specialTokens = {{"bos_token", "<s>"}}};
  if (invalidUtf8At(source.jinja)) {
    const auto chat = text::ChatTemplate::parse(source);
    require(!chat && chat.error().code() == ErrorCode::CorruptData);
    return;
  }
  static std::unique_ptr<text::TemplateProcess> process;
  const auto ask = [](const text::WordList& question) {
    if (!process || !process->isRunning()) {
      auto started = text::TemplateProcess::start();
      require(started.has_value());
      process = *std::move(started);
    }
    const auto answer = process->ask(question);
    require(answer || !answer.error().message().empty());
    return answer.has_value();
  };
  if (!ask(text::questionToParse(source))) {
    return;
  }
  const std::array<text::ChatMessage, 3> messages{
      text::ChatMessage{{"role", "system"}, {"content", ""}},
      text::ChatMessage{{"role", "user"}, {"content", "Grüße, \u4e16\u754c"}},
      text::ChatMessage{{"role", "assistant"}, {"content", "12"}, {"reasoning", "a\nb"}}};
  for (const std::size_t first : {0U, 1U}) {
    for (const bool addPrompt : {false, true}) {
      if (!process->isRunning()) {
        return;
      }
      ask(text::questionToRender(std::span(messages).subspan(first), addPrompt));
    }
  }
}

}  // namespace ulp::test
