// Renders conversations for the Python oracle: TOKENIZER CASES.json, where a case is {"messages",
// "add_generation_prompt"}. Prints a JSON list of {"text", "ids"}, or of {"error"} for one that is
// refused.
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "core/text/chat/chat_template.h"
#include "core/text/tokenizers/tokenizer.h"

namespace {

using nlohmann::ordered_json;
using ulp::text::ChatMessage;

ordered_json answer(const ulp::text::ChatTemplate& chatTemplate,
                    const ulp::text::Tokenizer& tokenizer,
                    const ordered_json& question) {
  std::vector<ChatMessage> messages;
  for (const ordered_json& object : question["messages"]) {
    ChatMessage& message = messages.emplace_back();
    for (const auto& [name, value] : object.items()) {
      message.emplace_back(name, value.get<std::string>());
    }
  }
  const auto text = chatTemplate.render(messages, question["add_generation_prompt"].get<bool>());
  if (!text) {
    return {{"error", text.error().message()}};
  }
  const auto tokens = tokenizer.encodePart(*text);
  if (!tokens) {
    return {{"error", tokens.error().message()}};
  }
  ordered_json ids = ordered_json::array();
  for (const ulp::text::Token& token : *tokens) {
    ids.push_back(token.id);
  }
  return {{"text", *text}, {"ids", ids}};
}

int run(const char* tokenizerPath, const char* casesPath) {
  const auto tokenizer = ulp::text::loadChatTokenizer(tokenizerPath);
  const auto chatTemplate = ulp::text::loadChatTemplate(tokenizerPath);
  if (!tokenizer || !chatTemplate) {
    std::cerr << (tokenizer ? chatTemplate.error() : tokenizer.error()).message() << '\n';
    return 2;
  }
  std::ifstream file(casesPath);
  ordered_json answers = ordered_json::array();
  for (const ordered_json& question : ordered_json::parse(file)) {
    answers.push_back(answer(*chatTemplate, **tokenizer, question));
  }
  std::cout << answers.dump() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return argc == 3 ? run(argv[1], argv[2]) : 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
