#include "app/cli/print/compare_print.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "app/cli/print/call_print.h"
#include "app/cli/print/culprit_print.h"
#include "app/cli/print/repeatability_print.h"
#include "app/cli/print/token_print.h"
#include "core/base/text/format_number.h"
#include "core/json/writer.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/tables/number_cell.h"

namespace ulp::cli {
namespace {

using analysis::Culprit;
using analysis::DumpComparison;
using analysis::UnitOutcome;

/// "name: reason", where one is known.
std::vector<std::string> withReasons(const std::vector<std::string>& names,
                                     const std::map<std::string, std::string>& reasons) {
  std::vector<std::string> texts;
  for (const std::string& name : names) {
    const auto reason = reasons.find(name);
    texts.push_back(reason == reasons.end() ? name : fmt::format("{}: {}", name, reason->second));
  }
  return texts;
}

void appendVerdict(std::string& text, const UnitOutcome& unit, std::size_t longest) {
  const auto& culprits = unit.verdict.culprits;
  if (unit.isIdentical()) {
    text += "  identical\n";
    return;
  }
  const bool isAllEqual = unit.pairedRows > 0 && unit.equalRows == unit.pairedRows &&
                          unit.onlyBaseline.empty() && unit.onlyCandidate.empty();
  if (culprits.empty() && isAllEqual) {
    text += "  all recorded numbers are equal, which does not prove that all elements are\n";
    return;
  }
  if (culprits.empty()) {
    text += unit.verdict.comparedRows == 0
                ? "  no verdict: nothing that both sides hold can be compared\n"
                : fmt::format(
                      "  no entry makes more error than rounding and what it read account "
                      "for; the largest is {} %\n",
                      formatPercent(unit.verdict.largestError));
    return;
  }
  text += "The error starts here:\n";
  text += fmt::format("  {}: {}\n", culprits.front().name, culprits.front().reason);
  appendCulpritDetails(text, culprits.front(), longest);
  if (culprits.size() > 1) {
    text += fmt::format("Further entries that make error, in order of execution: {}\n",
                        culprits.size() - 1);
    for (const Culprit& culprit :
         std::span(culprits).subspan(1, std::min(longest, culprits.size() - 1))) {
      text += fmt::format("  {}: {}\n", culprit.name, culprit.reason);
    }
  }
}

/// What ranks should hold alike and do not, of either side.
std::string replicasText(const UnitOutcome& unit) {
  std::string text;
  for (const analysis::UnequalReplicas& replicas : unit.replicas) {
    text += fmt::format(
        "  not equal on all ranks of the {}: {} tensor{}{}, in order of execution first\n    {}: "
        "{}\n",
        replicas.isBaseline ? "baseline" : "candidate",
        replicas.tensors,
        replicas.tensors == 1 ? "" : "s",
        replicas.expected > 0
            ? fmt::format(" ({} of which healthy ranks may differ in)", replicas.expected)
            : "",
        replicas.row,
        replicas.difference);
  }
  return text;
}

void writeReplicas(json::Writer& json, const UnitOutcome& unit) {
  json.key("unequal_replicas");
  json.beginArray();
  for (const analysis::UnequalReplicas& replicas : unit.replicas) {
    json.beginObject();
    json.field("side",
               replicas.isBaseline ? std::string_view("baseline") : std::string_view("candidate"));
    json.field("tensors", static_cast<std::uint64_t>(replicas.tensors));
    json.field("expected", static_cast<std::uint64_t>(replicas.expected));
    json.field("row", std::string_view(replicas.row));
    json.field("module", std::string_view(replicas.site.module));
    json.field("layer", static_cast<std::int64_t>(replicas.site.layer));
    json.field("pass", toString(replicas.site.pass));
    json.field("difference", std::string_view(replicas.difference));
    json.endObject();
  }
  json.endArray();
}

/// What a tool that divides by such numbers would call wrong.
std::string nearZeroText(const UnitOutcome& unit) {
  if (!unit.nearZero) {
    return "";
  }
  const analysis::NearZero& found = *unit.nearZero;
  return fmt::format(
      "  {} {} a maximum, minimum or mean near zero that is off by more than {} % of itself, as "
      "msprobe counts, but by no more than rounding at the scale of the tensor; the first is the "
      "{} "
      "of {}: {} instead of {}\n",
      found.rows,
      found.rows == 1 ? "tensor has" : "tensors have",
      analysis::kMarkedNearZero * 100,
      found.statistic,
      found.row,
      formatSignificant(found.candidate),
      formatSignificant(found.baseline));
}

void writeNearZero(json::Writer& json, const UnitOutcome& unit) {
  json.key("near_zero");
  if (!unit.nearZero) {
    json.null();
    return;
  }
  json.beginObject();
  json.field("rows", static_cast<std::uint64_t>(unit.nearZero->rows));
  json.field("row", std::string_view(unit.nearZero->row));
  json.field("statistic", std::string_view(unit.nearZero->statistic));
  json.field("baseline", unit.nearZero->baseline);
  json.field("candidate", unit.nearZero->candidate);
  json.endObject();
}

/// "700 of 702 pairs equal; by elements 0, statistics 702, checksums 0".
std::string coverageOf(const UnitOutcome& unit) {
  return fmt::format("{} of {} pairs equal; compared by elements {}, statistics {}, checksums {}",
                     unit.equalRows,
                     unit.pairedRows,
                     unit.rowsByElements,
                     unit.rowsByStatistics,
                     unit.rowsByChecksums);
}

std::string headingOf(const UnitOutcome& unit) {
  return unit.label.empty() ? "" : fmt::format("{}\n", unit.label);
}

struct RankedRow {
  const UnitOutcome* unit = nullptr;
  const report::Comparison* row = nullptr;
  double rank = 0;
};

/// What is broken comes before any error, in order of execution, so that the first is on top: an
/// error of the elements that are left says little. One that nobody knows comes behind all others.
double rankOf(const report::Comparison& row, double error) {
  if (row.variantNonFinite.total() > row.referenceNonFinite.total()) {
    return std::numeric_limits<double>::infinity();
  }
  return std::isnan(error) ? -1 : error;
}

/// The position of a metric in the rows of a comparison that is no report yet.
std::size_t columnOf(std::string_view metric) {
  static const numerics::MetricRegistry kMetrics = numerics::builtinMetrics();
  return *kMetrics.indexOf(metric);
}

/// Which of several units is the earliest with a culprit; nothing where there is but one.
std::string earliestText(const DumpComparison& comparison) {
  if (!comparison.earliest || comparison.units.size() < 2) {
    return "";
  }
  const UnitOutcome& unit = comparison.units[*comparison.earliest];
  const Culprit& first = unit.verdict.culprits.front();
  return fmt::format("Of {} units the error starts in {}:\n  {}: {}\n",
                     comparison.units.size(),
                     unit.label,
                     first.name,
                     first.reason);
}

void writeEarliest(json::Writer& json, const DumpComparison& comparison) {
  json.key("earliest");
  if (!comparison.earliest) {
    json.null();
    return;
  }
  const UnitOutcome& unit = comparison.units[*comparison.earliest];
  json.beginObject();
  json.field("unit", std::string_view(unit.label));
  json.field("entry", std::string_view(unit.verdict.culprits.front().name));
  json.field("row", std::string_view(unit.verdict.culprits.front().rowName));
  json.endObject();
}

/// Of names that have one.
void writeReasons(json::Writer& json,
                  std::string_view key,
                  const std::vector<std::string>& names,
                  const std::map<std::string, std::string>& reasons) {
  json.key(key);
  json.beginObject();
  const std::set<std::string> all(names.begin(), names.end());
  for (const auto& [name, reason] : reasons) {
    if (all.contains(name)) {
      json.field(name, std::string_view(reason));
    }
  }
  json.endObject();
}

void writeUnit(json::Writer& json, const UnitOutcome& unit) {
  json.beginObject();
  json.field("unit", std::string_view(unit.label));
  json.field("identical", unit.isIdentical());
  json.field("paired_rows", static_cast<std::uint64_t>(unit.pairedRows));
  json.field("equal_rows", static_cast<std::uint64_t>(unit.equalRows));
  json.field("by_elements", static_cast<std::uint64_t>(unit.rowsByElements));
  json.field("by_statistics", static_cast<std::uint64_t>(unit.rowsByStatistics));
  json.field("by_checksums", static_cast<std::uint64_t>(unit.rowsByChecksums));
  json.field("largest_error", unit.verdict.largestError);
  writeNames(json, "only_in_baseline", unit.onlyBaseline);
  writeNames(json, "only_in_candidate", unit.onlyCandidate);
  writeReasons(json, "only_in_baseline_because", unit.onlyBaseline, unit.reasons.baseline);
  writeReasons(json, "only_in_candidate_because", unit.onlyCandidate, unit.reasons.candidate);
  writeNames(json, "shapes_differ", unit.shapesDiffer);
  writeNames(json, "dtypes_differ", unit.dtypesDiffer);
  writeNearZero(json, unit);
  writeNames(json, "problems", unit.problems);
  writeNames(json, "notes", unit.notes);
  writeReplicas(json, unit);
  json.key("culprits");
  json.beginArray();
  for (const Culprit& culprit : unit.verdict.culprits) {
    writeCulprit(json, culprit);
  }
  json.endArray();
  writeRepeatability(json, unit.repeatability);
  json.endObject();
}

void writeRules(json::Writer& json, const RulesResult& result, const DumpComparison& comparison) {
  json.newLine(1);
  json.key("rules");
  json.beginObject();
  json.field("origin", std::string_view(result.origin));
  json.field("failed", result.outcome.hasErrors(result.rules));
  json.key("rules");
  json.beginArray();
  for (std::size_t rule = 0; rule < result.rules.all().size(); ++rule) {
    const analysis::VerdictRule& its = result.rules.all()[rule];
    json.newLine(2);
    json.beginObject();
    json.field("rule", std::string_view(describe(its)));
    json.field(
        "severity",
        std::string_view(its.severity == analysis::RuleSeverity::Error ? "error" : "warning"));
    json.field("checked", static_cast<std::uint64_t>(result.outcome.checked[rule]));
    json.field("undefined", static_cast<std::uint64_t>(result.outcome.undefined[rule]));
    json.endObject();
  }
  json.endArray();
  json.key("failures");
  json.beginArray();
  for (const analysis::RuleFailure& failure : result.outcome.failures) {
    json.newLine(2);
    json.beginObject();
    json.field("rule", static_cast<std::uint64_t>(failure.rule));
    json.field("unit", std::string_view(comparison.units[failure.unit].label));
    json.field("row", std::string_view(failure.row));
    json.field("pass", toString(failure.pass));
    json.field("value", failure.value);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

std::string ruleVerdict(const RulesResult& result, std::size_t rule, std::size_t failures) {
  const std::size_t asked = result.outcome.checked[rule] - result.outcome.undefined[rule];
  if (failures > 0) {
    const bool isError = result.rules.all()[rule].severity == analysis::RuleSeverity::Error;
    return fmt::format("{} at {} of {}", isError ? "FAILED" : "warning", failures, asked);
  }
  return asked == 0 ? "nothing to ask" : fmt::format("holds for {}", asked);
}

}  // namespace

std::string comparisonText(const DumpComparison& comparison, std::size_t longest) {
  std::string text = fmt::format("baseline   {}: {}\ncandidate  {}: {}\n",
                                 comparison.baselineName,
                                 comparison.baselineFormat,
                                 comparison.candidateName,
                                 comparison.candidateFormat);
  appendNames(text, "steps, ranks or tokens without a partner", comparison.unpairedUnits, longest);
  appendNames(text, "notes", comparison.notes, longest);
  text += earliestText(comparison);
  for (const UnitOutcome& unit : comparison.units) {
    text += "\n" + headingOf(unit);
    text += fmt::format("  {}\n", coverageOf(unit));
    appendNames(text,
                "in the baseline alone",
                withReasons(unit.onlyBaseline, unit.reasons.baseline),
                longest);
    appendNames(text,
                "in the candidate alone",
                withReasons(unit.onlyCandidate, unit.reasons.candidate),
                longest);
    appendNames(text, "of different shapes, not compared", unit.shapesDiffer, longest);
    appendNames(text, "of different dtypes (no error by itself)", unit.dtypesDiffer, 0);
    text += nearZeroText(unit);
    appendNames(text, "not readable", unit.problems, longest);
    appendNames(text, "notes", unit.notes, longest);
    text += replicasText(unit);
    appendVerdict(text, unit, longest);
    text += repeatabilityText(unit, longest);
  }
  return text + tokensText(comparison, longest);
}

std::string verdictText(const DumpComparison& comparison, std::size_t longest) {
  std::string text = earliestText(comparison);
  for (const UnitOutcome& unit : comparison.units) {
    text += headingOf(unit);
    text += replicasText(unit);
    appendVerdict(text, unit, longest);
    text += repeatabilityText(unit, longest);
  }
  return text + tokensText(comparison, longest);
}

report::DataTable largestDifferences(const DumpComparison& comparison, std::size_t rows) {
  const std::size_t exact = columnOf("rms_rel");
  const std::size_t bound = columnOf("stat.rms_bound");
  std::vector<RankedRow> ranked;
  for (const UnitOutcome& unit : comparison.units) {
    for (const report::Comparison& row : unit.run.comparisons) {
      const double error = std::isnan(row.metrics[exact]) ? row.metrics[bound] : row.metrics[exact];
      if (error > 0 || row.variantNonFinite.total() > 0) {
        ranked.push_back({&unit, &row, rankOf(row, error)});
      }
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedRow& a, const RankedRow& b) {
    return a.rank > b.rank;
  });
  if (rows > 0 && ranked.size() > rows) {
    ranked.resize(rows);
  }
  report::DataTable table{.title = "Largest differences",
                          .columns = {{"tensor", "", ""},
                                      {"pass", "", ""},
                                      {"unit", "", ""},
                                      {"RMS rel", "%", ""},
                                      {"at least", "%", ""},
                                      {"max |d|", "", ""},
                                      {"cosine", "", ""},
                                      {"equal", "%", ""},
                                      {"not finite", "", ""}},
                          .rows = {}};
  for (const RankedRow& item : ranked) {
    const auto& metrics = item.row->metrics;
    table.rows.push_back(
        {item.row->site.name,
         std::string(toString(item.row->site.pass)),
         item.unit->label,
         report::numberCell(metrics[exact] * 100),
         report::numberCell(metrics[bound] * 100),
         report::numberCell(metrics[columnOf("max_diff")]),
         report::numberCell(metrics[columnOf("cosine")]),
         report::numberCell(metrics[columnOf("equal_fraction")] * 100),
         report::numberCell(static_cast<double>(item.row->variantNonFinite.total()))});
  }
  return table;
}

std::string rulesText(const RulesResult& result,
                      const DumpComparison& comparison,
                      std::size_t longest) {
  std::string text = fmt::format("\nRules of {}\n", result.origin);
  for (std::size_t rule = 0; rule < result.rules.all().size(); ++rule) {
    std::vector<const analysis::RuleFailure*> failures;
    for (const analysis::RuleFailure& failure : result.outcome.failures) {
      if (failure.rule == rule) {
        failures.push_back(&failure);
      }
    }
    text += fmt::format("  {}: {}\n",
                        describe(result.rules.all()[rule]),
                        ruleVerdict(result, rule, failures.size()));
    for (const analysis::RuleFailure* failure :
         std::span(failures).first(std::min(longest, failures.size()))) {
      const std::string& unit = comparison.units[failure->unit].label;
      text += fmt::format("    {}, {}{}{}: {}\n",
                          failure->row,
                          toString(failure->pass),
                          unit.empty() ? "" : ", ",
                          unit,
                          formatExact(failure->value));
    }
    if (failures.size() > longest) {
      text += fmt::format("    … and {} more\n", failures.size() - longest);
    }
  }
  return text;
}

std::string comparisonJson(const DumpComparison& comparison, const RulesResult* rules) {
  json::Writer json;
  json.beginObject();
  json.newLine(1);
  json.field("schema", std::string_view("ulpscope.comparison/1"));
  json.field("baseline", std::string_view(comparison.baselineName));
  json.field("baseline_format", std::string_view(comparison.baselineFormat));
  json.field("candidate", std::string_view(comparison.candidateName));
  json.field("candidate_format", std::string_view(comparison.candidateFormat));
  json.field("identical", comparison.isIdentical());
  writeNames(json, "unpaired", comparison.unpairedUnits);
  writeNames(json, "notes", comparison.notes);
  writeEarliest(json, comparison);
  json.key("units");
  json.beginArray();
  for (const UnitOutcome& unit : comparison.units) {
    json.newLine(2);
    writeUnit(json, unit);
  }
  json.endArray();
  writeTokens(json, comparison);
  if (rules != nullptr) {
    writeRules(json, *rules, comparison);
  }
  json.newLine(0);
  json.endObject();
  return std::move(json).take() + "\n";
}

}  // namespace ulp::cli
