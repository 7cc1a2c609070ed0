#include "core/compat/msprobe/pairs/statistic_difference.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "core/base/text/ascii_lower.h"
#include "core/base/text/c_locale.h"
#include "core/base/text/parse_number.h"
#include "core/dumps/msprobe/python_text.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::msprobe::pythonFloat;
using dumps::msprobe::ScalarKind;

/// msprobe's own classes of values.
enum class Kind : std::uint8_t { Number, Nan, Inf, MinusInf, Device, NotAvailable, Other };

Kind kindOfNumber(double value) {
  if (std::isnan(value)) {
    return Kind::Nan;
  }
  if (std::isinf(value)) {
    return value > 0 ? Kind::Inf : Kind::MinusInf;
  }
  return Kind::Number;
}

Kind kindOf(const Cell& cell) {
  if (cell.kind != ScalarKind::Text) {
    return cell.kind == ScalarKind::Integer ? Kind::Number : kindOfNumber(cell.number);
  }
  const std::string text = asciiLower(cell.text);
  if (text == "nan" || text == "inf" || text == "-inf") {
    return kindOfNumber(*pythonNumber(text));
  }
  if (pythonNumber(text)) {
    return Kind::Number;
  }
  for (const std::string_view device : {"npu", "cpu", "cuda"}) {
    if (text.find(device) != std::string::npos) {
      return Kind::Device;
    }
  }
  return cell.text == "N/A" ? Kind::NotAvailable : Kind::Other;
}

bool isSameText(const Cell& target, const Cell& golden) {
  if (target.kind == ScalarKind::Float && golden.kind == ScalarKind::Float) {
    return std::bit_cast<std::uint64_t>(target.number) ==
           std::bit_cast<std::uint64_t>(golden.number);
  }
  return printed(target) == printed(golden);
}

DifferenceText both(std::string_view word) {
  return {std::string(word), std::string(word)};
}

DifferenceText ofNumbers(double target, double golden) {
  const double difference = target - golden;
  return {pythonFloat(difference),
          golden == 0 ? "inf" : pythonFloat(std::abs(difference / golden * 100)) + "%"};
}

bool isDigit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// Digits before and behind the point, and how many places the point moves.
struct Digits {
  double number = 0;
  int exponent = 0;
  int count = 0;

  void add(char digit, bool isBehindPoint) {
    constexpr int kMaxDigits = 17;
    if (count < kMaxDigits) {
      number = number * 10 + (digit - '0');
      ++count;
      exponent -= isBehindPoint ? 1 : 0;
    } else {
      exponent += isBehindPoint ? 0 : 1;
    }
  }
};

constexpr int kLargestPower = 308;

/// 10^exponent as the nearest number, which pow() does not promise.
double powerOfTen(int exponent) {
  static const auto kPowers = [] {
    std::array<double, kLargestPower + 1> powers{};
    for (std::size_t each = 0; each < powers.size(); ++each) {
      powers[each] = *parseNumber<double>("1e" + std::to_string(each));
    }
    return powers;
  }();
  return kPowers[static_cast<std::size_t>(std::clamp(exponent, 0, kLargestPower))];
}

/// Of the text of a finite number.
double readAsPandas(std::string_view text) {
  Digits digits;
  bool isBehindPoint = false;
  std::size_t place = text.find_first_of("0123456789.");
  for (; place < text.size() && (isDigit(text[place]) || text[place] == '.'); ++place) {
    if (text[place] == '.') {
      isBehindPoint = true;
    } else {
      digits.add(text[place], isBehindPoint);
    }
  }
  int exponent = 0;
  if (place < text.size() && (text[place] == 'e' || text[place] == 'E')) {
    const std::size_t from = place + (text[place + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + from, text.data() + text.size(), exponent);
  }
  exponent += digits.exponent;
  const double number =
      text.find('-') < text.find_first_of("0123456789.") ? -digits.number : digits.number;
  if (exponent > 0) {
    return number * powerOfTen(exponent);
  }
  if (exponent < -kLargestPower) {
    return number / powerOfTen(-kLargestPower - exponent) / powerOfTen(kLargestPower);
  }
  return number / powerOfTen(-exponent);
}

}  // namespace

std::optional<double> pythonNumber(std::string_view text) {
  const auto isBlank = [](char letter) {
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
  };
  while (!text.empty() && isBlank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && isBlank(text.back())) {
    text.remove_suffix(1);
  }
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || text.empty() || text.ends_with(')')) {
    return std::nullopt;
  }
  if (error == std::errc::result_out_of_range) {
    const CLocale points;
    return std::strtod(std::string(text).c_str(), nullptr);
  }
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

double shareOf(std::string_view text) {
  while (text.ends_with('%')) {
    text.remove_suffix(1);
  }
  const auto value = pythonNumber(text);
  return value ? *value / 100 : 0;
}

std::optional<double> numberOf(const Cell& cell) {
  return cell.kind == ScalarKind::Text ? pythonNumber(cell.text) : std::optional(cell.number);
}

std::optional<double> pandasNumber(const Cell& cell) {
  const auto exact = numberOf(cell);
  if (!exact || !std::isfinite(*exact)) {
    return exact;
  }
  return readAsPandas(printed(cell));
}

DifferenceText statisticDifference26(const Cell& target, const Cell& golden) {
  if (isSameText(target, golden)) {
    return both("0");
  }
  const Kind left = kindOf(target);
  const Kind right = kindOf(golden);
  if (left == Kind::NotAvailable || right == Kind::NotAvailable) {
    return both("N/A");
  }
  if (left <= Kind::MinusInf && right <= Kind::MinusInf) {
    if (left == Kind::Number && right == Kind::Number) {
      return ofNumbers(*numberOf(target), *numberOf(golden));
    }
    if (left == Kind::Nan || right == Kind::Nan) {
      return both("Nan");
    }
    const bool isAbove = left == Kind::Inf || (left == Kind::Number && right == Kind::MinusInf);
    return both(isAbove ? "inf" : "-inf");
  }
  return both(left == Kind::Device && right == Kind::Device ? "N/A" : "Diff");
}

}  // namespace ulp::compat::msprobe
