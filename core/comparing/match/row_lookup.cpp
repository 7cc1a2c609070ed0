#include "core/comparing/match/row_lookup.h"

#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {

void RowLookup::lookAt(const dumps::DumpEntry& entry) {
  m_byIndex.clear();
  m_firsts.clear();
  for (const std::size_t number : entry.rows()) {
    const dumps::DumpRow& row = m_unit.rows[number];
    m_byIndex.push_back({keyOf(row), number});
    if (isFirst(row)) {
      m_firsts.push_back({keyOfFirst(row), number});
    }
  }
  for (Groups* groups : {&m_byIndex, &m_firsts}) {
    std::ranges::sort(
        *groups, {}, [](const Group& group) { return std::pair(group.key, group.row); });
  }
}

bool RowLookup::isFirst(const dumps::DumpRow& row) {
  return isFirstOfRole(row.index);
}

}  // namespace ulp::analysis
