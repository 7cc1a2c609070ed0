#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/result.h"

namespace ulp {

/// Bytes of the longest name of a tensor or module that is read from a dump: as many as a path may
/// have.
inline constexpr std::size_t kLongestTensorName = 4096;
/// The same of a row of a report, whose name is made of such names.
inline constexpr std::size_t kLongestRowName = 2 * kLongestTensorName;

/// Error: Unsupported for a name that is longer than `most`; it shows both ends of it.
[[nodiscard]] Result<> checkNameLength(std::string_view name,
                                       std::size_t most = kLongestTensorName);

}  // namespace ulp
