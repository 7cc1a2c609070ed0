#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace ulp {

/// Reads a text that is a number from its first to its last character: "12", "-3", for a real
/// Number "1e-5", too. Nothing for any other text ("", " 12", "+12", "12a") and for what a Number
/// cannot hold.
template <class Number>
[[nodiscard]] std::optional<Number> parseNumber(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

/// Reads a number of at least 0 in the same way.
template <class Number>
[[nodiscard]] std::optional<Number> parseNatural(std::string_view text) {
  const std::optional<Number> number = parseNumber<Number>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace ulp
