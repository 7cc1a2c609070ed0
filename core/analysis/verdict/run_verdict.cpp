#include "core/analysis/verdict/run_verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/analysis/depth/divergence.h"
#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/studies/lever_effects.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/base/text/split.h"
#include "core/base/undefined.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/model/one_dump.h"
#include "core/report/summary/noise_floor.h"
#include "core/report/summary/summary.h"
#include "core/report/summary/ulp_count.h"
#include "core/report/tables/number_column.h"

namespace ulp::analysis {
namespace {

using report::Comparison;
using report::Run;

constexpr std::string_view kRelativeError = "rms_rel";
/// Number of elements in place of a metric.
constexpr const char* kNotFinite = "not finite";
/// A setting that leaves more than this part of the final error is not told to help.
constexpr double kHelps = 0.95;

/// Forward goes without saying.
std::string shortPlace(const Site& site) {
  return site.pass == Pass::Forward ? site.name : placeText(site);
}

std::string foldText(double factor) {
  return "×" + formatSignificant(factor, factor < 10 ? 2 : 3);
}

/// Whether nothing differs from the reference, by the metric that says so.
bool equalsReference(const report::Report& report, const Run& run) {
  return report.metricIndex("equal_fraction") >= 0 &&
         std::ranges::all_of(run.comparisons,
                             [&](const Comparison& row) { return isEqual(report, row); });
}

VerdictPart plainPart(const char* text) {
  return {.text = {text, {}}};
}

/// The first tensor that makes more error than comes in; none: all have what they read.
std::optional<DivergenceStep> firstMade(const Divergence& trace) {
  return trace.first ? std::optional(trace.steps[*trace.first]) : std::nullopt;
}

VerdictPart birthOf(const Run& run, const Divergence& trace) {
  if (trace.steps.empty()) {
    return {};
  }
  const auto first = firstMade(trace);
  if (!first) {
    return plainPart(ULP_TR_NOOP("no tensor stands out"));
  }
  const DivergenceStep& step = *first;
  const Comparison& row = run.comparisons[step.comparison];
  VerdictPart part{.site = row.site};
  if (std::isinf(step.excess) && losesFinite(row)) {
    part.text = {ULP_TR_NOOP("%1, not finite: %2 of %3"),
                 {shortPlace(row.site),
                  std::to_string(row.variantNonFinite.total()),
                  std::to_string(row.count)}};
    part.numbers = {{kNotFinite, static_cast<double>(row.variantNonFinite.total())},
                    {"elements", static_cast<double>(row.count)}};
    return part;
  }
  part.text = {ULP_TR_NOOP("%1 (%2 → %3 %)"),
               {shortPlace(row.site), formatPercent(step.carried), formatPercent(step.error)}};
  part.numbers = {{"carried in", step.carried, true}, {"error", step.error, true}};
  return part;
}

/// An error at a layer of the forward pass.
struct LayerError {
  const Comparison* row = nullptr;
  double error = 0;
};

/// From where the error is born on, where that is in the forward pass. Undefined errors and zeros,
/// from which nothing grows by a factor, are left out.
std::vector<LayerError> layerErrors(const Run& run, const Divergence& trace) {
  const auto first = firstMade(trace);
  const bool isBornForward = first && run.comparisons[first->comparison].site.pass == Pass::Forward;
  std::vector<LayerError> errors;
  for (const DivergenceStep& step : trace.steps) {
    const Comparison& row = run.comparisons[step.comparison];
    const bool isAfter = !isBornForward || step.comparison >= first->comparison;
    const bool isLayer = row.site.level == Level::Layer && row.site.pass == Pass::Forward;
    if (isAfter && isLayer && step.error > 0 && std::isfinite(step.error)) {
      errors.push_back({&row, step.error});
    }
  }
  return errors;
}

/// The largest rise from one layer to a later one.
struct Rise {
  std::size_t low = 0;  ///< in the errors
  std::size_t high = 0;
  double factor = 1;
};

Rise largestRise(const std::vector<LayerError>& errors, double floor) {
  Rise rise;
  std::size_t low = 0;
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double factor = errors[i].error / errors[low].error;
    if (factor > rise.factor && errors[i].error >= floor) {
      rise = {low, i, factor};
    }
    low = errors[i].error <= errors[low].error ? i : low;
  }
  return rise;
}

VerdictPart growthOf(const std::vector<LayerError>& errors,
                     const VerdictLimits& limits,
                     double roundOff) {
  if (errors.size() < 2) {
    return {};
  }
  const Rise rise = largestRise(errors, limits.floor * roundOff);
  if (rise.factor < limits.growth) {
    return {.text = {ULP_TR_NOOP("nowhere %1-fold"), {numberText(limits.growth)}}};
  }
  std::size_t steepest = rise.low + 1;
  const auto stepAt = [&](std::size_t i) { return errors[i].error / errors[i - 1].error; };
  for (std::size_t i = steepest; i <= rise.high; ++i) {
    steepest = stepAt(i) > stepAt(steepest) ? i : steepest;
  }
  const auto nameAt = [&](std::size_t i) { return errors[i].row->site.name; };
  VerdictPart part{.site = errors[steepest].row->site,
                   .numbers = {{"before", errors[rise.low].error, true},
                               {"error", errors[rise.high].error, true},
                               {"factor", rise.factor},
                               {ULP_TR_NOOP("steepest factor"), stepAt(steepest)}}};
  if (rise.high == rise.low + 1) {
    part.text = {ULP_TR_NOOP("%1 at %2"), {foldText(rise.factor), nameAt(rise.high)}};
  } else {
    part.text = {ULP_TR_NOOP("%1 in %2 to %3, most at %4 (%5)"),
                 {foldText(rise.factor),
                  nameAt(rise.low + 1),
                  nameAt(rise.high),
                  nameAt(steepest),
                  foldText(stepAt(steepest))}};
  }
  return part;
}

/// What all runs of a report share.
struct ReportNumbers {
  numerics::Metric metric;  ///< whose worst number is told
  int column = -1;          ///< of the metric; -1: the report does not hold it
  std::span<const Pass> passes;
  report::NoiseFloor floor;
  LeverTable levers;

