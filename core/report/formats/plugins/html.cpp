#include "core/report/formats/format.h"
#include "core/report/formats/html_document.h"
#include "core/report/formats/html_markup.h"
#include "core/report/tables/format_table.h"

namespace ulp::report {
namespace {

Result<std::string> htmlReport(const Report& report, const ExportOptions& options) {
  return makeReadable(report, options).map([](const ReadableReport& readable) {
    return htmlDocument(readable);
  });
}

Result<std::string> htmlTable(const DataTable& table) {
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

void registerHtml(FormatRegistry& registry) {
  registry.add({.id = "html",
                .title = "Web page",
                .extension = ".html",
                .forReading = true,
                .writeReport = htmlReport,
                .writeTable = htmlTable});
}

}  // namespace ulp::report
