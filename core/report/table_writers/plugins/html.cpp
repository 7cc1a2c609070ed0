#include "core/report/table_writers/format_table.h"
#include "core/report/table_writers/html_markup.h"
#include "core/report/table_writers/table_writer.h"

namespace ulp::report {

void registerHtml(TableWriterRegistry& registry);

namespace {

Result<std::string> writeHtml(const DataTable& table) {
  const TextTable text = formatTable(table);
  std::string out = htmlHead(table.title);
  out += "<h1>" + escapedHtml(table.title) + "</h1>\n";
  if (!table.source.empty()) {
    out += "<p class=\"note\">" + escapedHtml(table.source) + "</p>\n";
  }
  appendHtmlTable(out, text);
  out += "\n";
  out += htmlSortScript();
  return out + "</body>\n</html>\n";
}

}  // namespace

void registerHtml(TableWriterRegistry& registry) {
  registry.add({.id = "html", .title = "Web page", .extension = ".html", .write = writeHtml});
}

}  // namespace ulp::report
