#include "core/report/contents/readable_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/elided.h"
#include "core/base/text/format_number.h"
#include "core/base/undefined.h"
#include "core/base/unit_axes.h"
#include "core/report/contents/configuration_table.h"
#include "core/report/contents/export_selection.h"
#include "core/report/contents/position_tables.h"
#include "core/report/contents/report_tables.h"
#include "core/report/contents/sample_columns.h"
#include "core/report/model/effective_config.h"
#include "core/report/model/one_dump.h"
#include "core/report/summary/noise_floor.h"
#include "core/report/summary/provenance_line.h"
#include "core/report/summary/summary.h"
#include "core/report/summary/ulp_count.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/number_column.h"

namespace ulp::report {
namespace {

/// Marks a summary cell behind which elements of the variant are NaN or infinite.
constexpr std::string_view kNonFiniteMark = "*";
/// Marks a number of a variant that is no worse than the noise floor.
constexpr std::string_view kFloorMark = "°";

/// "llama, 2 layers, 134515008 parameters", as far as the report says.
std::string sizeOf(const ModelSummary& model) {
  std::string size = model.family;
  if (model.layers != 0) {
    size += fmt::format("{}{} layers", size.empty() ? "" : ", ", model.layers);
  }
  if (model.parameters != 0) {
    size += fmt::format("{}{} parameters", size.empty() ? "" : ", ", model.parameters);
  }
  return size;
}

/// Names that a cell or fact lists; more are counted.
constexpr std::size_t kNamed = 6;

/// "bf16, fp16 and 2 more, against reference".
std::string comparedText(const Report& report, const ExportSelection& selection) {
  std::vector<std::string> names;
  for (const Run* run : selection.runs) {
    if (run->name != report.reference && run->role == RunRole::Variant) {
      names.push_back(run->name);
    }
  }
  if (names.empty() || report.dumps) {
    return {};
  }
  return fmt::format("{}{} against {}",
                     firstNames(names, kNamed),
                     names.size() > kNamed ? "," : "",
                     report.reference);
}

std::string sideText(const DumpSide& side) {
  const std::string units = describe(side.units);
  return units.empty() ? side.path.string() : fmt::format("{}, {}", side.path.string(), units);
}

/// Seeds of the reference, as far as the report says.
std::string seedsText(const Report& report) {
  // A configuration that cannot be read is a report that says less.
  const auto configuration = effectiveConfig(report);
  if (!configuration || configuration->empty()) {
    return {};
  }
  std::vector<std::string> seeds;
  for (const auto& [name, key] : {std::pair("input", "input.seed"), {"model", "model.seed"}}) {
    if (const std::string seed = valueIn(configuration->front().second, key); !seed.empty()) {
      seeds.push_back(fmt::format("{} {}", name, seed));
    }
  }
  return fmt::format("{}", fmt::join(seeds, ", "));
}

std::vector<std::pair<std::string, std::string>> factsOf(const Report& report,
                                                         const ExportSelection& selection) {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](std::string_view name, std::string value) {
    if (!value.empty()) {
      facts.emplace_back(name, std::move(value));
    }
  };
  const ModelSummary& model = report.model;
  const Provenance& provenance = report.provenance;
  if (!model.name.empty()) {
    const std::string size = sizeOf(model);
    add("model", size.empty() ? model.name : fmt::format("{} ({})", model.name, size));
  }
  add("compared", comparedText(report, selection));
  if (report.dumps) {
    add(isOneDump(*report.dumps) ? "dump" : "baseline", sideText(report.dumps->baseline));
    add("candidate", sideText(report.dumps->candidate));
  }
  add("weights", provenance.weightsDigest);
  add("tokens", provenance.tokenDigest);
  add("input", provenance.input);
  add("samples", inputAmount(report));
  add("seeds", seedsText(report));
  if (!provenance.device.empty()) {
    add("device", fmt::format("{}, {} threads", provenance.device, provenance.threads));
  }
  add("device facts", deviceFactsText(report));
  add("engine", provenance.engine);
  add("attention kernels", attentionText(report));
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

/// Leaves out the columns behind the first few of which no row knows anything.
void dropUnknown(TextTable& table, std::size_t first) {
  for (std::size_t column = table.columns.size(); column-- > first;) {
    const auto at = static_cast<std::ptrdiff_t>(column);
    const auto isKnown = [column](const std::vector<std::string>& row) {
      return !row[column].empty() && row[column] != kMissingText;
    };
    if (std::ranges::none_of(table.rows, isKnown)) {
      table.columns.erase(table.columns.begin() + at);
      std::ranges::for_each(table.rows, [at](auto& row) { row.erase(row.begin() + at); });
    }
  }
}

TextTable runsTable(const Report& report, const ExportSelection& selection) {
  TextTable table{"Runs",
                  {{"run"},
                   {"status"},
                   {"tensors", true},
                   {"not finite", true},
                   {"loss", true},
                   {"time", true, "", false},
                   {"peak memory", true, "", false},
                   {"changes or error"}},
                  {}};
  for (const Run* run : selection.runs) {
    const bool isDone = run->status == RunStatus::Finished;
    const std::string missing(kMissingText);
    const auto notFinite = std::ranges::count_if(
        run->comparisons, [](const Comparison& row) { return row.variantNonFinite.total() != 0; });
    const bool isOfDump = report.dumps && !run->comparisons.empty();
    table.rows.push_back(
        {run->name,
         std::string(toString(run->status)),
         isOfDump ? std::to_string(run->comparisons.size()) : missing,
         isOfDump ? std::to_string(notFinite) : missing,
         isDone && run->hasLoss
             ? formatSignificant(run->loss, 6) +
                   intervalText(run->lossSpread, run->samples, numerics::MetricUnit::None)
             : missing,
         isDone && run->seconds > 0 ? formatDuration(run->seconds) : missing,
         isDone && run->peakBytes > 0 ? formatBytes(run->peakBytes) : missing,
         run->error.empty() ? changesOf(*run) : run->error});
  }
  dropUnknown(table, 2);
  return table;
}

std::string dtypeText(const Comparison& row) {
  return row.referenceDType == row.variantDType ? row.variantDType
                                                : row.referenceDType + "→" + row.variantDType;
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

/// A row of a table of tensors.
struct MarkedRow {
  const Comparison* row;
  const RowMark* mark;  ///< null: no rules were asked of it
};

/// The rows of a run that are chosen, with what rules say of them.
std::vector<MarkedRow> markedRows(const Run& run,
                                  const ExportSelection& selection,
                                  const DocumentJudgement& judgement) {
  const auto known = judgement.rows.find(run.name);
  const RowMark* mark = known == judgement.rows.end() ? nullptr : known->second.data();
  return listOf(selection.rows(run), [&mark](const Comparison* row) {
    return MarkedRow{row, mark == nullptr ? nullptr : mark++};
  });
}

/// Leaves the worst rows, worst first.
void keepWorst(std::vector<MarkedRow>& rows, const SelectedMetric& metric, std::size_t count) {
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(count);
  const auto order = [&metric](const MarkedRow& marked) {
    return std::pair(marked.mark == nullptr ? 0 : marked.mark->gravity,
                     badness(*marked.row, metric));
  };
  std::ranges::partial_sort(rows, end, std::ranges::greater(), order);
  rows.erase(end, rows.end());
}

/// "−0.0031 ±0.0012 systematic": the signed error in percent.
std::string gainText(const Comparison& row, std::uint64_t samples) {
  if (std::isnan(row.gainError)) {
    return std::string(kMissingText);
  }
  return formatSignificant(row.gainError * 100, 2) +
         intervalText(row.gainSpread, samples, numerics::MetricUnit::Percent) +
         (isSystematic(row.gainError, row.gainSpread, samples) ? " systematic" : "");
}

/// Interval and mark that follow a number of a row.
std::string suffixOf(const Run& run,
                     const Comparison& row,
                     const SelectedMetric& metric,
                     const NoiseFloor& floor) {
  std::string text = metric.column < row.spread.size()
                         ? intervalText(row.spread[metric.column], run.samples, metric.unit)
                         : "";
  const bool isCovered = run.role == RunRole::Variant &&
                         floor.covers(row.site, metric.column, row.metrics.at(metric.column));
  return isCovered ? text + std::string(kFloorMark) : text;
}

/// Once, before the tables of tensors of which any is cut.
std::string leftOutNote(const ExportOptions& options) {
  return fmt::format(
      "Tables of tensors hold the worst ones, those with elements that are not finite first. All "
      "of them are in {0}; ulpscope-cli export {0} --what table -o tensors.csv writes them as CSV.",
      options.completeData);
}

/// For reading: counts of ULP that say nothing are left out, as in the window. NaN: nothing.
double shownValue(const Comparison& row, const SelectedMetric& metric) {
  const double value = row.metrics.at(metric.column);
  return countsUlp(metric.id) && !isSensibleUlp(row, value) ? kUndefined : value;
}

/// What all tables of a report share.
struct TableParts {
  const ExportSelection& selection;
  const ExportOptions& options;
  const DocumentJudgement& judgement;
  NoiseFloor floor;
};

TextTable tensorTable(const Run& run,
                      const TableParts& parts,
                      const std::vector<SelectedMetric>& metrics) {
  const auto& [selection, options, judgement, floor] = parts;
  TextTable table{
      run.role == RunRole::Floor ? "Noise floor: " + floorLabel(run.name) : "Variant: " + run.name,
      {{"tensor"}, {"pass"}, {"shape"}, {"dtype"}},
      {}};
  table.isDetail = true;
  std::vector<MarkedRow> marked = markedRows(run, selection, judgement);
  const bool isJudged = !marked.empty() && marked.front().mark != nullptr;
  if (options.maxRows != 0 && marked.size() > options.maxRows && !metrics.empty()) {
    table.note = fmt::format("The {} worst of {} tensors{} by {}.",
                             options.maxRows,
                             marked.size(),
                             isJudged ? ": those that break a rule first, then" : "",
                             metrics.front().label);
    keepWorst(marked, metrics.front(), options.maxRows);
  }
  const std::vector<const Comparison*> rows = listOf(marked, &MarkedRow::row);
  for (const Comparison* row : rows) {
    table.rows.push_back({row->site.name,
                          std::string(toString(row->site.pass)),
                          shapeText(row->shape),
                          dtypeText(*row)});
  }
  if (isJudged) {
    table.columns.push_back({"rules"});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      table.rows[i].push_back(marked[i].mark->text);
    }
  }
  for (const SelectedMetric& metric : metrics) {
    table.columns.push_back({metric.title, true});
    const std::vector<double> values =
        listOf(rows, [&](const Comparison* row) { return shownValue(*row, metric); });
    std::vector<std::string> cells = formatColumn(values, metric.unit, metric.isPartOfOne);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool isNan = std::isnan(values[i]) && rows[i]->isAllNonFinite();
      table.rows[i].push_back((isNan ? "NaN" : std::move(cells[i])) +
                              suffixOf(run, *rows[i], metric, floor));
    }
  }
  if (run.samples > 1 || hasGainError(run)) {
    table.columns.push_back({"gain error %", true});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      table.rows[i].push_back(gainText(*rows[i], run.samples));
    }
  }
  table.columns.push_back({"non-finite"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows[i].push_back(nonFiniteText(rows[i]->variantNonFinite));
  }
  return table;
}

/// What follows a cell's number: that elements are not finite, its interval, that the noise floor
/// covers it.
std::string suffixOf(const SummaryCell& cell, const SelectedMetric& metric, bool isCovered) {
  std::string text(cell.nonFinite != 0 ? kNonFiniteMark : "");
  text += intervalText(cell.spread, cell.samples, metric.unit);
  return isCovered ? text + std::string(kFloorMark) : text;
}

/// Those columns of a summary that make one table.
std::vector<std::size_t> tableColumns(const std::vector<SummaryRow>& rows,
                                      const ExportSelection& selection,
                                      const std::vector<Pass>& passes) {
  std::vector<std::size_t> columns = selectedColumns(rows, selection);
  std::erase_if(columns, [&](std::size_t column) {
    return std::ranges::find(passes, summaryColumns()[column].pass) == passes.end();
  });
  return columns;
}

/// `floor`: of each column, or empty.
void fillSummary(TextTable& table,
                 const std::vector<SummaryRow>& rows,
                 const std::vector<std::size_t>& columns,
                 const SelectedMetric& metric,
                 const std::vector<double>& floor) {
  for (const std::size_t i : columns) {
    const SummaryColumn& column = summaryColumns()[i];
    table.columns.push_back(
        {column.title,
         true,
         isOfParameters(column.pass) ? "" : std::string(summaryGroup(column.pass))});
    const std::vector<double> values =
        listOf(rows, [i](const SummaryRow& row) { return row.cells[i].value; });
    std::vector<std::string> cells = formatColumn(values, metric.unit, metric.isPartOfOne);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const SummaryCell& cell = rows[k].cells[i];
      const bool isNan = cell.isLost(!metric.isPartOfOne);
      table.rows[k].push_back((isNan ? "NaN" : cells[k]) +
                              suffixOf(cell, metric, isWithinFloor(cell, floor, i, metric.id)));
    }
  }
}

