#include "app/cli/print/compare_print.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <initializer_list>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

#include "app/cli/print/call_print.h"
#include "app/cli/print/token_print.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/comparing/verdict/dump_findings.h"
#include "core/json/writer.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/tables/data_table.h"

namespace ulp::cli {
namespace {

using analysis::Culprit;
using analysis::CulpritKind;
using analysis::DumpComparison;
using analysis::FirstDifference;
using analysis::Repeatability;
using analysis::Suspect;
using analysis::UnitOutcome;

using analysis::UncomparedRow;

std::vector<std::string> namesOf(const std::vector<UncomparedRow>& rows) {
  return listOf(rows, &UncomparedRow::name);
}

/// "name: reason", where one is known.
std::vector<std::string> withReasons(const std::vector<UncomparedRow>& rows,
                                     const std::map<std::string, std::string>& reasons) {
  return listOf(rows, [&](const UncomparedRow& row) {
    const auto reason = reasons.find(row.name);
    return reason == reasons.end() ? row.name : fmt::format("{}: {}", row.name, reason->second);
  });
}

/// Tensors that were not compared, those aside of which a line of its own says why.
std::vector<std::string> silentOf(const UnitOutcome& unit) {
  std::vector<std::string> names;
  for (const Site& site : unit.notCompared) {
    if (std::ranges::find(unit.unread, site) == unit.unread.end()) {
      names.push_back(site.name);
    }
  }
  return names;
}

void appendCulprits(std::string& text, const UnitOutcome& unit, std::size_t longest) {
  const auto& culprits = unit.verdict.culprits;
  if (unit.isIdentical()) {
    text += "  identical: every number is the same\n";
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
  text += fmt::format("  {}: {}\n", culprits.front().name, culprits.front().reason.text());
  appendCulpritDetails(text, culprits.front(), longest);
  appendFurther(text, "Further entries that make error", culprits, longest);
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
        replicas.difference.text());
  }
  return text;
}

void writeReplicas(json::Writer& json, const UnitOutcome& unit) {
  json.objects("unequal_replicas", unit.replicas, [&](const analysis::UnequalReplicas& replicas) {
    json.field("side", replicas.isBaseline ? "baseline" : "candidate");
    json.field("tensors", replicas.tensors);
    json.field("expected", replicas.expected);
    json.field("row", replicas.row);
    writeSite(json, replicas.site);
    json.field("difference", replicas.difference.text());
  });
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
  json.optionalObject("near_zero", unit.nearZero, [&](const analysis::NearZero& nearZero) {
    json.field("rows", nearZero.rows);
    json.field("row", nearZero.row);
    json.field("statistic", nearZero.statistic);
    json.field("baseline", nearZero.baseline);
    json.field("candidate", nearZero.candidate);
  });
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

/// "embed.weight, norm.weight and 12 more"
std::string firstOf(const std::vector<UncomparedRow>& rows) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string> names = namesOf(rows);
  const std::size_t shown = std::min(names.size(), kShown);
  return names.empty()
             ? "no tensors"
             : andMore(fmt::format("{}", fmt::join(names | std::views::take(shown), ", ")),
                       names.size() - shown)
                   .text();
}

/// What a comparison of nothing begins with.
std::string nothingPairedText(const DumpComparison& comparison) {
  if (isAnyPaired(comparison)) {
    return "";
  }
  const UnitOutcome& unit = comparison.units.front();
  return fmt::format("nothing was paired: the baseline has {}; the candidate has {}\n\n",
                     firstOf(unit.onlyBaseline),
                     firstOf(unit.onlyCandidate));
}

std::string headingOf(const UnitOutcome& unit) {
  return unit.label.empty() ? "" : fmt::format("{}\n", unit.label);
}

/// The position of a metric in the rows of a comparison that is no report yet.
std::size_t columnOf(std::string_view metric) {
  static const numerics::MetricRegistry kMetrics = numerics::builtinMetrics();
  return *kMetrics.indexOf(metric);
}

/// Of what largest differences are told by.
struct Columns {
  std::size_t exact = columnOf("rms_rel");
  std::size_t bound = columnOf("stat.rms_bound");
  std::size_t largest = columnOf("max_diff");
  std::size_t cosine = columnOf("cosine");
  std::size_t equal = columnOf("equal_fraction");
};

struct RankedRow {
  const UnitOutcome* unit = nullptr;
  const report::Comparison* row = nullptr;
  std::tuple<bool, double, double> rank;
};

/// What is broken comes before any error, in order of execution, so that the first is on top: an
/// error of the elements that are left says little. Beside a baseline of zeros every error is
/// infinite, and the largest difference decides. One that nobody knows comes behind all others.
RankedRow ranked(const UnitOutcome& unit,
                 const UnitOutcome::Differing& differing,
                 const Columns& columns) {
  const report::Comparison& row = unit.run.comparisons[differing.comparison];
  if (differing.isBroken) {
    return {&unit, &row, {true, 0, 0}};
  }
  const auto firstKnown = [](std::initializer_list<double> numbers) {
    const auto* const known =
        std::ranges::find_if(numbers, [](double number) { return !std::isnan(number); });
    return known == numbers.end() ? -1 : *known;
  };
  return {&unit,
          &row,
          {false,
           firstKnown({row.metrics[columns.exact], row.metrics[columns.bound], differing.error}),
           firstKnown({row.metrics[columns.largest]})}};
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
                     first.reason.text());
}

