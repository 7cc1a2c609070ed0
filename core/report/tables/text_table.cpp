#include "core/report/tables/text_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/base/text/visible_text.h"
#include "core/report/tables/number_column.h"

namespace ulp::report {
namespace {

constexpr std::string_view kGap = "  ";

std::string padded(std::string_view cell, std::size_t width, bool isRight) {
  const std::string text = visibleLine(cell);
  const std::size_t own = displayWidth(text);
  const std::string blanks(width > own ? width - own : 0, ' ');
  return isRight ? blanks + text : text + blanks;
}

void appendLine(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

std::vector<std::size_t> columnWidths(const TextTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t width = displayWidth(visibleLine(table.columns[i].title));
    for (const auto& row : table.rows) {
      width = std::max(width, displayWidth(visibleLine(row[i])));
    }
    widths.push_back(width);
  }
  return widths;
}

/// The headings over groups of columns, or nothing when no column has one.
void appendGroupLine(std::string& out,
                     const TextTable& table,
                     const std::vector<std::size_t>& widths) {
  std::string line;
  bool hasGroup = false;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& group = table.columns[i].group;
    const bool isFirst = !group.empty() && (i == 0 || table.columns[i - 1].group != group);
    hasGroup = hasGroup || isFirst;
    line += padded(isFirst ? group : "", widths[i], true) + std::string(kGap);
  }
  if (hasGroup) {
    appendLine(out, std::move(line));
  }
}

void appendCells(std::string& out,
                 const TextTable& table,
                 const std::vector<std::size_t>& widths,
                 const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += padded(cells[i], widths[i], table.columns[i].isNumber) + std::string(kGap);
  }
  appendLine(out, std::move(line));
}

}  // namespace

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

void appendAlignedTable(std::string& out, const TextTable& table) {
  const std::vector<std::size_t> widths = columnWidths(table);
  out += fmt::format("\n=== {} ===\n", visibleLine(table.title));
  if (!table.note.empty()) {
    out += visibleText(table.note) + "\n";
  }
  appendGroupLine(out, table, widths);
  appendCells(out, table, widths, listOf(table.columns, &TableColumn::title));
  const std::size_t gaps = kGap.size() * (widths.size() - 1);
  out += std::string(std::accumulate(widths.begin(), widths.end(), gaps), '-') + "\n";
  for (const auto& row : table.rows) {
    appendCells(out, table, widths, row);
  }
}

}  // namespace ulp::report
