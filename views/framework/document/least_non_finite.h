#pragma once

#include <cmath>

#include "views/framework/document/report_document.h"

namespace ulp::views {

/// Whether statistics of a dump tell that a tensor has elements that are not finite, and not how
/// many: those that it counts are the least.
[[nodiscard]] inline bool isLeastNonFinite(const ReportDocument& document,
                                           const report::Comparison& row) {
  const auto isUncounted = [&](const QString& metric, bool isThere) {
    const int column = isThere ? document.findMetric(metric) : -1;
    return column >= 0 && std::isnan(row.metrics[static_cast<std::size_t>(column)]);
  };
  const numerics::NonFiniteCounts& counts = row.variantNonFinite;
  return isUncounted(QStringLiteral("recorded.nan"), counts.nan > 0) ||
         isUncounted(QStringLiteral("recorded.inf"), counts.total() > counts.nan);
}

}  // namespace ulp::views
