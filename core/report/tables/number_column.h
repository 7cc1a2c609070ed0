#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/numerics/metrics/metric.h"
#include "core/report/model/spread.h"

namespace ulp::report {

/// " ±0.021", the half of a mean's 95 % interval in the unit of its column, and " (n=7)" where the
/// number is defined in fewer than all samples. Empty for one sample.
[[nodiscard]] std::string intervalText(const Spread& spread,
                                       std::uint64_t samples,
                                       numerics::MetricUnit unit);

inline constexpr std::string_view kMissingText = "–";

/// The values of one column as text. All cells have the same number of decimals, as many as the
/// smallest value needs for two significant digits; a value that would need more than six decimals
/// or more than seven digits before the point is written with an exponent. Percent columns are
/// multiplied by 100. Values of 1 and more within a hundredth of each other, such as losses, have
/// two significant digits of what is between them. NaN is missing, infinities are words.
/// `isPartOfOne`: a value such as a cosine, where the distance from 1 tells; up to nine decimals
/// then show two significant digits of that.
[[nodiscard]] std::vector<std::string> formatColumn(std::span<const double> values,
                                                    numerics::MetricUnit unit,
                                                    bool isPartOfOne = false);

/// "NaN 3, +Inf 1", or an empty text when all elements are finite.
[[nodiscard]] std::string nonFiniteText(const numerics::NonFiniteCounts& counts);

/// "1×128×576", "scalar".
[[nodiscard]] std::string shapeText(std::span<const std::int64_t> shape);

/// Characters of UTF-8 text, each one column wide on a terminal.
[[nodiscard]] std::size_t displayWidth(std::string_view text);

}  // namespace ulp::report
