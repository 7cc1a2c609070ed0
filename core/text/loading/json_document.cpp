#include "core/text/loading/json_document.h"

#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <limits>

#include "core/json/parse.h"

namespace ulp::text {
namespace {

/// Builds the document as json::parse() does, from other numbers.
class SerdeDocument final : public json::DocumentBuilder {
 public:
  bool real(double /*nearest*/, const std::string& spelled) override {
    return DocumentBuilder::real(serdeNumber(spelled), spelled);
  }
};

/// The digits of a number as one integer, times a power of ten. Digits that do not fit are cut off.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

Decimal readDigits(std::string_view& text) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  Decimal number;
  bool isFull = false;
  bool isFraction = false;
  for (; !text.empty() && (text.front() == '.' || (text.front() >= '0' && text.front() <= '9'));
       text.remove_prefix(1)) {
    if (text.front() == '.') {
      isFraction = true;
      continue;
    }
    const auto digit = static_cast<std::uint64_t>(text.front() - '0');
    isFull = isFull || number.digits > (kLargest - digit) / 10;
    if (!isFull) {
      number.digits = number.digits * 10 + digit;
      number.exponent -= isFraction ? 1 : 0;
    } else if (!isFraction) {
      ++number.exponent;
    }
  }
  return number;
}

}  // namespace

double serdeNumber(std::string_view text) {
  const bool isNegative = text.starts_with('-');
  text.remove_prefix(isNegative ? 1 : 0);
  Decimal number = readDigits(text);
  if (!text.empty()) {
    text.remove_prefix(text.starts_with("e+") || text.starts_with("E+") ? 2 : 1);
    int exponent = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (error != std::errc()) {
      exponent = text.starts_with('-') ? -100'000 : 100'000;
    }
    number.exponent += exponent;
  }
  constexpr int kLargestPower = 308;
  auto value = static_cast<double>(number.digits);
  while (number.exponent < -kLargestPower && value != 0) {
    value /= 1e308;
    number.exponent += kLargestPower;
  }
  // Powers of ten up to 308 as nearest doubles, as serde_json has them in a table.
  const auto power = [](int exponent) {
    const std::string spelled = fmt::format("1e{}", exponent);
    double result = 0;
    std::from_chars(spelled.data(), spelled.data() + spelled.size(), result);
    return result;
  };
  if (value != 0 && number.exponent > kLargestPower) {
    value = std::numeric_limits<double>::infinity();
  } else if (value != 0 && number.exponent > 0) {
    value *= power(number.exponent);
  } else if (value != 0 && number.exponent < 0) {
    value /= power(-number.exponent);
  }
  return isNegative ? -value : value;
}

Result<json::Value> parseAsSerde(std::string_view text, std::string_view origin) {
  SerdeDocument builder;
  if (!json::readEvents(text, builder)) {
    return fail(ErrorCode::CorruptData, fmt::format("{}: {}", origin, builder.problem()));
  }
  return builder.take();
}

}  // namespace ulp::text