  [[nodiscard]] bool isIn(const Comparison& row) const {
    return passes.empty() || std::ranges::find(passes, row.site.pass) != passes.end();
  }
  [[nodiscard]] std::string text(double value) const {
    const bool isPartOfOne =
        metric.better == numerics::Better::Higher && metric.unit != numerics::MetricUnit::Decibel;
    if (metric.unit == numerics::MetricUnit::Percent && !isPartOfOne) {
      return formatPercent(value) + " %";  // as the errors at the birth
    }
    std::string text = report::formatColumn(std::span(&value, 1), metric.unit, isPartOfOne).front();
    constexpr std::array<std::string_view, 4> kUnits{"", " %", " dB", " ULP"};
    return text.append(kUnits.at(static_cast<std::size_t>(metric.unit)));
  }
};

/// Outputs of layers and their gradients. Gradients of parameters and what an optimizer makes of
/// them follow from these, and where they are small in any format their errors say little.
bool isOfLayers(const Comparison& row) {
  return row.site.level == Level::Layer && !isOfParameters(row.site.pass) &&
         row.site.name != "loss";
}

/// Null: no row has a number that says anything.
const Comparison* worstRow(const Run& run, const ReportNumbers& numbers) {
  const auto column = static_cast<std::size_t>(numbers.column);
  const bool hasLayers = std::ranges::any_of(
      run.comparisons, [&](const Comparison& row) { return isOfLayers(row) && numbers.isIn(row); });
  const Comparison* worst = nullptr;
  for (const Comparison& row : run.comparisons) {
    const double value = row.metrics.at(column);
    const bool isTold =
        numbers.metric.unit != numerics::MetricUnit::Ulp || report::isSensibleUlp(row, value);
    const bool counts =
        isTold && !std::isnan(value) && numbers.isIn(row) && (!hasLayers || isOfLayers(row));
    if (counts && (worst == nullptr ||
                   !numerics::isNoWorse(value, worst->metrics[column], numbers.metric.better))) {
      worst = &row;
    }
  }
  return worst;
}

VerdictPart worstOf(const ReportNumbers& numbers, const Run& run) {
  const auto lost = std::ranges::find_if(run.comparisons, [&](const Comparison& row) {
    return losesFinite(row) && numbers.isIn(row);
  });
  if (lost != run.comparisons.end()) {
    return {.text = {ULP_TR_NOOP("not finite from %1 on"), {shortPlace(lost->site)}},
            .site = lost->site,
            .numbers = {{kNotFinite, static_cast<double>(lost->variantNonFinite.total())},
                        {"elements", static_cast<double>(lost->count)}}};
  }
  const Comparison* row = numbers.column < 0 ? nullptr : worstRow(run, numbers);
  if (row == nullptr) {
    return {};
  }
  const auto column = static_cast<std::size_t>(numbers.column);
  const double value = row->metrics[column];
  const std::string interval =
      column < row->spread.size()
          ? report::intervalText(row->spread[column], run.samples, numbers.metric.unit)
          : "";
  return {
      .text = {ULP_TR_NOOP("%1 at %2"), {numbers.text(value) + interval, shortPlace(row->site)}},
      .site = row->site,
      .numbers = {{numbers.metric.label, value}},
      .isWithinNoise = numbers.floor.covers(row->site, column, value)};
}

/// The summary's column of the error that the forward pass ends with: logits, else the final norm.
std::optional<std::size_t> finalColumn(const LeverTable& table, std::size_t variant) {
  const auto& columns = report::summaryColumns();
  for (const std::string_view id : {"forward.logits", "forward.norm"}) {
    const auto found = std::ranges::find(columns, id, &report::SummaryColumn::id);
    const auto place = static_cast<std::size_t>(found - columns.begin());
    if (found == columns.end()) {
      continue;
    }
    const report::SummaryCell& error = table.errors[variant][place];
    if (error.value > 0 || error.nonFinite > 0) {
      return place;
    }
  }
  return std::nullopt;
}

/// A variant that differs from another in one lever alone.
struct OneChange {
  const LeverMove* move = nullptr;
  std::size_t other = 0;  ///< in LeverTable::variants
  int value = 0;          ///< that the other has, in Lever::values
};

std::vector<OneChange> changesFrom(const LeverTable& table, std::size_t variant) {
  std::vector<OneChange> changes;
  for (const LeverMove& move : table.moves) {
    for (const auto& [from, to] : move.pairs) {
      if (from == variant) {
        changes.push_back({&move, to, move.to});
      } else if (to == variant) {
        changes.push_back({&move, from, move.from});
      }
    }
  }
  return changes;
}

/// Whether an error is told to be lower than `own`: fewer elements are not finite, or as many and
/// the error of the others is lower.
bool helps(const report::SummaryCell& own, const report::SummaryCell& other) {
  return other.nonFinite < own.nonFinite ||
         (other.nonFinite == own.nonFinite && own.value > 0 && other.value <= kHelps * own.value);
}

bool isLess(const report::SummaryCell& a, const report::SummaryCell& b) {
  return a.nonFinite != b.nonFinite ? a.nonFinite < b.nonFinite
                                    : a.value <= b.value || std::isnan(b.value);
}

VerdictPart helpOf(const ReportNumbers& numbers, const Run& run) {
  const LeverTable& table = numbers.levers;
  const auto found = std::ranges::find(table.variants, run.name);
  if (found == table.variants.end() || !table.isRatio) {
    return {};
  }
  const auto variant = static_cast<std::size_t>(found - table.variants.begin());
  const auto column = finalColumn(table, variant);
  const std::vector<OneChange> changes = changesFrom(table, variant);
  if (!column || changes.empty()) {
    return {};
  }
  const report::SummaryCell& own = table.errors[variant][*column];
  const auto errorOf = [&](const OneChange& change) -> const report::SummaryCell& {
    return table.errors[change.other][*column];
  };
  const OneChange* best = nullptr;
  for (const OneChange& change : changes) {
    if (helps(own, errorOf(change)) &&
        (best == nullptr || isLess(errorOf(change), errorOf(*best)))) {
      best = &change;
    }
  }
  if (best == nullptr) {
    return plainPart(ULP_TR_NOOP("nothing that was tried"));
  }
  const report::SummaryCell& other = errorOf(*best);
  const Lever& lever = table.levers[best->move->lever];
  VerdictPart part{.text = {ULP_TR_NOOP("%1 %2 (%3)"),
                            {std::string(lastPart(lever.key, '.')),
                             lever.values[static_cast<std::size_t>(best->value)]}},
                   .site = own.site,
                   .proof = "lever_effect",
                   .otherRun = table.variants[best->other]};
  if (other.nonFinite < own.nonFinite) {
    part.text.pattern = other.nonFinite == 0 ? ULP_TR_NOOP("%1 %2 (nothing but finite)")
                                             : ULP_TR_NOOP("%1 %2 (not finite: %3, was %4)");
    part.numbers = {{ULP_TR_NOOP("not finite before"), static_cast<double>(own.nonFinite)},
                    {ULP_TR_NOOP("not finite after"), static_cast<double>(other.nonFinite)}};
    if (other.nonFinite > 0) {
      part.text.arguments.emplace_back(std::to_string(other.nonFinite));
      part.text.arguments.emplace_back(std::to_string(own.nonFinite));
    }
    return part;
  }
  const double factor = other.value / own.value;
  part.text.arguments.emplace_back(foldText(factor));
  part.numbers = {{ULP_TR_NOOP("error before"), own.value, true},
                  {ULP_TR_NOOP("error after"), other.value, true},
                  {"factor", factor}};
  return part;
}

ReportNumbers numbersOf(const report::Report& report,
                        std::string_view metric,
                        std::span<const Pass> passes,
                        const std::stop_token& stop) {
  ReportNumbers numbers;
  numbers.passes = passes;
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  const auto known = registry.indexOf(metric);
  numbers.metric = known
                       ? registry.all()[*known]
                       : numerics::Metric{.id = std::string(metric), .label = std::string(metric)};
  numbers.column = report.metricIndex(metric);
  numbers.floor = report::NoiseFloor(report);
  // A configuration that cannot be read is a report that says less.
  if (auto levers = leverTable(report, kRelativeError, stop)) {
    numbers.levers = std::move(*levers);
  }
  return numbers;
}

std::optional<report::FindingSeverity> gravestOf(std::span<const report::Finding> findings,
                                                 const std::string& run) {
  std::optional<report::FindingSeverity> gravest;
  for (const report::Finding& finding : findings) {
    if (finding.isAbout(run) && (!gravest || finding.severity > *gravest)) {
      gravest = finding.severity;
    }
  }
  return gravest;
}

RunVerdict judgeRun(const report::Report& report,
                    const Run& run,
                    const ReportNumbers& numbers,
                    const VerdictLimits& limits) {
  RunVerdict verdict{.run = run.name};
  if (run.status == report::RunStatus::Failed) {
    verdict.born = plainPart(ULP_TR_NOOP("it failed"));
    return verdict;
  }
  if (equalsReference(report, run)) {
    verdict.born = plainPart(ULP_TR_NOOP("every number equals the reference's"));
    return verdict;
  }
  if (const FormatLimits* format = RuleInput::coarsestFormat(run)) {
    const Divergence trace = traceDivergence(report, run, {limits.excess, format->roundOff});
    verdict.born = birthOf(run, trace);
    verdict.grows = growthOf(layerErrors(run, trace), limits, format->roundOff);
  }
  verdict.worst = worstOf(numbers, run);
  verdict.helps = helpOf(numbers, run);
  return verdict;
}

/// The culprit alone: what follows from it is no answer.
RunVerdict judgeUnit(const report::Report& report,
                     const Run& run,
                     const ReportNumbers& numbers,
                     const report::Finding* culprit) {
  RunVerdict verdict{.run = run.name};
  const bool isAlone = report::isOfOneDump(report);
  if (culprit != nullptr) {
    verdict.born = {.text = culprit->title, .proof = culprit->rule, .numbers = culprit->numbers};
    verdict.born.site = culprit->sites.empty() ? std::nullopt : std::optional(culprit->sites[0]);
    verdict.sureness = {.text = culprit->explanation};
    return verdict;
  }
  if (run.status != report::RunStatus::Finished) {
    return verdict;
  }
  if (isAlone) {
    verdict.born = plainPart(ULP_TR_NOOP("no call makes NaN or infinity of finite numbers"));
    return verdict;
  }
  if (equalsReference(report, run)) {
    verdict.born = plainPart(ULP_TR_NOOP("every number equals the baseline's"));
    return verdict;
  }
  verdict.born = plainPart(
      ULP_TR_NOOP("no call makes a larger error than what it reads and rounding explain"));
  verdict.worst = worstOf(numbers, run);
  return verdict;
}

/// Where the errors of a unit start, or NaN and infinity of one that is compared with none. Null:
/// that is not known.
const report::Finding* culpritOf(const report::Report& report,
                                 std::span<const report::Finding> findings,
                                 const std::string& run) {
  const std::string_view rule =
      report::isOfOneDump(report) ? report::kOverflowRule : report::kCulpritRule;
  const auto found = std::ranges::find_if(findings, [&](const report::Finding& finding) {
    return finding.rule == rule && std::ranges::find(finding.runs, run) != finding.runs.end();
  });
  return found == findings.end() ? nullptr : &*found;
}

/// Verdicts stand in rising order of these: the gravest first, then by the worst number, before
/// which stands what is not finite.
std::pair<double, double> rankOf(const RunVerdict& verdict, numerics::Better better) {
  const double severity = verdict.severity ? static_cast<double>(*verdict.severity) : -1;
  if (!verdict.worst.numbers.empty() && verdict.worst.numbers.front().name == kNotFinite) {
    return {-severity, -std::numeric_limits<double>::infinity()};
  }
  const double worst =
      verdict.worst.numbers.empty() ? std::nan("") : verdict.worst.numbers.front().value;
  if (std::isnan(worst)) {
    return {-severity, std::numeric_limits<double>::infinity()};
  }
  return {-severity, better == numerics::Better::Lower ? -worst : worst};
}

}  // namespace

