#include "core/report/tables/number_column.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/base/text/utf8.h"

namespace ulp::report {
namespace {

constexpr int kMaxDecimals = 6;
constexpr int kMaxDecimalsNearOne = 9;
constexpr double kNearOne = 0.9;
constexpr double kLargestPlain = 1e7;

bool isOrdinary(double value) {
  return std::isfinite(value) && value != 0;
}

/// Decimals with which `value` shows two significant digits.
int decimalsFor(double value) {
  return 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
}

/// Decimals for a column: enough for its smallest value that can be written without an exponent.
int columnDecimals(const std::vector<double>& values) {
  int decimals = 0;
  for (const double value : values) {
    if (isOrdinary(value) && decimalsFor(value) <= kMaxDecimals) {
      decimals = std::max(decimals, decimalsFor(value));
    }
  }
  return decimals;
}

/// Decimals that tell values apart from `one`.
int decimalsNearOne(const std::vector<double>& values, double one) {
  int decimals = 0;
  for (const double value : values) {
    if (value > kNearOne * one && value < one) {
      decimals = std::max(decimals, decimalsFor(one - value));
    }
  }
  return std::min(decimals, kMaxDecimalsNearOne);
}

/// Decimals that tell values of 1 and more apart which two significant digits would show as one,
/// such as losses. Of errors two digits say enough.
int decimalsApart(const std::vector<double>& values) {
  constexpr double kClose = 0.01;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const double value : values) {
    if (isOrdinary(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  const double range = most - least;
  const double nearest = std::min(std::abs(least), std::abs(most));
  const bool isClose = nearest >= 1 && range > 0 && range < kClose * nearest;
  return isClose ? std::min(decimalsFor(range), kMaxDecimals) : 0;
}

std::string formatCell(double value, int decimals) {
  if (std::isnan(value)) {
    return std::string(kMissingText);
  }
  if (!std::isfinite(value)) {
    return formatSignificant(value);
  }
  if (value == 0) {
    return "0";
  }
  if (decimalsFor(value) > kMaxDecimals || std::abs(value) >= kLargestPlain) {
    return formatSignificant(value, 2);
  }
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::string intervalText(const Spread& spread, std::uint64_t samples, numerics::MetricUnit unit) {
  if (samples < 2) {
    return "";
  }
  const double half = halfInterval(spread, samples);
  const double scale = unit == numerics::MetricUnit::Percent ? 100 : 1;
  std::string text = std::isnan(half) ? "" : " ±" + formatSignificant(half * scale, 2);
  if (spread.undefined != 0) {
    text += fmt::format(" (n={})", samples - std::min(spread.undefined, samples));
  }
  return text;
}

std::vector<std::string> formatColumn(std::span<const double> values,
                                      numerics::MetricUnit unit,
                                      bool isPartOfOne) {
  std::vector<double> scaled(values.begin(), values.end());
  if (unit == numerics::MetricUnit::Percent) {
    std::ranges::transform(scaled, scaled.begin(), [](double v) { return v * 100; });
  }
  int decimals = columnDecimals(scaled);
  if (unit != numerics::MetricUnit::Percent) {
    decimals = std::max(decimals, decimalsApart(scaled));
  }
  if (isPartOfOne) {
    const double one = unit == numerics::MetricUnit::Percent ? 100 : 1;
    decimals = std::max(decimals, decimalsNearOne(scaled, one));
  }
  return listOf(scaled, [decimals](double value) { return formatCell(value, decimals); });
}

std::string nonFiniteText(const numerics::NonFiniteCounts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, std::uint64_t count) {
    if (count != 0) {
      parts.push_back(fmt::format("{} {}", name, count));
    }
  };
  add("NaN", counts.nan);
  add("+Inf", counts.positiveInfinity);
  add("−Inf", counts.negativeInfinity);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string shapeText(std::span<const std::int64_t> shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "×"));
}

std::size_t displayWidth(std::string_view text) {
  return countCodePoints(text);
}

}  // namespace ulp::report