/// How much the first tensor that differs is off.
std::string amountOf(const FirstDifference& first) {
  return std::isfinite(first.error) && first.error > 0
             ? fmt::format("differs by {} %", formatPercent(first.error))
             : "differs";
}

/// Where two runs of the same calls part, number by number, and what is known to be
/// non-deterministic there or before; nothing where the candidate does not look like the baseline
/// run again, or where the culprit is that the runs were given different numbers. `longest` bounds
/// the list of suspects.
std::string repeatabilityText(const UnitOutcome& unit, std::size_t longest) {
  const Repeatability& repeatability = unit.repeatability;
  if (!repeatability.isRepeat || !repeatability.first) {
    return "";
  }
  const FirstDifference& first = *repeatability.first;
  if (first.kind == CulpritKind::Source && !unit.verdict.culprits.empty()) {
    return "";
  }
  std::string text = fmt::format(
      "Both sides ran the same calls. The first tensor that differs; {} before it {} "
      "equal:\n  {} {}\n",
      first.equalBefore,
      first.equalBefore == 1 ? "is" : "are",
      first.rowName,
      amountOf(first));
  if (first.kind == CulpritKind::Source) {
    return text + "  nothing recorded has made it: the runs were given different numbers\n";
  }
  if (first.isMoved) {
    return text + "  parameters have moved: gradients differ in a step before\n";
  }
  if (repeatability.suspects.empty()) {
    return text +
           "  no operation that is known to be non-deterministic ran at it or before; look for "
           "memory that nobody wrote, streams that do not wait, and kernels of your own\n";
  }
  text += "  known to be non-deterministic, at it or before, nearest first:\n";
  appendFirst(text, repeatability.suspects, longest, [](const Suspect& suspect) {
    return describe(suspect);
  });
  return text;
}

/// The fields `repeated`, `first_difference` (null: there is none) and `suspects`.
void writeRepeatability(json::Writer& json, const Repeatability& repeatability) {
  json.field("repeated", repeatability.isRepeat);
  json.optionalObject("first_difference", repeatability.first, [&](const FirstDifference& first) {
    json.field("entry", first.name);
    json.field("row", first.rowName);
    json.field("module", first.site.module);
    json.field("pass", toString(first.site.pass));
    json.field("kind", toString(first.kind));
    json.field("error", first.error);
    json.field("equal_before", first.equalBefore);
  });
  json.objects("suspects", repeatability.suspects, [&](const Suspect& suspect) {
    json.field("operation", suspect.title);
    json.field("nearest", suspect.name);
    json.field("distance", suspect.distance);
    json.field("calls", suspect.calls);
    json.field("cleared", suspect.isCleared);
    json.field("when", suspect.when);
    json.field("remedy", suspect.remedy);
  });
}

/// Unequal replicas, culprits, and where two runs of the same calls part.
void appendVerdict(std::string& text, const UnitOutcome& unit, std::size_t longest) {
  text += replicasText(unit);
  appendCulprits(text, unit, longest);
  text += repeatabilityText(unit, longest);
}

