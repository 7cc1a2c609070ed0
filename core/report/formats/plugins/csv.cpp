#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "core/base/list_of.h"
#include "core/report/contents/export_selection.h"
#include "core/report/contents/sample_columns.h"
#include "core/report/formats/format.h"
#include "core/report/tables/data_table.h"

namespace ulp::report {
namespace {

Result<std::string> csvReport(const Report& report, const ExportOptions& options) {
  const auto selection = ULP_TRY(selectAllTensors(report, options));
  const TensorColumns tensors(report, selection);
  const auto heading = [](const TensorColumn& column) { return spreadsheetText(column.id); };
  std::string out = csvLine(listOf(tensors.columns(), heading)) + "\n";
  ULP_TRY(tensors.forEachRow(
      [](std::span<const std::int64_t> shape) { return fmt::format("{}", fmt::join(shape, "x")); },
      [&](const std::vector<DataCell>& cells) {
        out += csvLine(listOf(cells, spreadsheetCell)) + "\n";
      }));
  return out;
}

Result<std::string> csvTable(const DataTable& table) {
  return delimitedTable(table, ',', csvField);
}

}  // namespace

void registerCsv(FormatRegistry& registry) {
  registry.add({.id = "csv",
                .title = "Comma-separated values",
                .extension = ".csv",
                .windowOrder = 40,
                .exportReport = csvReport,
                .exportTable = csvTable});
}

}  // namespace ulp::report
