#include <fmt/format.h>

#include "core/report/contents/readable_report.h"
#include "core/report/formats/format.h"
#include "core/report/tables/aligned_text.h"

namespace ulp::report {

namespace {

std::string textOf(const ReadableReport& readable) {
  std::string out = readable.title + "\n";
  for (const auto& [name, value] : readable.facts) {
    out += fmt::format("  {:<9}{}\n", name, value);
  }
  appendAlignedTable(out, readable.runs);
  for (const TextTable& table : readable.tensors) {
    appendAlignedTable(out, table);
  }
  for (const TextTable& table : readable.summaries) {
    appendAlignedTable(out, table);
  }
  if (!readable.note.empty()) {
    out += "\n" + readable.note + "\n";
  }
  if (!readable.findings.rows.empty()) {
    appendAlignedTable(out, readable.findings);
  }
  return out;
}

Result<std::string> textReport(const Report& report, const ExportOptions& options) {
  return makeReadable(report, options).map(textOf);
}

}  // namespace

void registerText(FormatRegistry& registry) {
  registry.add({.id = "text",
                .title = "Aligned text",
                .extension = ".txt",
                .forReading = true,
                .writeReport = textReport});
}

}  // namespace ulp::report
