#include "core/comparing/origin/execution_order.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "core/base/stop_pace.h"
#include "core/comparing/origin/collective_call.h"

namespace ulp::analysis {

std::string callKey(const dumps::DumpEntry& entry) {
  return fmt::format("{}|{}|{}", entry.module, entry.operation, entry.call);
}

std::vector<std::size_t> executionOrder(const dumps::DumpUnit& unit) {
  std::vector<std::size_t> order(unit.entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto behindLast = [&](auto&& isSought) {
    return std::find_if(order.rbegin(),
                        order.rend(),
                        [&](std::size_t entry) { return isSought(unit.entries[entry]); })
        .base();
  };
  auto behind = behindLast([](const auto& entry) { return entry.pass == Pass::Backward; });
  if (behind == order.begin()) {
    behind = behindLast([](const auto& entry) { return entry.kind == dumps::EntryKind::Module; });
  }
  std::stable_partition(order.begin(), behind, [&](std::size_t entry) {
    return !isOfParameters(unit.entries[entry].pass);
  });
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

bool PairedCalls::isLeft(std::size_t row) const {
  const RowPair& pair = m_units.matching.rows[row];
  return isFilled(*m_units.baseline, entryIndex(pair.entry), pair.baseline);
}

bool PairedCalls::hidesParameters(std::size_t pair) const {
  return entry(pair).kind == dumps::EntryKind::Module &&
         std::ranges::none_of(rows(pair), [this](std::size_t each) {
           return row(each).role == dumps::Role::Parameter;
         });
}

}  // namespace ulp::analysis
