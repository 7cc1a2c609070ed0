#include "core/comparing/origin/execution_order.h"

#include <fmt/format.h>

#include "core/base/stop_pace.h"
#include "core/comparing/origin/collective_call.h"

namespace ulp::analysis {

std::string callKey(const dumps::DumpEntry& entry) {
  return fmt::format("{}|{}|{}", entry.module, entry.operation, entry.call);
}

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

Result<std::vector<PlacedTensor>> tensorsInOrder(const dumps::DumpUnit& unit) {
  std::vector<PlacedTensor> placed;
  SiteNames names;
  StopPace pace;
  for (const std::size_t entry : executionOrder(unit)) {
    for (const std::size_t row : unit.entries[entry].rows()) {
      if (pace.isStopped()) {
        return stopped();
      }
      if (dumps::isTensor(unit.rows[row])) {
        placed.push_back({entry, row, siteOf(unit, entry, row)});
        names.makeUnique(placed.back().site);
      }
    }
  }
  return placed;
}

PairedCalls::PairedCalls(const UnitComparison& units)
    : m_units(units), m_rows(units.matching.entries.size()) {
  const UnitMatching& matching = units.matching;
  std::vector<std::size_t> firstPairs(units.baseline->entries.size(), dumps::kNone);
  for (std::size_t pair = matching.entries.size(); pair-- > 0;) {
    firstPairs[entryIndex(pair)] = pair;
  }
  for (const std::size_t entry : executionOrder(*units.baseline)) {
    if (firstPairs[entry] != dumps::kNone) {
      m_order.push_back(firstPairs[entry]);
    }
  }
  for (std::size_t row = 0; row < matching.rows.size(); ++row) {
    m_rows[firstPairs[entryIndex(matching.rows[row].entry)]].push_back(row);
  }
}

}  // namespace ulp::analysis
