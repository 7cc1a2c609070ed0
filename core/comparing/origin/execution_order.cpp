#include "core/comparing/origin/execution_order.h"

#include "core/comparing/origin/collective_call.h"

namespace ulp::analysis {
namespace {

/// Of each of the baseline's entries, in matching.entries.
std::vector<std::size_t> firstPairs(const UnitComparison& units) {
  std::vector<std::size_t> pairOf(units.baseline->entries.size(), dumps::kNone);
  for (std::size_t pair = units.matching.entries.size(); pair-- > 0;) {
    pairOf[units.matching.entries[pair].baseline] = pair;
  }
  return pairOf;
}

}  // namespace

std::vector<std::size_t> executionOrder(const dumps::DumpUnit& unit) {
  std::vector<Pass> passes;
  bool isInBackward = false;
  for (const dumps::DumpEntry& entry : unit.entries) {
    isInBackward = isInBackward || entry.pass == Pass::Backward;
    passes.push_back(isInBackward && isCollective(entry) ? Pass::Backward : entry.pass);
  }
  std::vector<std::size_t> order;
  order.reserve(passes.size());
  for (const Pass pass : kPasses) {
    for (std::size_t entry = 0; entry < passes.size(); ++entry) {
      if (passes[entry] == pass) {
        order.push_back(entry);
      }
    }
  }
  return order;
}

std::vector<std::size_t> pairsInOrder(const UnitComparison& units) {
  const std::vector<std::size_t> pairOf = firstPairs(units);
  std::vector<std::size_t> order;
  for (const std::size_t entry : executionOrder(*units.baseline)) {
    if (pairOf[entry] != dumps::kNone) {
      order.push_back(pairOf[entry]);
    }
  }
  return order;
}

std::vector<std::vector<std::size_t>> rowsOfPairs(const UnitComparison& units) {
  const std::vector<std::size_t> pairOf = firstPairs(units);
  std::vector<std::vector<std::size_t>> rows(units.matching.entries.size());
  for (std::size_t row = 0; row < units.matching.rows.size(); ++row) {
    const EntryPair& pair = units.matching.entries[units.matching.rows[row].entry];
    rows[pairOf[pair.baseline]].push_back(row);
  }
  return rows;
}

}  // namespace ulp::analysis
