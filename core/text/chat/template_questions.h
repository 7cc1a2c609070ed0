#pragma once

#include <span>
#include <string>

#include "core/text/chat/chat_template.h"
#include "core/text/chat/template_exchange.h"

/// What the process that runs chat templates is asked.
namespace ulp::text {

[[nodiscard]] inline WordList questionToParse(const ChatTemplateSource& source) {
  WordList question{std::string(kParse), source.jinja};
  for (const auto& [name, text] : source.specialTokens) {
    question.push_back(name);
    question.push_back(text);
  }
  return question;
}

[[nodiscard]] inline WordList questionToRender(std::span<const ChatMessage> messages,
                                               bool addPrompt) {
  WordList question{std::string(kRender), std::string(addPrompt ? kWithPrompt : kWithoutPrompt)};
  for (const ChatMessage& message : messages) {
    question.push_back(std::to_string(message.size()));
    for (const auto& [name, text] : message) {
      question.push_back(name);
      question.push_back(text);
    }
  }
  return question;
}

}  // namespace ulp::text
