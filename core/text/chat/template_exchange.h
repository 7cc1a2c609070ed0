#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What this process and the one that runs chat templates (core/text/chat/program) say to each
/// other: lists of words, which are any bytes. A message is its size and as many bytes; these are
/// the words, each behind its own size.
namespace ulp::text {

using WordList = std::vector<std::string>;

using MessageSize = std::uint64_t;
/// The most bytes of a message.
inline constexpr MessageSize kMostMessage = MessageSize{16} << 20U;

/// The first word of a question: `parse`, the template, and names and texts of special tokens in
/// turn; or `render`, kWithPrompt or kWithoutPrompt, and for each message the number of
/// its fields with their names and texts in turn.
inline constexpr std::string_view kParse = "parse";
inline constexpr std::string_view kRender = "render";
inline constexpr std::string_view kWithPrompt = "prompt";
inline constexpr std::string_view kWithoutPrompt = "as it is";
/// The first word of an answer, before the text; else the number of an ErrorCode, before what
/// happened.
inline constexpr std::string_view kDone = "done";

inline void appendSize(std::string& bytes, MessageSize size) {
  char raw[sizeof size];
  std::memcpy(raw, &size, sizeof size);
  bytes.append(raw, sizeof size);
}

/// Takes a size from the front of `bytes`; nothing where they are too few.
inline std::optional<MessageSize> takeSize(std::string_view& bytes) {
  MessageSize size = 0;
  if (bytes.size() < sizeof size) {
    return std::nullopt;
  }
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  return size;
}

/// Makes the message of `words`.
inline std::string asMessage(const WordList& words) {
  MessageSize size = 0;
  for (const std::string& word : words) {
    size += sizeof size + word.size();
  }
  std::string message;
  message.reserve(sizeof size + size);
  appendSize(message, size);
  for (const std::string& word : words) {
    appendSize(message, word.size());
    message += word;
  }
  return message;
}

/// Reads the words of a message, behind its size; nothing where it is damaged.
inline std::optional<WordList> wordsOf(std::string_view message) {
  WordList words;
  while (!message.empty()) {
    const auto size = takeSize(message);
    if (!size || *size > message.size()) {
      return std::nullopt;
    }
    words.emplace_back(message.substr(0, *size));
    message.remove_prefix(*size);
  }
  return words;
}

}  // namespace ulp::text
