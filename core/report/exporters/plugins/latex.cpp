#include <fmt/format.h>

#include "core/report/exporters/readable_report.h"
#include "core/report/table_writers/latex_markup.h"

namespace ulp::report {

void registerLatex(ExporterRegistry& registry);

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

Result<std::string> writeLatex(const Report& report, const ExportOptions& options) {
  return makeReadable(report, options).map(latexOf);
}

}  // namespace

void registerLatex(ExporterRegistry& registry) {
  registry.add({.id = "latex",
                .title = "LaTeX tables",
                .extension = ".tex",
                .forReading = true,
                .write = writeLatex});
}

}  // namespace ulp::report
