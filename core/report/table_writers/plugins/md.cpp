#include "core/report/table_writers/format_table.h"
#include "core/report/table_writers/markdown_markup.h"
#include "core/report/table_writers/table_writer.h"

namespace ulp::report {

void registerMd(TableWriterRegistry& registry);

namespace {

Result<std::string> writeMd(const DataTable& table) {
  std::string out = "## " + escapedMarkdown(table.title) + "\n\n";
  if (!table.source.empty()) {
    out += escapedMarkdown(table.source) + "\n\n";
  }
  appendMarkdownTable(out, formatTable(table));
  return out;
}

}  // namespace

void registerMd(TableWriterRegistry& registry) {
  registry.add({.id = "md", .title = "Markdown", .extension = ".md", .write = writeMd});
}

}  // namespace ulp::report
