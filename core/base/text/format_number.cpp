#include "core/base/text/format_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "core/base/text/parse_number.h"

namespace ulp {
namespace {

std::string nonFinite(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  return value > 0 ? "+Inf" : "−Inf";
}

}  // namespace

std::string formatSignificant(double value, int significant) {
  if (!std::isfinite(value)) {
    return nonFinite(value);
  }
  if (value == 0) {
    return "0";
  }
  const std::string scientific = fmt::format("{:.{}e}", value, significant - 1);
  // Rounding can carry into the next decade, so the exponent is read back from the rounded text.
  const std::string_view text = scientific;
  const std::size_t e = text.find('e');
  const int digits = parseNumber<int>(text.substr(e + 2)).value_or(0);
  const int exponent = text[e + 1] == '-' ? -digits : digits;
  if (exponent < -4 || exponent > 5) {
    return fmt::format("{}e{}", text.substr(0, e), exponent);
  }
  return fmt::format("{:.{}f}", value, std::max(0, significant - 1 - exponent));
}

std::string formatPercent(double ratio) {
  const double percent = ratio * 100;
  if (!std::isfinite(percent)) {
    return nonFinite(percent);
  }
  if (percent == 0) {
    return "0";
  }
  const auto exponent = static_cast<int>(std::floor(std::log10(std::abs(percent))));
  if (exponent < -4) {
    return formatSignificant(percent, 2);
  }
  if (exponent > 5) {
    return formatSignificant(percent);
  }
  const int decimals = exponent >= 1 ? std::max(0, 2 - exponent) : std::max(2, 1 - exponent);
  return fmt::format("{:.{}f}", percent, decimals);
}

std::string formatExact(double value) {
  if (!std::isfinite(value)) {
    return nonFinite(value);
  }
  std::array<char, 32> buffer{};
  const auto [end, status] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::string formatBytes(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  // From 1023.95 on, one decimal would show 1024.0 of the smaller unit.
  while (value >= (unit == 0 ? 1024 : 1023.95) && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits.at(unit));
}

std::string formatDuration(double seconds) {
  if (!std::isfinite(seconds)) {
    return nonFinite(seconds);
  }
  // The borders are those at which the rounded text would need the next form.
  if (seconds < 9.995) {
    return fmt::format("{:.2f} s", seconds);
  }
  if (seconds < 59.95) {
    return fmt::format("{:.1f} s", seconds);
  }
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) {
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace ulp
