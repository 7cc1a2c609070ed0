#pragma once

#include <string_view>
#include <vector>

#include "core/report/summary/summary.h"

namespace ulp::report {

/// Gives what runs of the noise floor reach in a summary: for each of summaryColumns() their worst
/// value among `rows`, NaN where none has a number. Empty without such runs, and for a metric that
/// measures no error.
[[nodiscard]] std::vector<double> summaryFloor(const Report& report,
                                               const std::vector<SummaryRow>& rows,
                                               std::string_view metric);

/// Whether a cell is no worse than the floor of its column, so that it need not mean anything.
[[nodiscard]] bool isWithinFloor(const SummaryCell& cell,
                                 const std::vector<double>& floor,
                                 std::size_t column,
                                 std::string_view metric);

}  // namespace ulp::report
