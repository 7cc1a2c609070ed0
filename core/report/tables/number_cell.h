#pragma once

#include <cmath>

#include "core/report/tables/data_table.h"

namespace ulp::report {

/// A number of a report as a cell. NaN stands there for what is missing or undefined and leaves the
/// cell empty, unless it is the number itself: `isNonFinite`, where elements that are not finite
/// made it so.
[[nodiscard]] inline DataCell numberCell(double value, bool isNonFinite = false) {
  if (std::isnan(value) && !isNonFinite) {
    return {};
  }
  return value;
}

}  // namespace ulp::report
