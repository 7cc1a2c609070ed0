#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ulp {

/// Puts a text in quotes, as one word of a POSIX shell, whatever it holds.
[[nodiscard]] inline std::string shellQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

/// Writes a word as people do: in quotes only where a shell would take it for something else.
[[nodiscard]] inline std::string shellWord(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,%+@";
  const bool isPlain = !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos;
  return isPlain ? std::string(text) : shellQuoted(text);
}

/// Writes a command as people do, each word as shellWord() does.
[[nodiscard]] inline std::string shellLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "" : " ") + shellWord(word);
  }
  return line;
}

}  // namespace ulp
