#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/report/contents/export_selection.h"
#include "core/report/contents/sample_columns.h"
#include "core/report/formats/format.h"
#include "core/report/tables/delimited_text.h"

namespace ulp::report {
namespace {

void appendHeader(std::string& out, const ExportSelection& selection, const SampleColumns& extra) {
  out += "run,name,module,layer,level,pass,shape,dtype_reference,dtype_variant,count,compared";
  for (const SelectedMetric& metric : selection.metrics) {
    out += "," + csvField(metric.id);
  }
  out += ",reference_nan,reference_+inf,reference_-inf,variant_nan,variant_+inf,variant_-inf";
  for (const SampleColumn& column : extra.columns()) {
    out += "," + csvField(column.id);
  }
  out += "\n";
}

void appendRow(std::string& out,
               const Run& run,
               const Comparison& row,
               const ExportSelection& selection,
               const SampleColumns& extra) {
  const Site& site = row.site;
  out += fmt::format("{},{},{},{},{},{},{},{},{},{},{}",
                     csvField(run.name),
                     csvField(site.name),
                     csvField(site.module),
                     site.layer,
                     toString(site.level),
                     toString(site.pass),
                     fmt::join(row.shape, "x"),
                     csvField(row.referenceDType),
                     csvField(row.variantDType),
                     row.count,
                     row.compared);
  for (const SelectedMetric& metric : selection.metrics) {
    out += "," + exactNumber(row.metrics.at(metric.column));
  }
  for (const auto& counts : {row.referenceNonFinite, row.variantNonFinite}) {
    out += fmt::format(",{},{},{}", counts.nan, counts.positiveInfinity, counts.negativeInfinity);
  }
  for (const double value : extra.values(run, row)) {
    out += "," + exactNumber(value);
  }
  out += "\n";
}

Result<std::string> csvReport(const Report& report, const ExportOptions& options) {
  const auto selection = ULP_TRY(selectAllTensors(report, options));
  std::string out;
  const SampleColumns extra(report, selection);
  appendHeader(out, selection, extra);
  for (const Run* run : selection.variants) {
    for (const Comparison* row : selection.rows(*run)) {
      appendRow(out, *run, *row, selection, extra);
    }
  }
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
                .exportReport = csvReport,
                .exportTable = csvTable});
}

}  // namespace ulp::report
