#include "core/report/formats/format.h"
#include "core/report/tables/data_table.h"

namespace ulp::report {

namespace {

Result<std::string> tsvTable(const DataTable& table) {
  return delimitedTable(table, '\t', tsvField);
}

}  // namespace

void registerTsv(FormatRegistry& registry) {
  registry.add(
      {.id = "tsv", .title = "Tab-separated values", .extension = ".tsv", .exportTable = tsvTable});
}

}  // namespace ulp::report