/// Rows of a summary, under which names, and what covers them.
struct SummaryPart {
  std::string heading;  ///< over the names
  std::vector<SummaryRow> rows{};
  std::vector<std::string> names{};  ///< parallel to rows
  std::vector<double> floor{};       ///< of each column, or empty
};

/// Adds one table, unless it would have no columns.
void addSummary(std::vector<TextTable>& tables,
                std::string title,
                const SummaryPart& part,
                const std::vector<std::size_t>& columns,
                const SelectedMetric& metric) {
  if (columns.empty()) {
    return;
  }
  TextTable& table = tables.emplace_back(TextTable{std::move(title), {{part.heading}}, {}});
  for (const std::string& name : part.names) {
    table.rows.push_back({name});
  }
  fillSummary(table, part.rows, columns, metric, part.floor);
}

/// The summary of the variants, and where there are runs of a noise floor that of these; gradients
/// of parameters have tables of their own.
std::vector<TextTable> summaryTables(const Report& report,
                                     const ExportSelection& selection,
                                     const SelectedMetric& metric) {
  SummaryPart variants{.heading = "variant"};
  SummaryPart floors{.heading = "reference"};
  for (SummaryRow& row : summarise(report, metric.id)) {
    const bool isFloor = row.role == RunRole::Floor;
    if (isFloor || selection.hasVariant(row.run)) {
      SummaryPart& part = isFloor ? floors : variants;
      part.names.push_back(isFloor ? floorLabel(row.run) : row.run);
      part.rows.push_back(std::move(row));
    }
  }
  variants.floor = summaryFloor(floors.rows, metric.id);
  std::vector<TextTable> tables;
  const auto add =
      [&](std::string_view title, const SummaryPart& part, const std::vector<Pass>& passes) {
        addSummary(tables,
                   fmt::format("{}: {}", title, metric.title),
                   part,
                   tableColumns(part.rows, selection, passes),
                   metric);
      };
  add("Summary", variants, {Pass::Forward, Pass::Backward});
  add("Parameter gradients", variants, {Pass::ParameterGradient});
  add("Optimizer", variants, {Pass::Optimizer});
  if (!floors.rows.empty()) {
    add("Noise floor", floors, {Pass::Forward, Pass::Backward});
    add("Noise floor, parameter gradients", floors, {Pass::ParameterGradient});
    add("Noise floor, optimizer", floors, {Pass::Optimizer});
  }
  std::ranges::for_each(tables, [](TextTable& table) { dropUnknown(table, 1); });
  std::erase_if(tables, [](const TextTable& table) { return table.columns.size() == 1; });
  return tables;
}

