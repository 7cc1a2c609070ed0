#include <fmt/format.h>
#include <string_view>

#include "core/report/formats/format.h"

namespace ulp::report {
namespace {

/// Escapes what Markdown would read as markup inside a table cell or a heading.
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

/// Columns of different passes may have the same title; a Markdown table has one heading row.
std::string heading(const TableColumn& column) {
  return column.group.empty() ? column.title : column.group + " " + column.title;
}

void appendMarkdownTable(std::string& out, const TextTable& table) {
  out += fmt::format("## {}\n\n", escapedMarkdown(table.title));
  if (!table.note.empty()) {
    out += escapedMarkdown(table.note) + "\n\n";
  }
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

std::string renderMarkdown(const Document& document) {
  std::string out;
  if (!document.title.empty()) {
    out = fmt::format("# {}\n\n", escapedMarkdown(document.title));
  }
  for (const auto& [name, value] : document.facts) {
    out += fmt::format("- {}: {}\n", name, escapedMarkdown(value));
  }
  for (const DocumentPart& part : document.parts) {
    out += out.empty() ? "" : "\n";
    if (const auto* table = std::get_if<TextTable>(&part)) {
      appendMarkdownTable(out, *table);
    } else if (const auto* note = std::get_if<std::string>(&part)) {
      out += escapedMarkdown(*note) + "\n";
    }
  }
  return out;
}

}  // namespace

void registerMd(FormatRegistry& registry) {
  registry.add({.id = "md",
                .title = "Markdown",
                .extension = ".md",
                .windowOrder = 20,
                .render = renderMarkdown});
}

}  // namespace ulp::report
