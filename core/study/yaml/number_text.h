#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace ulp::study {

/// The number that `text` spells from its first to its last character.
template <class Number>
[[nodiscard]] std::optional<Number> numberIn(std::string_view text) {
  Number number{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool isWhole = status == std::errc{} && end == text.data() + text.size();
  return isWhole ? std::optional(number) : std::nullopt;
}

}  // namespace ulp::study
