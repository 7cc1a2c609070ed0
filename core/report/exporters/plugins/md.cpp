#include <fmt/format.h>

#include "core/report/exporters/readable_report.h"
#include "core/report/table_writers/markdown_markup.h"

namespace ulp::report {

void registerMd(ExporterRegistry& registry);

namespace {

std::string markdownOf(const ReadableReport& readable) {
  std::string out = fmt::format("# {}\n\n", escapedMarkdown(readable.title));
  for (const auto& [name, value] : readable.facts) {
    out += fmt::format("- {}: {}\n", name, escapedMarkdown(value));
  }
  forEachPart(
      readable,
      [&out](const TextTable& table) {
        out += fmt::format("\n## {}\n\n", escapedMarkdown(table.title));
        if (!table.note.empty()) {
          out += escapedMarkdown(table.note) + "\n\n";
        }
        appendMarkdownTable(out, table);
      },
      [&out](const std::string& note) { out += "\n" + escapedMarkdown(note) + "\n"; });
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
