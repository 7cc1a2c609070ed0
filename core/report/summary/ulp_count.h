#pragma once

#include <optional>
#include <string_view>

#include "core/base/dtype.h"
#include "core/report/model/report.h"

namespace ulp::report {

/// Tells whether a metric is a number of ULP.
[[nodiscard]] bool countsUlp(std::string_view metric);

/// The format in whose ULP the errors of a row are counted, the coarser of its two; nothing where
/// the report names no formats that this build knows.
[[nodiscard]] std::optional<DType> ulpFormatOf(const Comparison& row);

/// Tells whether a number of ULP is at most that of all numbers of its format. Above it the
/// reference is 0, or some 16 to 512 times smaller than the variant, by format: errors are then
/// counted in a spacing that has nothing to do with the variant, 1.5e36 of them, say, and relative
/// errors tell more. What is no number, and rows of unknown formats, count as sensible.
[[nodiscard]] bool isSensibleUlp(const Comparison& row, double count);
[[nodiscard]] bool isSensibleUlp(DType format, double count);

}  // namespace ulp::report
