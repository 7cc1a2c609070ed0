#include "core/compat/msit/python_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <system_error>

namespace ulp::compat::msit {

std::string pythonFloat(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-inf" : "inf";
  }
  constexpr double kLargestPlain = 1e16;
  constexpr double kSmallestPlain = 1e-4;
  const double size = std::abs(value);
  const bool isPlain = size == 0 || (size >= kSmallestPlain && size < kLargestPlain);
  std::array<char, 64> buffer{};
  const auto [end, problem] =
      std::to_chars(buffer.data(),
                    buffer.data() + buffer.size(),
                    value,
                    isPlain ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(buffer.data(), problem == std::errc() ? end : buffer.data());
  if (isPlain && text.find('.') == std::string::npos) {
    text += ".0";
  }
  return text;
}

std::string pythonList(std::span<const std::int64_t> values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

}  // namespace ulp::compat::msit