bool hasMark(const std::vector<TextTable>& tables, std::string_view mark) {
  return std::ranges::any_of(tables, [mark](const TextTable& table) {
    return std::ranges::any_of(table.rows, [mark](const std::vector<std::string>& row) {
      return std::any_of(row.begin() + 1, row.end(), [mark](const std::string& cell) {
        return cell.find(mark) != std::string::npos;
      });
    });
  });
}

/// Tables are copied out of their document: each says what its numbers rest on.
void stateSource(std::vector<TextTable>& tables, const std::string& source) {
  for (TextTable& table : tables) {
    table.note = table.note.empty() ? source : source + "\n" + table.note;
  }
}

/// Explains the marks that are there.
std::string noteOf(const std::vector<TextTable>& summaries,
                   const std::vector<TextTable>& tensors,
                   bool hasSamples) {
  std::vector<std::string> notes;
  if (hasMark(summaries, kNonFiniteMark)) {
    notes.push_back(
        fmt::format("{} elements of the variant are NaN or infinite; the number is over the others",
                    kNonFiniteMark));
  }
  if (hasSamples) {
    notes.emplace_back("± half of the 95 % interval of the mean over the samples (Student's t)");
  }
  if (hasMark(summaries, kFloorMark) || hasMark(tensors, kFloorMark)) {
    notes.push_back(
        fmt::format("{} no worse than the noise floor: it need not be an effect of the "
                    "variant",
                    kFloorMark));
  }
  return fmt::format("{}", fmt::join(notes, "; "));
}

