#include "core/text/chat/chat_documents.h"

#include <fmt/format.h>
#include <utility>

#include "core/json/value.h"

namespace ulp::text {
namespace {

constexpr const char* kProblem = "problem";
constexpr const char* kSolution = "solution";
/// Of Fast-LLM's tool, for its data set MATH-500.
constexpr const char* kSystemPrompt =
    "Please reason step by step, and put your final answer within \\boxed{}.";

tl::unexpected<Error> corrupt(std::string_view place, std::string_view what) {
  return fail(ErrorCode::CorruptData, fmt::format("{}: {}", place, what));
}

/// Fields that are null are as good as absent, as in transformers.
Result<ChatMessage> readMessage(const json::Value& object, const std::string& place) {
  if (!object.isObject()) {
    return corrupt(place, "a message is an object with role and content");
  }
  ChatMessage message;
  for (const auto& [name, value] : object.members()) {
    if (value.isNull()) {
      continue;
    }
    if (!value.isText()) {
      return corrupt(place,
                     fmt::format("'{}' is not a text; calls of tools, images and other parts of "
                                 "messages are not supported",
                                 name));
    }
    message.emplace_back(name, value.text());
  }
  for (const char* name : {"role", "content"}) {
    if (object.at(name).isNull()) {
      return corrupt(place, fmt::format("the message has no '{}'", name));
    }
  }
  return message;
}

Result<std::vector<ChatMessage>> readMessages(const json::Value& list,
                                              const std::string& field,
                                              const std::string& place) {
  if (list.items().empty()) {
    return corrupt(place, fmt::format("field '{}' is not a list of messages", field));
  }
  std::vector<ChatMessage> messages;
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    auto message =
        ULP_TRY(readMessage(list.items()[i], fmt::format("{}: {}[{}]", place, field, i)));
    messages.push_back(std::move(message));
  }
  return messages;
}

}  // namespace

ChatDocumentReader::ChatDocumentReader(TextLines lines,
                                       std::string field,
                                       ChatTemplate chatTemplate)
    : m_lines(std::move(lines)), m_field(std::move(field)), m_template(std::move(chatTemplate)) {}

Result<ChatDocumentReader> ChatDocumentReader::open(const std::filesystem::path& path,
                                                    std::string field,
                                                    ChatTemplate chatTemplate) {
  auto lines = ULP_TRY(TextLines::open(path));
  if (!lines.areJson()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: input.chat_template needs conversations, one JSON object a line "
                            "in a .jsonl file",
                            path.string()));
  }
  return ChatDocumentReader(std::move(lines), std::move(field), std::move(chatTemplate));
}

Result<std::optional<ChatDocument>> ChatDocumentReader::next() {
  const auto line = m_lines.nextFilled();
  if (!line) {
    ULP_TRY(m_lines.checkIntact());
    return std::optional<ChatDocument>();
  }
  auto row = renderRow(*line);
  ULP_TRY(m_lines.checkIntact());
  auto parts = ULP_TRY(std::move(row));
  return std::optional(ChatDocument{std::move(parts), m_lines.place()});
}

Result<std::vector<std::string>> ChatDocumentReader::renderRow(std::string_view line) const {
  const std::string place = m_lines.place();
  const auto row = ULP_TRY(m_lines.parseRow(line));
  std::vector<ChatMessage> messages;
  std::vector<std::string> behind;
  if (row.contains(m_field)) {
    auto read = ULP_TRY(readMessages(row.at(m_field), m_field, place));
    messages = std::move(read);
  } else if (row.contains(kProblem) && row.contains(kSolution)) {
    const json::Value& problem = row.at(kProblem);
    const json::Value& solution = row.at(kSolution);
    if (!problem.isText() || !solution.isText()) {
      return corrupt(place, "'problem' and 'solution' are not both texts");
    }
    messages = {{{"role", "system"}, {"content", kSystemPrompt}},
                {{"role", "user"}, {"content", problem.text()}}};
    behind.push_back(solution.text());
  } else {
    return corrupt(place,
                   fmt::format("neither a field '{}' with messages nor 'problem' and 'solution'; "
                               "the object has {}; input.field names the messages",
                               m_field,
                               fieldNamesOf(row)));
  }
  auto text = ULP_TRY(whileDoing(place, m_template.render(messages, !behind.empty())));
  behind.insert(behind.begin(), std::move(text));
  return behind;
}

}  // namespace ulp::text
