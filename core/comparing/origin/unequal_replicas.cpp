#include "core/comparing/origin/unequal_replicas.h"

#include <unordered_set>
#include <utility>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/execution_order.h"

namespace ulp::analysis {
namespace {

/// Counts a row whose replicas differ; the first unexpected one, else the first, is described.
void add(UnequalReplicas& found, const dumps::DumpUnit& unit, std::size_t entry, std::size_t row) {
  const dumps::DumpRow& held = unit.rows[row];
  const Sentence unexpected = held.replicas->unexpectedDifference();
  Sentence difference = unexpected.isEmpty() ? held.replicas->difference() : unexpected;
  if (difference.isEmpty()) {
    return;
  }
  const bool isFirst = found.tensors == 0 || (found.isExpected() && !unexpected.isEmpty());
  found.tensors += 1;
  found.expected += unexpected.isEmpty() ? 1 : 0;
  if (isFirst) {
    found.row = held.name;
    found.entry = entry;
    found.site = siteOf(unit, entry, row);
    found.difference = std::move(difference);
  }
}

}  // namespace

std::optional<UnequalReplicas> unequalReplicas(const dumps::DumpUnit& unit, bool isBaseline) {
  UnequalReplicas found{.isBaseline = isBaseline};
  std::unordered_set<const dumps::ReplicaCheck*> seen;  // pieces of a tensor share its check
  for (const std::size_t entry : executionOrder(unit)) {
    const dumps::DumpEntry& its = unit.entries[entry];
    for (const std::size_t row : its.rows()) {
      const dumps::ReplicaCheck* const check = unit.rows[row].replicas.get();
      if (check != nullptr && seen.insert(check).second) {
        add(found, unit, entry, row);
      }
    }
  }
  return found.tensors == 0 ? std::nullopt : std::optional(std::move(found));
}

}  // namespace ulp::analysis
