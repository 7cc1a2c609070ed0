#include "core/report/formats/markdown_markup.h"

#include <fmt/format.h>

namespace ulp::report {
namespace {

/// Columns of different passes may have the same title; a Markdown table has one heading row.
std::string heading(const TableColumn& column) {
  return column.group.empty() ? column.title : column.group + " " + column.title;
}

}  // namespace

std::string escapedMarkdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*_|<>[]#").find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c;
  }
  return out;
}

void appendMarkdownTable(std::string& out, const TextTable& table) {
  out += "|";
  for (const TableColumn& column : table.columns) {
    out += fmt::format(" {} |", escapedMarkdown(heading(column)));
  }
  out += "\n|";
  for (const TableColumn& column : table.columns) {
    out += column.isNumber ? "---:|" : "---|";
  }
  out += "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const std::string& cell : row) {
      out += fmt::format(" {} |", escapedMarkdown(cell));
    }
    out += "\n";
  }
}

}  // namespace ulp::report