/// One table a variant, those of the noise floor behind the others.
std::vector<TextTable> tensorTables(const TableParts& parts) {
  const std::vector<SelectedMetric> metrics = readableMetrics(parts.selection);
  std::vector<const Run*> runs = parts.selection.variants;
  std::ranges::stable_sort(runs, {}, &Run::role);
  return listOf(runs, [&](const Run* run) { return tensorTable(*run, parts, metrics); });
}

/// Those of each metric, then the log-probabilities, the routers and the positions.
std::vector<TextTable> allSummaries(const Report& report, const ExportSelection& selection) {
  std::vector<TextTable> tables;
  for (const SelectedMetric& metric : summaryMetrics(selection)) {
    std::ranges::move(summaryTables(report, selection, metric), std::back_inserter(tables));
  }
  const DataTable logProbabilities = logProbabilityData(report, selection);
  if (!logProbabilities.rows.empty()) {
    tables.push_back(formatTable(logProbabilities));
  }
  if (const DataTable routers = routersData(report, selection); !routers.rows.empty()) {
    tables.push_back(formatTable(routers));
  }
  if (const DataTable positions = positionSummaryData(report, selection); !positions.rows.empty()) {
    tables.push_back(formatTable(positions));
  }
  return tables;
}

/// Takes what stands in the way to the first figure out of a table.
TextTable takeRest(TextTable& table, std::string title) {
  constexpr std::size_t kFirstRows = 10;
  constexpr std::size_t kFewRows = 14;  // not worth a table of their own
  TextTable rest{.title = std::move(title), .columns = table.columns, .rows = {}, .isDetail = true};
  if (table.rows.size() > kFewRows) {
    const auto end = table.rows.begin() + kFirstRows;
    rest.rows.assign(std::move_iterator(end), std::move_iterator(table.rows.end()));
    table.rows.erase(end, table.rows.end());
    table.note = fmt::format("The first {} of {}; the others stand below, under {}.{}{}",
                             kFirstRows,
                             kFirstRows + rest.rows.size(),
                             rest.title,
                             table.note.empty() ? "" : " ",
                             table.note);
  }
  return rest;
}

}  // namespace

