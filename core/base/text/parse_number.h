#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace ulp {

/// What the whole of a text says: "12", "-3", for a real Number "1e-5", too. Nothing for any other
/// text ("", " 12", "+12", "12a") and for what a Number cannot hold.
template <class Number>
[[nodiscard]] std::optional<Number> parseNumber(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

/// The same, of numbers from 0 on.
template <class Number>
[[nodiscard]] std::optional<Number> parseNatural(std::string_view text) {
  const std::optional<Number> number = parseNumber<Number>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

}  // namespace ulp