std::vector<RunVerdict> findVerdicts(const report::Report& report,
                                     std::span<const report::Finding> findings,
                                     std::string_view metric,
                                     const VerdictLimits& limits,
                                     const std::stop_token& stop) {
  const ReportNumbers numbers = numbersOf(report, metric, limits.passes, stop);
  std::vector<std::pair<std::pair<double, double>, RunVerdict>> ranked;
  for (const Run& run : report.runs) {
    if (stop.stop_requested()) {
      break;
    }
    if (run.comparisons.empty() || run.role == report::RunRole::Floor) {
      continue;
    }
    const report::Finding* culprit = report.dumps ? culpritOf(report, findings, run.name) : nullptr;
    RunVerdict verdict = report.dumps ? judgeUnit(report, run, numbers, culprit)
                                      : judgeRun(report, run, numbers, limits);
    verdict.severity = gravestOf(findings, run.name);
    std::pair<double, double> rank = rankOf(verdict, numbers.metric.better);
    if (report.dumps) {
      // Findings of dumps begin with the unit to look at first.
      const auto place = culprit == nullptr ? std::ssize(findings) : culprit - findings.data();
      rank = {static_cast<double>(place), rank.first};
    }
    ranked.emplace_back(rank, std::move(verdict));
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& one) { return one.first; });
  return listOf(std::move(ranked), [](auto& one) { return std::move(one.second); });
}