Result<Document> makeReadable(const Report& report,
                              const ExportOptions& options,
                              PartOrder order,
                              DocumentExtras extras) {
  const auto selection = ULP_TRY(selectForExport(report, options));
  auto configuration =
      ULP_TRY(configurationTable(report, selection.runs, options.configuration, kNamed));
  const bool hasVariants = !selection.variants.empty();
  std::vector<TextTable> tensors;
  std::vector<TextTable> positions;
  if (hasVariants && !options.isSummaryOnly) {
    tensors = tensorTables({selection, options, extras.judgement, NoiseFloor(report)});
    positions = positionTables(report, selection, options);
  }
  std::vector<TextTable> summaries;
  if (hasVariants) {
    summaries = allSummaries(report, selection);
  }
  const bool hasSamples =
      std::ranges::any_of(selection.variants, [](const Run* run) { return run->samples > 1; });
  std::string note = noteOf(summaries, tensors, hasSamples);
  const bool isCut =
      std::ranges::any_of(tensors, [](const TextTable& table) { return !table.note.empty(); });
  const std::string source = provenanceLine(report);
  stateSource(summaries, source);
  stateSource(tensors, source);

  Document document{.title = report.model.name.empty() ? "Precision report"
                                                       : "Precision report of " + report.model.name,
                    .facts = factsOf(report, selection),
                    .style = std::move(extras.style)};
  const auto add = [&](auto& parts) {
    std::ranges::move(parts, std::back_inserter(document.parts));
  };
  const auto addIfAny = [&](TextTable& table) {
    if (!table.rows.empty()) {
      document.parts.emplace_back(std::move(table));
    }
  };
  const auto addSummaries = [&] {
    add(summaries);
    if (!note.empty()) {
      document.parts.emplace_back(std::move(note));
    }
  };
  if (order == PartOrder::SummaryLast) {
    document.parts.emplace_back(runsTable(report, selection));
    add(tensors);
    add(positions);
    addSummaries();
    addIfAny(extras.findings);
    addIfAny(extras.verdict);
    std::ranges::reverse(extras.judgement.tables);
    add(extras.judgement.tables);
    return document;
  }
  std::vector<TextTable> rest;
  if (!extras.figures.empty()) {
    rest.push_back(takeRest(extras.verdict, "Verdict on the other runs"));
    for (TextTable& table : extras.judgement.tables) {
      rest.push_back(takeRest(table, table.title + ", continued"));
    }
    rest.push_back(takeRest(extras.findings, "Other findings"));
  }
  addIfAny(extras.verdict);
  add(extras.judgement.tables);
  addIfAny(extras.findings);
  add(extras.figures);
  addSummaries();
  std::ranges::for_each(rest, addIfAny);
  document.parts.emplace_back(runsTable(report, selection));
  add(extras.tables);
  addIfAny(configuration);
  if (isCut) {
    document.parts.emplace_back(leftOutNote(options));
  }
  add(tensors);
  add(positions);
  return document;
}

}  // namespace ulp::report
