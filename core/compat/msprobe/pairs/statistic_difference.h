#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/compat/msprobe/files/table_file.h"

namespace ulp::compat::msprobe {

/// A difference and a relative error of one statistic, as 26.x prints them.
struct DifferenceText {
  std::string difference;
  std::string relative;
};
/// Equal values: "0", "0"; numbers: t - g and |(t - g) / g * 100| with "%"; else a word.
[[nodiscard]] DifferenceText statisticDifference26(const Cell& target, const Cell& golden);

/// A text that Python's float() reads; "inf" and "nan" are such.
[[nodiscard]] std::optional<double> pythonNumber(std::string_view text);
/// The number of "5.2%", divided by 100; 0 where it is none.
[[nodiscard]] double shareOf(std::string_view text);
/// Reads a printed cell as Python's float() does; nothing for words.
[[nodiscard]] std::optional<double> numberOf(const Cell& cell);

/// Reads a printed cell as pandas.to_numeric() does: at most 17 digits, leading zeros among them,
/// scaled by one power of ten, so that the last bit is not always the nearest. 8.x subtracts such
/// numbers.
[[nodiscard]] std::optional<double> pandasNumber(const Cell& cell);

}  // namespace ulp::compat::msprobe
