#include "core/report/table_writers/format_table.h"
#include "core/report/table_writers/latex_markup.h"
#include "core/report/table_writers/table_writer.h"

namespace ulp::report {

void registerLatex(TableWriterRegistry& registry);

namespace {

Result<std::string> writeLatex(const DataTable& table) {
  std::string out(kLatexPreamble);
  TextTable text = formatTable(table);
  text.note = table.source;
  appendLatexTable(out, text);
  return out;
}

}  // namespace

void registerLatex(TableWriterRegistry& registry) {
  registry.add({.id = "latex", .title = "LaTeX table", .extension = ".tex", .write = writeLatex});
}

}  // namespace ulp::report
