#include "core/report/summary/summary_floor.h"

#include <cmath>

#include "core/base/undefined.h"
#include "core/report/summary/noise_floor.h"

namespace ulp::report {

std::vector<double> summaryFloor(const Report& report,
                                 const std::vector<SummaryRow>& rows,
                                 std::string_view metric) {
  std::vector<double> floor;
  if (!measuresError(metric)) {
    return floor;
  }
  const numerics::Better better = betterOf(metric);
  for (const SummaryRow& row : rows) {
    const Run* run = report.findRun(row.run);
    if (run == nullptr || run->role != RunRole::Floor) {
      continue;
    }
    floor.resize(row.cells.size(), kUndefined);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      floor[i] = worseOf(floor[i], row.cells[i].value, better);
    }
  }
  return floor;
}

bool isWithinFloor(const SummaryCell& cell,
                   const std::vector<double>& floor,
                   std::size_t column,
                   std::string_view metric) {
  return column < floor.size() && !std::isnan(floor[column]) &&
         numerics::isNoWorse(cell.value, floor[column], betterOf(metric));
}

}  // namespace ulp::report
