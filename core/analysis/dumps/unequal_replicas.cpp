#include "core/analysis/dumps/unequal_replicas.h"

#include <utility>

#include "core/analysis/dumps/dump_site.h"
#include "core/analysis/dumps/execution_order.h"

namespace ulp::analysis {

std::optional<UnequalReplicas> unequalReplicas(const dumps::DumpUnit& unit, bool isBaseline) {
  UnequalReplicas found{.isBaseline = isBaseline};
  for (const std::size_t entry : executionOrder(unit)) {
    const dumps::DumpEntry& its = unit.entries[entry];
    for (std::size_t row = its.firstRow; row < its.firstRow + its.rowCount; ++row) {
      const dumps::DumpRow& held = unit.rows[row];
      std::string difference = held.replicas ? held.replicas->difference() : std::string();
      if (difference.empty()) {
        continue;
      }
      if (++found.tensors == 1) {
        found.row = held.name;
        found.site = siteOf(unit, entry, row);
        found.difference = std::move(difference);
      }
      found.isOfGradientsAlone =
          found.isOfGradientsAlone && held.role == dumps::Role::ParameterGradient;
    }
  }
  return found.tensors == 0 ? std::nullopt : std::optional(std::move(found));
}

}  // namespace ulp::analysis
