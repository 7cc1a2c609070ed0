#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ulp::compat::msit {

/// As Python's repr(): shortest text that reads back, "1e-05", "3.0", "inf", "nan".
[[nodiscard]] std::string pythonFloat(double value);
/// "[1, 6, 32]"
[[nodiscard]] std::string pythonList(std::span<const std::int64_t> values);

}  // namespace ulp::compat::msit
