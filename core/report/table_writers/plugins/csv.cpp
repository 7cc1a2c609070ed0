#include "core/report/table_writers/delimited_table.h"
#include "core/report/table_writers/delimited_text.h"
#include "core/report/table_writers/table_writer.h"

namespace ulp::report {

void registerCsv(TableWriterRegistry& registry);

namespace {

Result<std::string> writeCsv(const DataTable& table) {
  return delimitedTable(table, ',', csvField);
}

}  // namespace

void registerCsv(TableWriterRegistry& registry) {
  registry.add(
      {.id = "csv", .title = "Comma-separated values", .extension = ".csv", .write = writeCsv});
}

}  // namespace ulp::report
