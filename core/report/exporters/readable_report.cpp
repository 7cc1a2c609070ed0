#include "core/report/exporters/readable_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "core/base/format_number.h"
#include "core/report/exporters/configuration_table.h"
#include "core/report/exporters/export_selection.h"
#include "core/report/exporters/number_column.h"
#include "core/report/finding.h"
#include "core/report/summary.h"

namespace ulp::report {
namespace {

/// Marks a summary cell behind which elements of the variant are NaN or infinite.
constexpr std::string_view kNonFiniteMark = "*";

std::vector<std::pair<std::string, std::string>> factsOf(const Report& report) {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](std::string_view name, std::string value) {
    if (!value.empty()) {
      facts.emplace_back(name, std::move(value));
    }
  };
  const ModelSummary& model = report.model;
  const Provenance& provenance = report.provenance;
  if (!model.name.empty()) {
    add("model",
        fmt::format("{} ({}, {} layers, {} parameters)",
                    model.name,
                    model.family,
                    model.layers,
                    model.parameters));
  }
  add("weights", provenance.weightsDigest);
  add("tokens", provenance.tokenDigest);
  add("input", provenance.input);
  if (!provenance.device.empty()) {
    add("device", fmt::format("{}, {} threads", provenance.device, provenance.threads));
  }
  if (!provenance.ulpscopeVersion.empty()) {
    add("versions",
        fmt::format(
            "Ulpscope {}, LibTorch {}", provenance.ulpscopeVersion, provenance.torchVersion));
  }
  if (!provenance.startedAt.empty()) {
    add("started",
        fmt::format("{}, took {}", provenance.startedAt, formatDuration(provenance.seconds)));
  }
  return facts;
}

std::string changesOf(const Run& run) {
  std::vector<std::string> parts;
  for (const auto& [path, value] : run.overrides) {
    parts.push_back(fmt::format("{}: {}", path, value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

TextTable runsTable(const ExportSelection& selection) {
  TextTable table{"Runs",
                  {{"run", false, ""},
                   {"status", false, ""},
                   {"loss", true, ""},
                   {"time", true, "", false},
                   {"peak memory", true, "", false},
                   {"changes or error", false, ""}},
                  {}};
  for (const Run* run : selection.runs) {
    const bool isDone = run->status == RunStatus::Finished;
    const std::string missing(kMissingText);
    table.rows.push_back({run->name,
                          std::string(toString(run->status)),
                          isDone ? formatSignificant(run->loss, 6) : missing,
                          isDone ? formatDuration(run->seconds) : missing,
                          isDone ? formatBytes(run->peakBytes) : missing,
                          run->error.empty() ? changesOf(*run) : run->error});
  }
  return table;
}

std::string dtypeText(const Comparison& row) {
  return row.referenceDType == row.variantDType ? row.variantDType
                                                : row.referenceDType + "→" + row.variantDType;
}

/// A value that is undefined because nothing could be compared is NaN for the reader; any other
/// undefined value (a zero norm) is missing.
bool isAllNonFinite(const Comparison& row) {
  return row.compared == 0 && row.count != 0;
}

/// How bad a row is: those with elements that are not finite first, then by a metric.
double badness(const Comparison& row, const SelectedMetric& metric) {
  if (row.variantNonFinite.total() != 0) {
    return std::numeric_limits<double>::infinity();
  }
  const double value = row.metrics.at(metric.column);
  if (std::isnan(value)) {
    return -std::numeric_limits<double>::infinity();
  }
  return metric.isHigherBetter ? -value : value;
}

/// Leaves the worst rows, worst first.
void keepWorst(std::vector<const Comparison*>& rows,
               const SelectedMetric& metric,
               std::size_t count) {
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(
      rows.begin(), end, rows.end(), [&metric](const Comparison* a, const Comparison* b) {
        return badness(*a, metric) > badness(*b, metric);
      });
  rows.erase(end, rows.end());
}

std::string leftOutNote(std::size_t shown,
                        std::size_t all,
                        const SelectedMetric& metric,
                        const ExportOptions& options) {
  return fmt::format(
      "The {} worst of {} tensors by {}, those with elements that are not finite first. All of "
      "them are in {}.",
      shown,
      all,
      metric.label,
      options.completeData);
}

TextTable tensorTable(const Run& run,
                      const ExportSelection& selection,
                      const std::vector<SelectedMetric>& metrics,
                      const ExportOptions& options) {
  TextTable table{
      fmt::format("Variant: {}", run.name),
      {{"tensor", false, ""}, {"pass", false, ""}, {"shape", false, ""}, {"dtype", false, ""}},
      {}};
  std::vector<const Comparison*> rows = selection.rows(run);
  if (options.maxRows != 0 && rows.size() > options.maxRows && !metrics.empty()) {
    table.note = leftOutNote(options.maxRows, rows.size(), metrics.front(), options);
    keepWorst(rows, metrics.front(), options.maxRows);
  }
  for (const Comparison* row : rows) {
    table.rows.push_back({row->site.name,
                          std::string(toString(row->site.pass)),
                          shapeText(row->shape),
                          dtypeText(*row)});
  }
  for (const SelectedMetric& metric : metrics) {
    table.columns.push_back({metric.title, true, ""});
    std::vector<double> values;
    values.reserve(rows.size());
    for (const Comparison* row : rows) {
      values.push_back(row->metrics.at(metric.column));
    }
    std::vector<std::string> cells = formatColumn(values, metric.unit, metric.isPartOfOne);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool isNan = std::isnan(values[i]) && isAllNonFinite(*rows[i]);
      table.rows[i].push_back(isNan ? "NaN" : std::move(cells[i]));
    }
  }
  table.columns.push_back({"non-finite", false, ""});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows[i].push_back(nonFiniteText(rows[i]->variantNonFinite));
  }
  return table;
}

TextTable summaryTable(const Report& report,
                       const ExportSelection& selection,
                       const SelectedMetric& metric) {
  TextTable table{fmt::format("Summary: {}", metric.title), {{"variant", false, ""}}, {}};
  std::vector<SummaryRow> rows;
  for (SummaryRow& row : summarise(report, metric.id)) {
    if (selection.hasVariant(row.run)) {
      table.rows.push_back({row.run});
      rows.push_back(std::move(row));
    }
  }
  for (std::size_t i = 0; i < summaryColumns().size(); ++i) {
    const SummaryColumn& column = summaryColumns()[i];
    if (!selection.hasPass(column.pass)) {
      continue;
    }
    table.columns.push_back({column.title, true, std::string(toString(column.pass))});
    std::vector<double> values;
    values.reserve(rows.size());
    for (const SummaryRow& row : rows) {
      values.push_back(row.cells[i].value);
    }
    std::vector<std::string> cells = formatColumn(values, metric.unit, metric.isPartOfOne);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const bool isNan = std::isnan(values[k]) && rows[k].cells[i].nonFinite != 0;
      table.rows[k].push_back((isNan ? "NaN" : cells[k]) +
                              std::string(rows[k].cells[i].nonFinite != 0 ? kNonFiniteMark : ""));
    }
  }
  return table;
}

bool isSelected(const Finding& finding, const ExportSelection& selection) {
  const bool isOfRun = finding.runs.empty() ||
                       std::any_of(finding.runs.begin(), finding.runs.end(), [&](const auto& run) {
                         return selection.hasVariant(run);
                       });
  return isOfRun && (finding.sites.empty() || selection.hasPass(finding.sites.front().pass));
}

Result<TextTable> findingsTable(const Report& report, const ExportSelection& selection) {
  auto findings = readFindings(report);
  if (!findings) {
    return tl::unexpected<Error>(std::move(findings.error()));
  }
  TextTable table{
      "Findings", {{"severity", false, ""}, {"rule", false, ""}, {"finding", false, ""}}, {}};
  for (const Finding& finding : *findings) {
    if (isSelected(finding, selection)) {
      table.rows.push_back(
          {std::string(toString(finding.severity)), finding.rule, finding.title.text()});
    }
  }
  return table;
}

bool hasMark(const TextTable& table) {
  for (const std::vector<std::string>& row : table.rows) {
    for (std::size_t i = 1; i < row.size(); ++i) {
      if (row[i].ends_with(kNonFiniteMark)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Result<ReadableReport> makeReadable(const Report& report, const ExportOptions& options) {
  const auto selected = selectForExport(report, options);
  if (!selected) {
    return tl::unexpected<Error>(selected.error());
  }
  const ExportSelection& selection = *selected;
  ReadableReport readable;
  readable.title =
      report.model.name.empty() ? "Precision report" : "Precision report of " + report.model.name;
  readable.facts = factsOf(report);
  readable.runs = runsTable(selection);
  if (options.hasConfiguration) {
    auto configuration = configurationTable(report, selection.runs);
    if (!configuration) {
      return tl::unexpected<Error>(std::move(configuration.error()));
    }
    readable.configuration = std::move(*configuration);
  }
  if (selection.variants.empty()) {
    return readable;
  }
  auto findings = findingsTable(report, selection);
  if (!findings) {
    return tl::unexpected<Error>(std::move(findings.error()));
  }
  readable.findings = std::move(*findings);
  if (!options.isSummaryOnly) {
    const std::vector<SelectedMetric> metrics = readableMetrics(selection);
    for (const Run* run : selection.variants) {
      readable.tensors.push_back(tensorTable(*run, selection, metrics, options));
    }
  }
  for (const SelectedMetric& metric : summaryMetrics(selection)) {
    readable.summaries.push_back(summaryTable(report, selection, metric));
    if (hasMark(readable.summaries.back())) {
      readable.note = fmt::format(
          "{} elements of the variant are NaN or infinite; the number is over the others",
          kNonFiniteMark);
    }
  }
  return readable;
}

void forEachPart(const ReadableReport& readable,
                 const std::function<void(const TextTable&)>& table,
                 const std::function<void(const std::string&)>& note) {
  if (!readable.findings.rows.empty()) {
    table(readable.findings);
  }
  for (const TextTable& summary : readable.summaries) {
    table(summary);
  }
  if (!readable.note.empty()) {
    note(readable.note);
  }
  table(readable.runs);
  for (const TextTable& other : readable.more) {
    table(other);
  }
  if (!readable.configuration.rows.empty()) {
    table(readable.configuration);
  }
  for (const TextTable& tensors : readable.tensors) {
    table(tensors);
  }
}

}  // namespace ulp::report