report::TextTable verdictTable(const report::Report& report,
                               std::span<const report::Finding> findings,
                               const report::ExportOptions& options) {
  const std::string metric = options.metrics.empty() ? "rms_rel" : options.metrics.front();
  std::vector<RunVerdict> verdicts =
      findVerdicts(report, findings, metric, {.passes = options.passes});
  std::erase_if(verdicts, [&](const RunVerdict& verdict) {
    return !options.runs.empty() &&
           std::ranges::find(options.runs, verdict.run) == options.runs.end();
  });
  struct Heading {
    const char* title;
    VerdictPart RunVerdict::*part;
  };
  const std::vector<Heading> headings =
      report.dumps ? std::vector<Heading>{{"starts at", &RunVerdict::born},
                                          {"how sure", &RunVerdict::sureness},
                                          {"worst", &RunVerdict::worst}}
                   : std::vector<Heading>{{"born at", &RunVerdict::born},
                                          {"grows", &RunVerdict::grows},
                                          {"worst", &RunVerdict::worst},
                                          {"helps most", &RunVerdict::helps}};
  report::TextTable table{"Verdict", {{report.dumps ? "unit" : "variant"}}, {}};
  for (const RunVerdict& verdict : verdicts) {
    table.rows.push_back({verdict.run});
  }
  for (const auto& [title, part] : headings) {
    const auto isKnown = [part = part](const RunVerdict& one) { return (one.*part).isKnown(); };
    if (std::ranges::none_of(verdicts, isKnown)) {
      continue;
    }
    table.columns.push_back({title});
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const VerdictPart& cell = verdicts[i].*part;
      table.rows[i].push_back(cell.isKnown() ? cell.text.text()
                                             : std::string(report::kMissingText));
    }
  }
  return table;
}

}  // namespace ulp::analysis
