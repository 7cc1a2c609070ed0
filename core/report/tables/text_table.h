#pragma once

#include <string>
#include <vector>

namespace ulp::report {

struct TableColumn {
  std::string title;
  bool isNumber = false;   ///< aligned to the right
  std::string group;       ///< heading over neighbouring columns ("forward"), or empty
  bool isSortable = true;  ///< false: the cells carry units of their own ("900 MB", "1.2 GB")
};

/// A table of formatted cells, before any markup.
struct TextTable {
  std::string title;
  std::vector<TableColumn> columns;
  std::vector<std::vector<std::string>> rows;
  std::string note{};  ///< what the reader must know of the rows, or empty
};

/// Neighbouring columns under one heading.
struct ColumnGroup {
  std::string title;  ///< may be empty
  std::size_t columns = 0;
};

/// The headings above the column titles, from left to right; empty when no column has one.
[[nodiscard]] std::vector<ColumnGroup> columnGroups(const std::vector<TableColumn>& columns);

}  // namespace ulp::report
