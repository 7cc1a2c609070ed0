#pragma once

#include <algorithm>
#include <ranges>
#include <string_view>

/// Lists of operations as one text of words, separated by blanks.
namespace ulp::analysis {

/// Returns whether `fits(word)` is true for any of the words.
template <class Fits>
[[nodiscard]] bool anyWord(std::string_view words, const Fits& fits) {
  return std::ranges::any_of(std::views::split(words, ' '), [&](const auto& word) {
    return fits(std::string_view(word.begin(), word.end()));
  });
}

/// Returns whether `text` is one of the words.
[[nodiscard]] inline bool isWordOf(std::string_view text, std::string_view words) {
  return anyWord(words, [text](std::string_view word) { return word == text; });
}

/// Returns whether `text` has one of the words anywhere.
[[nodiscard]] inline bool hasWordOf(std::string_view text, std::string_view words) {
  return anyWord(
      words, [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace ulp::analysis
