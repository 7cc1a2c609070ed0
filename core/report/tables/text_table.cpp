#include "core/report/tables/text_table.h"

#include <algorithm>

namespace ulp::report {

std::vector<ColumnGroup> columnGroups(const std::vector<TableColumn>& columns) {
  std::vector<ColumnGroup> groups;
  for (const TableColumn& column : columns) {
    if (groups.empty() || groups.back().title != column.group) {
      groups.push_back({column.group, 0});
    }
    ++groups.back().columns;
  }
  const bool hasTitle =
      std::ranges::any_of(groups, [](const ColumnGroup& group) { return !group.title.empty(); });
  return hasTitle ? groups : std::vector<ColumnGroup>{};
}

}  // namespace ulp::report
