#include <fmt/format.h>

#include "core/report/contents/readable_report.h"
#include "core/report/formats/format.h"
#include "core/report/formats/markdown_markup.h"
#include "core/report/tables/format_table.h"

namespace ulp::report {
namespace {

void appendMarkdownSection(std::string& out, const TextTable& table) {
  out += fmt::format("## {}\n\n", escapedMarkdown(table.title));
  if (!table.note.empty()) {
    out += escapedMarkdown(table.note) + "\n\n";
  }
  appendMarkdownTable(out, table);
}

std::string markdownOf(const ReadableReport& readable) {
  std::string out = fmt::format("# {}\n\n", escapedMarkdown(readable.title));
  for (const auto& [name, value] : readable.facts) {
    out += fmt::format("- {}: {}\n", name, escapedMarkdown(value));
  }
  forEachPart(
      readable,
      [&out](const TextTable& table) {
        out += "\n";
        appendMarkdownSection(out, table);
      },
      [&out](const std::string& note) { out += "\n" + escapedMarkdown(note) + "\n"; });
  return out;
}

Result<std::string> markdownReport(const Report& report, const ExportOptions& options) {
  return makeReadable(report, options).map(markdownOf);
}

Result<std::string> markdownTable(const DataTable& table) {
  TextTable text = formatTable(table);
  text.note = table.source;
  std::string out;
  appendMarkdownSection(out, text);
  return out;
}

}  // namespace

void registerMd(FormatRegistry& registry) {
  registry.add({.id = "md",
                .title = "Markdown",
                .extension = ".md",
                .forReading = true,
                .windowOrder = 20,
                .writeReport = markdownReport,
                .writeTable = markdownTable});
}

}  // namespace ulp::report
