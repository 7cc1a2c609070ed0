#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/text/chat/chat_template.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// The text of a chat template, which writes two conversations, with and without a prompt.
inline void fuzzChatTemplate(const std::uint8_t* data, std::size_t size) {
  const auto chat = text::ChatTemplate::parse({.jinja = std::string(fuzzText(data, size)),
                                               .origin = "chat_template.jinja",
                                               .specialTokens = {{"bos_token", "<s>"}}});
  if (!chat) {
    require(!chat.error().message().empty());
    return;
  }
  const std::array<text::ChatMessage, 3> messages{
      text::ChatMessage{{"role", "system"}, {"content", ""}},
      text::ChatMessage{{"role", "user"}, {"content", "Grüße, \u4e16\u754c"}},
      text::ChatMessage{{"role", "assistant"}, {"content", "12"}, {"reasoning", "a\nb"}}};
  for (const std::size_t first : {0U, 1U}) {
    for (const bool addPrompt : {false, true}) {
      const auto text = chat->render(std::span(messages).subspan(first), addPrompt);
      require(text || !text.error().message().empty());
    }
  }
}

}  // namespace ulp::test
