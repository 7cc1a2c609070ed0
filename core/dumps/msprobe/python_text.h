#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ulp::dumps::msprobe {

/// repr() of a float: the shortest digits that read back as the same number: "1.0", "1e-05",
/// "inf", "nan".
[[nodiscard]] std::string pythonFloat(double value);
/// As json.dumps() writes a float: pythonFloat(), and the words NaN, Infinity and -Infinity.
[[nodiscard]] std::string jsonFloat(double value);
/// repr() of a str: in quotes, with what cannot be printed escaped.
[[nodiscard]] std::string pythonQuoted(std::string_view text);
/// repr() of a list of str.
[[nodiscard]] std::string pythonList(std::span<const std::string> texts);
/// CRC-32 as "%08x": what msprobe calls md5.
[[nodiscard]] std::string crc32Text(std::string_view bytes);

}  // namespace ulp::dumps::msprobe
