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

/// Tells whether a number of ULP says anything: no two numbers of a format are farther apart than
/// it has numbers. Where the reference is 0 and the variant is not, errors are counted in the
/// spacing of the smallest numbers there are: 1.5e36 of them, say, mean nothing but that. What is
/// no number, and rows of unknown formats, count as sensible.
[[nodiscard]] bool isSensibleUlp(const Comparison& row, double count);
[[nodiscard]] bool isSensibleUlp(DType format, double count);

}  // namespace ulp::report
