#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ulp::report {

/// Says what a known file is that is no report of Ulpscope, and what to do with it, as the end of a
/// sentence: "a dump of msprobe …; …". Nothing for files that are not known.
[[nodiscard]] std::optional<std::string> describeForeignFile(std::string_view bytes);

}  // namespace ulp::report
