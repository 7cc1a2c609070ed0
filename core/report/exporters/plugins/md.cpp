#include <fmt/format.h>

#include "core/report/exporters/readable_report.h"

namespace ulp::report {

void registerMd(ExporterRegistry& registry);

namespace {

/// Escapes what Markdown would read as markup inside a table cell or a heading.
std::string escaped(std::string_view text) {
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

void appendTable(std::string& out, const TextTable& table) {
  out += fmt::format("\n## {}\n\n|", escaped(table.title));
  for (const TableColumn& column : table.columns) {
    out += fmt::format(" {} |", escaped(heading(column)));
  }
  out += "\n|";
  for (const TableColumn& column : table.columns) {
    out += column.isNumber ? "---:|" : "---|";
  }
  out += "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const std::string& cell : row) {
      out += fmt::format(" {} |", escaped(cell));
    }
    out += "\n";
  }
}

std::string markdownOf(const ReadableReport& readable) {
  std::string out = fmt::format("# {}\n\n", escaped(readable.title));
  for (const auto& [name, value] : readable.facts) {
    out += fmt::format("- {}: {}\n", name, escaped(value));
  }
  forEachPart(
      readable,
      [&out](const TextTable& table) { appendTable(out, table); },
      [&out](const std::string& note) { out += "\n" + escaped(note) + "\n"; });
  return out;
}

Result<std::string> writeMarkdown(const Report& report, const ExportOptions& options) {
  return makeReadable(report, options).map(markdownOf);
}

}  // namespace

void registerMd(ExporterRegistry& registry) {
  registry.add({.id = "md",
                .title = "Markdown",
                .extension = ".md",
                .forReading = true,
                .write = writeMarkdown});
}

}  // namespace ulp::report
