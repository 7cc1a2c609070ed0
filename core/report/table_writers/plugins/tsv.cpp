#include "core/report/table_writers/delimited_table.h"
#include "core/report/table_writers/delimited_text.h"
#include "core/report/table_writers/table_writer.h"

namespace ulp::report {

void registerTsv(TableWriterRegistry& registry);

namespace {

Result<std::string> writeTsv(const DataTable& table) {
  return delimitedTable(table, '\t', tsvField);
}

}  // namespace

void registerTsv(TableWriterRegistry& registry) {
  registry.add(
      {.id = "tsv", .title = "Tab-separated values", .extension = ".tsv", .write = writeTsv});
}

}  // namespace ulp::report