void writeEarliest(json::Writer& json, const DumpComparison& comparison) {
  json.optionalObject("earliest", comparison.earliest, [&](std::size_t earliest) {
    const UnitOutcome& unit = comparison.units[earliest];
    json.field("unit", unit.label);
    json.field("entry", unit.verdict.culprits.front().name);
    json.field("row", unit.verdict.culprits.front().rowName);
  });
}

/// Of names that have one.
void writeReasons(json::Writer& json,
                  std::string_view key,
                  const std::vector<UncomparedRow>& rows,
                  const std::map<std::string, std::string>& reasons) {
  std::set<std::string_view> all;
  for (const UncomparedRow& row : rows) {
    all.insert(row.name);
  }
  json.field(key, [&] {
    for (const auto& [name, reason] : reasons) {
      if (all.contains(name)) {
        json.field(name, reason);
      }
    }
  });
}

void writeUnit(json::Writer& json, const UnitOutcome& unit) {
  json.field("unit", unit.label);
  json.field("identical", unit.isIdentical());
  json.field("paired_rows", unit.pairedRows);
  json.field("equal_rows", unit.equalRows);
  json.field("by_elements", unit.rowsByElements);
  json.field("by_statistics", unit.rowsByStatistics);
  json.field("by_checksums", unit.rowsByChecksums);
  json.field("largest_error", unit.verdict.largestError);
  json.field("only_in_baseline", namesOf(unit.onlyBaseline));
  json.field("only_in_candidate", namesOf(unit.onlyCandidate));
  writeReasons(json, "only_in_baseline_because", unit.onlyBaseline, unit.reasons.baseline);
  writeReasons(json, "only_in_candidate_because", unit.onlyCandidate, unit.reasons.candidate);
  json.field("shapes_differ", namesOf(unit.shapesDiffer));
  json.field("dtypes_differ", unit.dtypesDiffer);
  json.field("not_compared", listOf(unit.notCompared, &Site::name));
  writeNearZero(json, unit);
  json.field("problems", unit.problems);
  json.field("notes", textsOf(unit.notes));
  writeReplicas(json, unit);
  writeCulprits(json, unit.verdict.culprits);
  writeRepeatability(json, unit.repeatability);
}

bool isError(const analysis::VerdictRule& rule) {
  return rule.severity == analysis::RuleSeverity::Error;
}

void writeRules(json::Writer& json, const RulesResult& result, const DumpComparison& comparison) {
  std::size_t place = 0;
  const auto writeRule = [&](const analysis::VerdictRule& rule) {
    json.field("rule", describe(rule));
    json.field("severity", isError(rule) ? "error" : "warning");
    json.field("checked", result.outcome.checked[place]);
    json.field("undefined", result.outcome.undefined[place]);
    ++place;
  };
  const auto writeFailure = [&](const analysis::RuleFailure& failure) {
    json.field("rule", failure.rule);
    json.field("unit", comparison.units[failure.unit].label);
    json.field("row", failure.row);
    json.field("pass", toString(failure.pass));
    json.field("value", failure.value);
  };
  const auto writeUnjudged = [&](const analysis::UnjudgedRow& row) {
    json.field("unit", comparison.units[row.unit].label);
    json.field("row", row.row);
    json.field("pass", toString(row.pass));
  };
  json.newLine(1);
  json.field("rules", [&] {
    json.field("origin", result.origin);
    json.field("failed", result.outcome.hasErrors(result.rules));
    json.objects("rules", result.rules.all(), writeRule, {.items = 2});
    json.objects("failures", result.outcome.failures, writeFailure, {.items = 2});
    json.objects("unjudged", result.outcome.unjudged, writeUnjudged, {.items = 2});
  });
}

std::string ruleVerdict(const RulesResult& result, std::size_t rule, std::size_t failures) {
  const std::size_t asked = result.outcome.checked[rule] - result.outcome.undefined[rule];
  if (failures > 0) {
    return fmt::format("{} at {} of {}",
                       isError(result.rules.all()[rule]) ? "FAILED" : "warning",
                       failures,
                       asked);
  }
  if (result.rules.all()[rule].isAllclose() && result.outcome.undefined[rule] > 0) {
    return fmt::format("NOT JUDGED at {} of {}, whose elements are not at hand",
                       result.outcome.undefined[rule],
                       result.outcome.checked[rule]);
  }
  return asked == 0 ? "nothing to ask" : fmt::format("holds for {}", asked);
}

}  // namespace

