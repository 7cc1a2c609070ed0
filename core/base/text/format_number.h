#pragma once

#include <cstdint>
#include <string>

namespace ulp {

/// The one place where numbers become text (tables, read-outs, console). All of them write
/// non-finite values as words: "NaN", "+Inf", "−Inf".

/// Shortest form with `significant` digits: 0.00123, 12.3, 1.23e-7. Exponents outside [-4, 5] use
/// e.
[[nodiscard]] std::string formatSignificant(double value, int significant = 3);
/// A ratio as a percentage without the sign: 0.00606 -> "0.61". At least two significant digits and
/// at least two decimals below 10. Exponents as formatSignificant() has them.
[[nodiscard]] std::string formatPercent(double ratio);
/// Shortest text that reads back to the same double (std::to_chars).
[[nodiscard]] std::string formatExact(double value);
/// 1536 -> "1.5 KiB".
[[nodiscard]] std::string formatBytes(std::uint64_t bytes);
/// 0.42 s, 12.3 s, 3 min 04 s, 2 h 05 min.
[[nodiscard]] std::string formatDuration(double seconds);

}  // namespace ulp
