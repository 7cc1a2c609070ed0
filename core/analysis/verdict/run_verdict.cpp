#include "core/analysis/verdict/run_verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/analysis/depth/divergence.h"
#include "core/analysis/depth/divergence_origin.h"
#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/studies/lever_effects.h"
#include "core/analysis/verdict/run_help.h"
#include "core/analysis/verdict/verdict_words.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/base/undefined.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/model/effective_config.h"
#include "core/report/model/one_dump.h"
#include "core/report/summary/noise_floor.h"
#include "core/report/summary/ulp_count.h"
#include "core/report/tables/number_column.h"

namespace ulp::analysis {
namespace {

using report::Comparison;
using report::Run;

constexpr std::string_view kRelativeError = "rms_rel";
/// Number of elements in place of a metric.
constexpr const char* kNotFinite = "not finite";

/// The first row of which the reference is not finite; where all are, the number of rows.
std::size_t endOfJudged(const Run& run) {
  return firstNonFiniteReference(run).value_or(run.comparisons.size());
}

/// Whether nothing differs from the reference, by the metric that says so.
bool equalsReference(const report::Report& report, const Run& run) {
  return run.missingGradients.empty() && report.metricIndex("equal_fraction") >= 0 &&
         std::ranges::all_of(run.comparisons,
                             [&](const Comparison& row) { return isEqual(report, row); });
}

VerdictPart plainPart(const char* text) {
  return {.text = {text, {}}};
}

/// Says of a row that its relative error is no larger than the noise floor's.
using IsNoise = std::function<bool(const Comparison&)>;

/// The first tensor that makes more error than comes in; none: all have what they read, or no more
/// than noise.
std::optional<DivergenceStep> firstMade(const Run& run,
                                        const Divergence& trace,
                                        const IsNoise& isNoise) {
  const auto first = std::ranges::find_if(trace.steps, [&](const DivergenceStep& step) {
    return step.isMade && !isNoise(run.comparisons[step.comparison]);
  });
  return first == trace.steps.end() ? std::nullopt : std::optional(*first);
}

VerdictPart birthOf(const report::Report& report,
                    const Run& run,
                    const Divergence& trace,
                    const IsNoise& isNoise) {
  if (trace.steps.empty()) {
    return {};
  }
  const auto first = firstMade(run, trace, isNoise);
  const std::size_t end = endOfJudged(run);
  if (end < run.comparisons.size() && (!first || first->comparison >= end)) {
    const Comparison& lost = run.comparisons[end];
    return {.text = {ULP_TR_NOOP("not known: the reference itself is not finite from %1 on"),
                     {shortPlace(lost.site)}},
            .site = lost.site};
  }
  if (!first && !run.missingGradients.empty()) {
    return {.text = {ULP_TR_NOOP("%1 has no gradient"), {run.missingGradients.front()}}};
  }
  if (!first) {
    return plainPart(trace.first ? ULP_TR_NOOP("nowhere beyond the noise floor")
                                 : ULP_TR_NOOP("no tensor stands out"));
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
  const DivergenceOrigin origin = originOf(report, run, row);
  part.numbers = {{"carried in", step.carried, true}, {"error", step.error, true}};
  if (origin.hasOtherOperations()) {
    part.text = {ULP_TR_NOOP("%1, made by another operation (%2 %)"),
                 {shortPlace(row.site), formatPercent(step.error)}};
    return part;
  }
  if (origin.router != nullptr) {
    part.text = {ULP_TR_NOOP("%1, where %2 chose other experts (%3 → %4 %)"),
                 {shortPlace(row.site),
                  origin.router->router,
                  formatPercent(step.carried),
                  formatPercent(step.error)}};
    return part;
  }
  part.text = {step.isOfZero ? ULP_TR_NOOP("%1, 0 in the reference (%2 → %3 %)")
                             : ULP_TR_NOOP("%1 (%2 → %3 %)"),
               {shortPlace(row.site), formatPercent(step.carried), formatPercent(step.error)}};
  return part;
}

/// An error at a layer of the forward pass.
struct LayerError {
  const Comparison* row = nullptr;
  double error = 0;
};

/// From where the error is born on, where that is in the forward pass. Undefined errors and zeros,
/// from which nothing grows by a factor, are left out.
std::vector<LayerError> layerErrors(const Run& run,
                                    const Divergence& trace,
                                    const IsNoise& isNoise) {
  const auto first = firstMade(run, trace, isNoise);
  const bool isBornForward = first && run.comparisons[first->comparison].site.pass == Pass::Forward;
  const std::size_t end = endOfJudged(run);
  std::vector<LayerError> errors;
  for (const DivergenceStep& step : trace.steps) {
    const Comparison& row = run.comparisons[step.comparison];
    const bool isAfter =
        (!isBornForward || step.comparison >= first->comparison) && step.comparison < end;
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

/// `isWhole`: the errors are those of all layers, so that a rise that is not among them is none.
VerdictPart growthOf(const std::vector<LayerError>& errors,
                     const VerdictLimits& limits,
                     double roundOff,
                     bool isWhole) {
  if (errors.size() < 2) {
    return {};
  }
  const double floor = limits.floor * roundOff;
  const Rise rise = largestRise(errors, floor);
  if (rise.factor < limits.growth && !isWhole) {
    return {};
  }
  if (rise.factor < limits.growth) {
    if (largestRise(errors, 0).factor < limits.growth) {
      return {.text = {ULP_TR_NOOP("nowhere %1-fold"), {numberText(limits.growth)}}};
    }
    return {.text = {ULP_TR_NOOP("stays below %1"), {percentText(floor)}}};
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
    part.text = {ULP_TR_NOOP("%1 from %2 to %3, most at %4 (%5)"),
                 {foldText(rise.factor),
                  nameAt(rise.low),
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
  int relative = -1;  ///< column of the relative error
  report::EffectiveConfig config;
  LeverTable levers;

  /// The relative error; NaN: the report does not know it.
  [[nodiscard]] double errorOf(const Comparison& row) const {
    return relative < 0 ? kUndefined : row.metrics.at(static_cast<std::size_t>(relative));
  }
  [[nodiscard]] bool isNoise(const Comparison& row) const {
    return relative >= 0 &&
           floor.covers(row.site, static_cast<std::size_t>(relative), errorOf(row));
  }

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
const Comparison* worstRow(std::span<const Comparison> rows, const ReportNumbers& numbers) {
  const auto column = static_cast<std::size_t>(numbers.column);
  // Where no layer is off the others say what is.
  const bool hasLayers = std::ranges::any_of(rows, [&](const Comparison& row) {
    return isOfLayers(row) && numbers.isIn(row) && numbers.errorOf(row) != 0;
  });
  const Comparison* worst = nullptr;
  for (const Comparison& row : rows) {
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

/// Of the first `judged` rows.
VerdictPart worstOf(const ReportNumbers& numbers, const Run& run, std::size_t judged) {
  const std::span<const Comparison> rows = std::span(run.comparisons).first(judged);
  const auto lost = std::ranges::find_if(
      rows, [&](const Comparison& row) { return losesFinite(row) && numbers.isIn(row); });
  if (lost != rows.end()) {
    return {.text = {ULP_TR_NOOP("not finite from %1 on"), {shortPlace(lost->site)}},
            .site = lost->site,
            .numbers = {{kNotFinite, static_cast<double>(lost->variantNonFinite.total())},
                        {"elements", static_cast<double>(lost->count)}}};
  }
  const Comparison* row = numbers.column < 0 ? nullptr : worstRow(rows, numbers);
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

/// What is known of the rows before the reference stops being finite, and that it does.
VerdictPart worstBefore(const ReportNumbers& numbers, const Run& run, std::size_t end) {
  VerdictPart part = worstOf(numbers, run, end);
  if (end == run.comparisons.size()) {
    return part;
  }
  const Comparison& lost = run.comparisons[end];
  const std::string place = shortPlace(lost.site);
  if (part.isKnown()) {
    part.text = {ULP_TR_NOOP("%1; not judged from %2 on"), {part.text, place}};
  } else {
    part.text = {ULP_TR_NOOP("not judged from %1 on"), {place}};
    part.site = lost.site;
  }
  part.isWithinNoise = false;
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
  numbers.relative = report.metricIndex(kRelativeError);
  // A configuration that cannot be read is a report that says less.
  numbers.config = report::effectiveConfig(report).value_or(report::EffectiveConfig{});
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

/// What is there of a run that failed says nothing of the rest.
RunVerdict failedVerdict(const Run& run, std::span<const report::Finding> findings) {
  RunVerdict verdict{.run = run.name,
                     .born = {.text = {ULP_TR_NOOP("it failed: %1"), {failureOf(run)}}}};
  const auto told = std::ranges::find_if(findings, [&](const report::Finding& finding) {
    return finding.isAbout(run.name) && finding.sites.empty() &&
           finding.severity == report::FindingSeverity::Broken;
  });
  verdict.born.proof = told == findings.end() ? "" : told->rule;
  return verdict;
}

RunVerdict judgeRun(const report::Report& report,
                    const Run& run,
                    const ReportNumbers& numbers,
                    const VerdictLimits& limits) {
  RunVerdict verdict{.run = run.name};
  if (equalsReference(report, run)) {
    verdict.born = plainPart(ULP_TR_NOOP("every number equals the reference's"));
    return verdict;
  }
  const std::size_t end = endOfJudged(run);
  const bool isWhole =
      end == run.comparisons.size() || run.comparisons[end].site.pass != Pass::Forward;
  if (const FormatLimits* format = RuleInput::coarsestFormat(report, run, numbers.config)) {
    const Divergence trace = traceDivergence(report, run, {limits.excess, format->roundOff});
    const IsNoise isNoise = [&](const Comparison& row) { return numbers.isNoise(row); };
    verdict.born = birthOf(report, run, trace, isNoise);
    verdict.grows = growthOf(layerErrors(run, trace, isNoise), limits, format->roundOff, isWhole);
  }
  verdict.worst = worstBefore(numbers, run, end);
  // A setting is judged by the end of the pass.
  verdict.helps = isWhole ? helpOf(numbers.levers, run) : VerdictPart{};
  return verdict;
}

/// The culprit alone, and how far the unit is off: what follows from it is no answer.
RunVerdict judgeUnit(const report::Report& report,
                     const Run& run,
                     const ReportNumbers& numbers,
                     const report::Finding* culprit,
                     std::span<const report::Finding> findings) {
  RunVerdict verdict{.run = run.name};
  const bool isAlone = report::isOfOneDump(report);
  if (culprit != nullptr) {
    verdict.born = {.text = culprit->title, .proof = culprit->rule, .numbers = culprit->numbers};
    verdict.born.site = culprit->sites.empty() ? std::nullopt : std::optional(culprit->sites[0]);
    verdict.sureness = {.text = culprit->explanation};
    if (culprit->rule == report::kCulpritRule && culprit->explanation.arguments.size() == 2) {
      // "Sureness %1: %2", of which the heading says the first word.
      verdict.sureness.text.pattern = ULP_TR_NOOP("%1: %2");
    }
    verdict.worst = isAlone ? VerdictPart{} : worstOf(numbers, run, run.comparisons.size());
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
    const bool isWhole = std::ranges::none_of(findings, [&](const report::Finding& finding) {
      return finding.rule == kNotComparedRule && finding.isAbout(run.name);
    });
    verdict.born =
        plainPart(isWhole ? ULP_TR_NOOP("every number equals the baseline's")
                          : ULP_TR_NOOP("every number that was compared equals the baseline's"));
    return verdict;
  }
  verdict.born = plainPart(
      ULP_TR_NOOP("no call makes a larger error than what it reads and rounding explain"));
  verdict.worst = worstOf(numbers, run, run.comparisons.size());
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
    const bool hasFailed = run.status == report::RunStatus::Failed;
    if ((run.comparisons.empty() && !hasFailed) || run.role == report::RunRole::Floor) {
      continue;
    }
    const report::Finding* culprit = report.dumps ? culpritOf(report, findings, run.name) : nullptr;
    RunVerdict verdict = hasFailed && culprit == nullptr ? failedVerdict(run, findings)
                         : report.dumps ? judgeUnit(report, run, numbers, culprit, findings)
                                        : judgeRun(report, run, numbers, limits);
    verdict.severity = gravestOf(findings, run.name);
    std::pair<double, double> rank = rankOf(verdict, numbers.metric.better);
    if (hasFailed) {
      rank = {-std::numeric_limits<double>::infinity(), 0};
    }
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
                                          {"grows forward", &RunVerdict::grows},
                                          {"worst layer", &RunVerdict::worst},
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
