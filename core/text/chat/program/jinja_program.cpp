#include "core/text/chat/program/jinja_program.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>
#include <minja/minja.hpp>

#include <nlohmann/json.hpp>

#include "core/base/text/utf8.h"

namespace ulp::text {
namespace {

using minja::Value;

/// str.isspace() of Python, but for tabs and what ends a line.
bool isPythonSpace(char32_t c) {
  constexpr char32_t kNextLine = 0x85;
  constexpr char32_t kNoBreak = 0xA0;
  constexpr char32_t kOgham = 0x1680;
  constexpr char32_t kNarrowNoBreak = 0x202F;
  constexpr char32_t kMathematical = 0x205F;
  constexpr char32_t kIdeographic = 0x3000;
  return c == '\v' || c == '\f' || (c >= 0x1C && c <= 0x1F) || c == kNextLine || c == kNoBreak ||
         c == kOgham || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == kNarrowNoBreak || c == kMathematical || c == kIdeographic;
}

/// UTF-8 text with one byte a character: what Python takes for white space becomes a space unless
/// it is a tab or ends a line, what else is not of ASCII becomes DEL.
std::string narrowed(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    if (isPythonSpace(point.value)) {
      result += ' ';
    } else {
      result += point.size == 1 ? text[at] : '\x7F';
    }
    at += point.size;
  }
  return result;
}

/// The template's own message and its innermost place out of minja's chain of excerpts.
std::string briefly(std::string_view message) {
  constexpr std::string_view kPlace = " at row ";
  const std::size_t place = message.find(kPlace);
  if (place == std::string_view::npos) {
    return std::string(message);
  }
  const std::string_view behind = message.substr(place + kPlace.size());
  return fmt::format("row {}: {}", behind.substr(0, behind.find(':')), message.substr(0, place));
}

std::shared_ptr<minja::TemplateNode> compile(const std::string& jinja) {
  // As transformers sets up Jinja.
  return minja::Parser::parse(
      jinja, {.trim_blocks = true, .lstrip_blocks = true, .keep_trailing_newline = false});
}

Value timeNow(const std::shared_ptr<minja::Context>& /*context*/, minja::ArgumentsValue& args) {
  args.expectArgs("strftime_now", {1, 1}, {0, 0});
  const auto format = args.args.front().get<std::string>();
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 256> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), format.c_str(), &local);
  return {std::string(text.data(), size)};
}

/// transformers 5 gives what a model thought under each of the names that templates read.
void nameThoughts(nlohmann::ordered_json& message) {
  for (const char* name : {"reasoning_content", "thinking", "reasoning"}) {
    if (message.contains(name)) {
      const nlohmann::ordered_json thought = message[name];
      if (!message.contains("thinking")) {
        message["thinking"] = thought;
      }
      message["reasoning_content"] = thought;
      return;
    }
  }
}

struct Conversation {
  std::span<const ChatMessage> messages;
  std::span<const std::pair<std::string, std::string>> specialTokens;
  bool addPrompt = false;
};

/// `spell` turns each text of the input into what the template is to see of it.
template <class Spell>
std::string run(const minja::TemplateNode& program,
                const Conversation& conversation,
                const Spell& spell) {
  nlohmann::ordered_json input{{"messages", nlohmann::ordered_json::array()},
                               {"tools", nullptr},
                               {"documents", nullptr},
                               {"add_generation_prompt", conversation.addPrompt}};
  for (const auto& [name, token] : conversation.specialTokens) {
    input[name] = spell(token);
  }
  for (const ChatMessage& fields : conversation.messages) {
    auto message = nlohmann::ordered_json::object();
    for (const auto& [name, text] : fields) {
      message[name] = spell(text);
    }
    nameThoughts(message);
    input["messages"].push_back(std::move(message));
  }
  const auto context = minja::Context::make(Value(input));
  context->set("strftime_now", Value::callable(timeNow));
  return program.render(context);
}

bool isNarrow(const std::string& text) {
  return narrowed(text) == text;
}

bool isNarrow(const Conversation& conversation) {
  const auto isText = [](const auto& field) { return isNarrow(field.second); };
  return std::ranges::all_of(conversation.specialTokens, isText) &&
         std::ranges::all_of(conversation.messages, [&](const ChatMessage& fields) {
           return std::ranges::all_of(fields, isText);
         });
}

}  // namespace

struct JinjaProgram::Templates {
  std::shared_ptr<minja::TemplateNode> exact;
  std::shared_ptr<minja::TemplateNode> narrow;  ///< of its narrowed text; often the same one
};

Result<JinjaProgram> JinjaProgram::parse(const std::string& jinja, SpecialTokens specialTokens) {
  auto templates = std::make_shared<Templates>();
  try {
    const std::string narrow = narrowed(jinja);
    templates->exact = compile(jinja);
    templates->narrow = narrow == jinja ? templates->exact : compile(narrow);
  } catch (const std::exception& error) {
    return fail(ErrorCode::Unsupported,
                fmt::format("the chat template cannot be read: {}; render the messages "
                            "beforehand and name the field of the text with input.field",
                            briefly(error.what())));
  }
  return JinjaProgram(std::move(specialTokens), std::move(templates));
}

Result<std::string> JinjaProgram::render(std::span<const ChatMessage> messages,
                                         bool addPrompt) const {
  const Conversation conversation{messages, m_specialTokens, addPrompt};
  try {
    std::string text =
        run(*m_templates->exact, conversation, [](const std::string& field) { return field; });
    // minja counts bytes where Python counts characters. Where that makes a difference, texts whose
    // characters are all of one byte come out different.
    const bool isSame = m_templates->narrow == m_templates->exact && isNarrow(conversation);
    if (invalidUtf8At(text) ||
        (!isSame && narrowed(text) != run(*m_templates->narrow, conversation, narrowed))) {
      return fail(ErrorCode::Unsupported,
                  "the chat template looks at single characters of a text that has others than "
                  "ASCII's; render the messages beforehand and name the field of the text with "
                  "input.field");
    }
    return text;
  } catch (const std::exception& error) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("the chat template refuses the messages: {}", briefly(error.what())));
  }
}

}  // namespace ulp::text
