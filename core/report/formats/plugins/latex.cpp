#include <fmt/format.h>

#include "core/report/contents/readable_report.h"
#include "core/report/formats/format.h"
#include "core/report/formats/latex_markup.h"
#include "core/report/tables/format_table.h"

namespace ulp::report {
namespace {

std::string latexOf(const ReadableReport& readable) {
  std::string out(kLatexPreamble);
  out += fmt::format("% {}\n", escapedLatex(readable.title));
  forEachPart(
      readable,
      [&out](const TextTable& table) { appendLatexTable(out, table); },
      [&out](const std::string& note) { out += "\n" + escapedLatex(note) + "\n"; });
  return out;
}

Result<std::string> latexReport(const Report& report, const ExportOptions& options) {
  return makeReadable(report, options).map(latexOf);
}

Result<std::string> latexTable(const DataTable& table) {
  std::string out(kLatexPreamble);
  TextTable text = formatTable(table);
  text.note = table.source;
  appendLatexTable(out, text);
  return out;
}

}  // namespace

void registerLatex(FormatRegistry& registry) {
  registry.add({.id = "latex",
                .title = "LaTeX tables",
                .extension = ".tex",
                .forReading = true,
                .windowOrder = 30,
                .writeReport = latexReport,
                .tableTitle = "LaTeX table",
                .writeTable = latexTable});
}

}  // namespace ulp::report