bool isAnyPaired(const DumpComparison& comparison) {
  return std::ranges::any_of(comparison.units,
                             [](const UnitOutcome& unit) { return unit.pairedRows > 0; });
}

std::string comparisonText(const DumpComparison& comparison, std::size_t longest) {
  std::string text = nothingPairedText(comparison);
  text += fmt::format("baseline   {}: {}\ncandidate  {}: {}\n",
                      comparison.baselineName,
                      comparison.baselineFormat,
                      comparison.candidateName,
                      comparison.candidateFormat);
  appendNames(
      text, "steps, ranks or tokens without a partner", textsOf(comparison.unpairedUnits), longest);
  appendNames(text, "notes", textsOf(comparison.notes), longest);
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
    appendNames(text, "of different shapes, not compared", namesOf(unit.shapesDiffer), longest);
    appendNames(text, "of different dtypes (no error by itself)", unit.dtypesDiffer, 0);
    appendNames(text, "not compared, without numbers in common", silentOf(unit), longest);
    text += nearZeroText(unit);
    appendNames(text, "not readable", unit.problems, longest);
    appendNames(text, "notes", textsOf(unit.notes), longest);
    appendVerdict(text, unit, longest);
  }
  return text + tokensText(comparison, longest);
}

std::string verdictText(const DumpComparison& comparison, std::size_t longest) {
  std::string text = earliestText(comparison);
  for (const UnitOutcome& unit : comparison.units) {
    text += headingOf(unit);
    appendNames(text, "not readable", unit.problems, longest);
    appendVerdict(text, unit, longest);
  }
  return text + tokensText(comparison, longest);
}

report::DataTable largestDifferences(const DumpComparison& comparison, std::size_t rows) {
  const Columns columns;
  std::vector<RankedRow> differing;
  for (const UnitOutcome& unit : comparison.units) {
    for (const UnitOutcome::Differing& row : unit.differing) {
      differing.push_back(ranked(unit, row, columns));
    }
  }
  std::ranges::stable_sort(differing, std::ranges::greater(), &RankedRow::rank);
  if (rows > 0 && differing.size() > rows) {
    differing.resize(rows);
  }
  report::DataTable table{
      .title = "Largest differences",
      .columns = report::columnsOf("tensor; pass; unit; RMS rel, %; at least, %; "
                                   "max |d|; cosine; equal, %; not finite")};
  for (const RankedRow& item : differing) {
    const auto& metrics = item.row->metrics;
    table.rows.push_back(
        {item.row->site.name,
         std::string(toString(item.row->site.pass)),
         item.unit->label,
         report::numberCell(metrics[columns.exact] * 100),
         report::numberCell(metrics[columns.bound] * 100),
         report::numberCell(metrics[columns.largest]),
         report::numberCell(metrics[columns.cosine]),
         report::numberCell(metrics[columns.equal] * 100),
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
    appendFirst(text, failures, longest, [&](const analysis::RuleFailure* failure) {
      const std::string& unit = comparison.units[failure->unit].label;
      return fmt::format("{}, {}{}{}: {}",
                         failure->row,
                         toString(failure->pass),
                         unit.empty() ? "" : ", ",
                         unit,
                         formatExact(failure->value));
    });
  }
  return text;
}

std::string comparisonJson(const DumpComparison& comparison, const RulesResult* rules) {
  return json::document("ulpscope.comparison/1", [&](json::Writer& json) {
    json.field("baseline", comparison.baselineName);
    json.field("baseline_format", comparison.baselineFormat);
    json.field("candidate", comparison.candidateName);
    json.field("candidate_format", comparison.candidateFormat);
    json.field("identical", comparison.isIdentical());
    json.field("unpaired", textsOf(comparison.unpairedUnits));
    json.field("notes", textsOf(comparison.notes));
    writeEarliest(json, comparison);
    const auto write = [&](const UnitOutcome& unit) { writeUnit(json, unit); };
    json.objects("units", comparison.units, write, {.items = 2});
    writeTokens(json, comparison);
    if (rules != nullptr) {
      writeRules(json, *rules, comparison);
    }
  });
}

}  // namespace ulp::cli
