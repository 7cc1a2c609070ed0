#include "app/cli/print/diverge_print.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>
#include <ostream>
#include <ranges>
#include <vector>

#include "core/analysis/depth/divergence_origin.h"
#include "core/base/list_of.h"
#include "core/base/text/elided.h"
#include "core/base/text/format_number.h"
#include "core/json/writer.h"
#include "core/report/summary/provenance_line.h"
#include "core/report/tables/text_table.h"

namespace ulp::cli {
namespace {

using analysis::DivergenceStep;
using analysis::equalShareText;
using analysis::findRow;
using analysis::metricOf;
using analysis::ratioText;

const report::Comparison& rowOf(const RunDivergence& item, const DivergenceStep& step) {
  return item.run->comparisons[step.comparison];
}

/// What the reader follows: tensors that make errors, and how they travel from layer to layer.
bool isInChain(const RunDivergence& item, const DivergenceStep& step) {
  const report::Comparison& row = rowOf(item, step);
  return step.isMade || row.site.level == Level::Layer || row.variantNonFinite.total() > 0;
}

std::string madeText(const analysis::DivergenceOrigin& origin) {
  return origin.hasOtherOperations() ? "made by another operation"
         : origin.router != nullptr  ? "made by other experts"
                                     : "made here";
}

std::string noteOf(const RunDivergence& item,
                   const DivergenceStep& step,
                   const analysis::DivergenceOrigins& origins) {
  const report::Comparison& row = rowOf(item, step);
  std::string note = step.isMade ? madeText(origins.of(row)) : "carried";
  if (step.isMade && std::isfinite(step.excess)) {
    note += fmt::format(", {} times what was expected", formatSignificant(step.excess, 2));
  }
  if (row.variantNonFinite.total() > 0) {
    note += fmt::format("; {} of {} not finite", row.variantNonFinite.total(), row.count);
  }
  return note;
}

/// Names in one list; more are counted.
constexpr std::size_t kNames = 8;

/// Of an operation: the line of the program and what it was made from.
void printOrigin(std::ostream& out, const report::Run& run, const Site& site) {
  const OperationGraph::Row* const row = run.graph.find(site.pass, site.name);
  if (row == nullptr) {
    return;
  }
  std::vector<std::string> inputs = row->backward;
  for (const std::string& input : row->forward) {
    inputs.push_back(site.pass == Pass::Forward ? input : input + " (forward)");
  }
  if (!inputs.empty()) {
    fmt::print(out, "  made from {}\n", firstNames(inputs, kNames));
  }
  if (!row->line.empty()) {
    fmt::print(out, "  at {}\n", row->line);
  }
}

/// Operations that one of two runs alone made.
void printOperations(std::ostream& out,
                     const std::vector<std::string>& baselineOperations,
                     const std::string& baseline,
                     const std::vector<std::string>& operations,
                     const std::string& candidate) {
  if (baselineOperations.empty() && operations.empty()) {
    return;
  }
  const auto listed = [](const std::vector<std::string>& names) {
    return names.empty() ? std::string("nothing") : firstNames(names, kNames);
  };
  fmt::print(out,
             "  another operation, which was compared with nothing: {} in {}, {} in {}\n",
             listed(baselineOperations),
             baseline,
             listed(operations),
             candidate);
}

/// Of what the router of its block made differ.
void printRouter(std::ostream& out, const report::RouterChoice& router) {
  fmt::print(out,
             "  {} chose other experts for {} of {} tokens: their error is {}, that of the others "
             "{}\n",
             router.router,
             router.flipped,
             router.tokens,
             ratioText(router.other.relative()),
             ratioText(router.same.relative()));
}

/// Behind it there is nothing to diverge from.
void printLostReference(std::ostream& out, const report::Run& run) {
  if (const auto lost = analysis::firstNonFiniteReference(run)) {
    const Site& site = run.comparisons[*lost].site;
    fmt::print(
        out,
        "  note: the reference itself is not finite from {}, {} on: errors behind it are not "
        "known\n",
        site.name,
        toString(site.pass));
  }
}

/// What came in, and what was expected of it.
std::string expectationOf(const RunDivergence& item,
                          const DivergenceStep& first,
                          const analysis::DivergenceOrigin& origin) {
  if (origin.hasOtherOperations()) {
    return "made by another operation";
  }
  return fmt::format(
      "where {} came in {}",
      ratioText(first.carried),
      item.format.empty()
          ? std::string("(no rounding is expected: in which format it ran is not recorded)")
          : fmt::format("and {} was expected in {}", ratioText(first.expected), item.format));
}

void printFirst(std::ostream& out,
                const RunDivergence& item,
                const DivergenceStep& first,
                const analysis::DivergenceOrigin& origin) {
  const Site& site = rowOf(item, first).site;
  fmt::print(out,
             "{}: first diverges at {}, {}: {} {}\n",
             item.run->name,
             site.name,
             toString(site.pass),
             ratioText(first.error),
             expectationOf(item, first, origin));
  printOperations(
      out, origin.baselineOperations, "the reference", origin.operations, item.run->name);
  if (origin.router != nullptr) {
    printRouter(out, *origin.router);
  }
  printOrigin(out, *item.run, site);
  printLostReference(out, *item.run);
}

void printRun(std::ostream& out, const RunDivergence& item) {
  const analysis::Divergence& trace = item.trace;
  if (const auto& missing = item.run->missingGradients; !missing.empty()) {
    fmt::print(out,
               "{}: has no gradient of {}, which the reference has\n",
               item.run->name,
               firstNames(missing, kNames));
  }
  if (!trace.first) {
    fmt::print(out,
               "{}: does not diverge: no error of {} tensors exceeds {:g} times what came in{}\n",
               item.run->name,
               trace.steps.size(),
               item.limits.excess,
               item.format.empty() ? std::string() : " and one rounding of " + item.format);
    printLostReference(out, *item.run);
    return;
  }
  const analysis::DivergenceOrigins origins(*item.report, *item.run);
  const DivergenceStep& first = trace.steps[*trace.first];
  printFirst(out, item, first, origins.of(rowOf(item, first)));
  std::vector<DivergenceStep> chain;
  std::ranges::copy_if(trace.steps | std::views::drop(*trace.first),
                       std::back_inserter(chain),
                       [&](const DivergenceStep& step) { return isInChain(item, step); });
  std::size_t width = 0;
  for (const DivergenceStep& step : chain) {
    width = std::max(width, rowOf(item, step).site.name.size());
  }
  for (const DivergenceStep& step : chain) {
    const Site& here = rowOf(item, step).site;
    fmt::print(out,
               "  {} {:<{}}  {:<8}  {:>9}  {}\n",
               step.isMade ? "▲" : " ",
               here.name,
               width,
               toString(here.pass),
               ratioText(step.error),
               noteOf(item, step, origins));
  }
}

void writeStep(json::Writer& json, const RunDivergence& item, const DivergenceStep& step) {
  const report::Comparison& row = rowOf(item, step);
  json.field("name", row.site.name);
  json.field("pass", toString(row.site.pass));
  json.field("error", step.error);
  json.field("carried", step.carried);
  json.field("expected", step.expected);
  json.field("excess", step.excess);
  json.field("made", step.isMade);
  json.field("nonfinite", row.variantNonFinite.total());
}

void writeRun(json::Writer& json, const RunDivergence& item) {
  json.field("format", item.format);
  json.field("excess", item.limits.excess);
  json.field("round_off", item.limits.roundOff);
  json.field("missing_gradients", item.run->missingGradients);
  const std::vector<DivergenceStep>& steps = item.trace.steps;
  const std::optional<std::size_t>& first = item.trace.first;
  json.field("first", first ? std::optional(rowOf(item, steps[*first]).site.name) : std::nullopt);
  const analysis::DivergenceOrigin origin =
      first ? analysis::originOf(*item.report, *item.run, rowOf(item, steps[*first]))
            : analysis::DivergenceOrigin{};
  json.field("operations_of_reference", origin.baselineOperations);
  json.field("operations_of_variant", origin.operations);
  json.field("router", origin.router ? std::optional(origin.router->router) : std::nullopt);
  const auto write = [&](const DivergenceStep& step) { writeStep(json, item, step); };
  const auto chain = steps | std::views::drop(first.value_or(steps.size()));
  json.objects("chain", chain, write, {.items = 3});
}

using analysis::FirstUnequal;
using analysis::PassDifference;
using analysis::RunDifference;
using analysis::RunPair;

const report::Comparison& rowAt(const RunPair& pair, std::size_t index) {
  return pair.rows->comparisons[index];
}

std::string nonFiniteText(const report::Comparison& row) {
  if (row.referenceNonFinite == row.variantNonFinite) {
    return {};
  }
  return fmt::format(
      "; not finite: {} and {}", row.referenceNonFinite.total(), row.variantNonFinite.total());
}

std::string angleText(const FirstUnequal& first) {
  if (first.angles.empty()) {
    return {};
  }
  const std::vector<std::string> texts =
      listOf(first.angles, [](const analysis::AngleError& angle) {
        return fmt::format(
            "{} rad at position {}", formatSignificant(angle.radians, 2), angle.position);
      });
  return fmt::format("  angles are off by up to {}\n", fmt::join(texts, ", "));
}

/// Names of inputs, with their pass where it is another.
std::vector<std::string> inputNames(const std::vector<Site>& inputs, Pass pass) {
  return listOf(inputs, [pass](const Site& input) {
    return input.pass == pass ? input.name
                              : fmt::format("{} ({})", input.name, toString(input.pass));
  });
}

std::vector<std::string> rowNames(const RunPair& pair, const std::vector<std::size_t>& rows) {
  return listOf(rows, [&](std::size_t index) { return rowAt(pair, index).site.name; });
}

void printInputs(std::ostream& out, const FirstUnequal& first, Pass pass) {
  if (isOfParameters(pass)) {
    return;
  }
  if (!first.equalInputs.empty()) {
    fmt::print(out,
               "  its inputs that agree: {}\n",
               firstNames(inputNames(first.equalInputs, pass), kNames));
  }
  if (!first.differentInputs.empty()) {
    fmt::print(out,
               "  its inputs that differ: {}\n",
               firstNames(inputNames(first.differentInputs, pass), kNames));
  }
  const bool hasOperations = !first.operations.empty() || !first.baselineOperations.empty();
  if (first.equalInputs.empty() && first.differentInputs.empty() && !hasOperations) {
    fmt::print(out, "  it is computed from none of the compared tensors\n");
  }
}

void printFirst(std::ostream& out, const RunPair& pair, const FirstUnequal& first) {
  const report::Comparison& row = rowAt(pair, first.row);
  const analysis::DifferenceNumbers numbers = analysis::numbersOf(*pair.report, row);
  fmt::print(out,
             "\nfirst difference, {}: {}\n  {} of {} elements equal; relative error {} RMS, {} at "
             "most; |d| {} on average, {} at most{}\n",
             toString(row.site.pass),
             row.site.name,
             equalShareText(numbers.equal),
             row.count,
             ratioText(numbers.rms),
             ratioText(numbers.maxRel),
             formatSignificant(numbers.meanDiff),
             formatSignificant(numbers.maxDiff),
             nonFiniteText(row));
  fmt::print(out, "{}", angleText(first));
  printOperations(
      out, first.baselineOperations, pair.baselineLabel, first.operations, pair.candidateLabel);
  printInputs(out, first, row.site.pass);
  fmt::print(out,
             "  equal before it: {}\n",
             first.equalBefore.empty() ? "nothing"
                                       : firstNames(rowNames(pair, first.equalBefore), kNames));
  if (!first.equalBehind.empty()) {
    fmt::print(out,
               "  equal all the same behind it: {}\n",
               firstNames(rowNames(pair, first.equalBehind), kNames));
  }
}

void printConsequences(std::ostream& out, const RunPair& pair, const FirstUnequal& first) {
  report::TextTable table{
      fmt::format("What follows, {}", toString(rowAt(pair, first.row).site.pass)),
      {{"tensor"}, {"equal", true}, {"RMS rel", true}, {"mean |d|", true}, {"max |d|", true}},
      {}};
  for (const std::size_t index : first.consequences) {
    const report::Comparison& row = rowAt(pair, index);
    const analysis::DifferenceNumbers numbers = analysis::numbersOf(*pair.report, row);
    table.rows.push_back({row.site.name,
                          equalShareText(numbers.equal),
                          ratioText(numbers.rms),
                          formatSignificant(numbers.meanDiff),
                          formatSignificant(numbers.maxDiff)});
  }
  if (!table.rows.empty()) {
    std::string text;
    report::appendAlignedTable(text, table);
    out << text;
  }
}

void printNotes(std::ostream& out, const RunPair& pair, const RunDifference& difference) {
  if (pair.isOfOtherTokens()) {
    fmt::print(out,
               "note: the two runs are of different tokens ({}, {}); what differs need not be due "
               "to their settings\n",
               report::shortDigest(pair.baseline.loaded.report->provenance.tokenDigest),
               report::shortDigest(pair.candidate.loaded.report->provenance.tokenDigest));
  }
  if (!difference.loneGradients.empty()) {
    fmt::print(out,
               "note: only one of the runs has a gradient of {}\n",
               firstNames(difference.loneGradients, kNames));
  }
  if (difference.sampled > 0) {
    fmt::print(
        out, "note: of {} tensors only samples were kept and compared\n", difference.sampled);
  }
  if (pair.unmatched > 0) {
    fmt::print(out, "note: {} tensors were kept by one of the runs alone\n", pair.unmatched);
  }
  if (pair.misshapen > 0) {
    fmt::print(out,
               "note: {} tensors have different shapes in the two runs and were not compared; do "
               "they have the same input?\n",
               pair.misshapen);
  }
  for (const std::string& problem : pair.problems) {
    fmt::print(out, "note: {}\n", problem);
  }
}

/// Adds the fields of a row to the object that is open.
void writeRow(json::Writer& json, const RunPair& pair, const report::Comparison& row) {
  json.field("name", row.site.name);
  json.field("pass", toString(row.site.pass));
  json.field("count", row.count);
  for (const char* id : {"equal_fraction", "rms_rel", "max_rel", "mean_abs_diff", "max_diff"}) {
    json.field(id, metricOf(*pair.report, row, id));
  }
}

void writePass(json::Writer& json,
               const RunPair& pair,
               const PassDifference& pass,
               const std::optional<FirstUnequal>& first) {
  json.field("pass", toString(pass.pass));
  json.field("tensors", pass.rows.size());
  json.field("equal", pass.equal);
  json.optionalObject(
      "first", pass.first, [&](std::size_t index) { writeRow(json, pair, rowAt(pair, index)); });
  if (first) {
    json.field("inputs_that_agree", inputNames(first->equalInputs, pass.pass));
    json.field("inputs_that_differ", inputNames(first->differentInputs, pass.pass));
    json.field("operations_of_baseline", first->baselineOperations);
    json.field("operations_of_candidate", first->operations);
    json.field("equal_before", rowNames(pair, first->equalBefore));
    json.field("equal_behind", rowNames(pair, first->equalBehind));
  }
}

}  // namespace

void printDivergence(std::ostream& out, const std::vector<RunDivergence>& traced) {
  const char* gap = "";
  for (const RunDivergence& item : traced) {
    out << gap;
    printRun(out, item);
    gap = "\n";
  }
}

std::string divergenceJson(const std::vector<RunDivergence>& traced) {
  return json::document("ulpscope.divergence/1", [&](json::Writer& json) {
    json.newLine(1);
    json.field("variants", [&] {
      for (const RunDivergence& item : traced) {
        json.newLine(2);
        json.field(item.run->name, [&] { writeRun(json, item); });
      }
      json.newLine(1);
    });
  });
}

void printDifference(std::ostream& out, const RunPair& pair, const RunDifference& difference) {
  const analysis::ExactDivergence& divergence = difference.divergence;
  if (difference.isEqual()) {
    fmt::print(out,
               "{} and {} are equal: every compared element of {} tensors\n",
               pair.candidateLabel,
               pair.baselineLabel,
               divergence.tensors());
    printNotes(out, pair, difference);
    return;
  }
  fmt::print(out,
             "{} differs from {}: {} of {} compared tensors are equal\n",
             pair.candidateLabel,
             pair.baselineLabel,
             divergence.equal(),
             divergence.tensors());
  printNotes(out, pair, difference);
  for (std::size_t i = 0; i < divergence.passes.size(); ++i) {
    const PassDifference& pass = divergence.passes.at(i);
    if (const std::optional<FirstUnequal>& first = difference.firsts[i]) {
      printFirst(out, pair, *first);
      printConsequences(out, pair, *first);
    } else if (!pass.rows.empty()) {
      fmt::print(out, "\n{}: all {} tensors equal\n", toString(pass.pass), pass.rows.size());
    }
  }
}

void writeDifference(json::Writer& json, const RunPair& pair, const RunDifference& difference) {
  const analysis::ExactDivergence& divergence = difference.divergence;
  json.newLine(1);
  json.field("baseline", pair.baselineLabel);
  json.field("candidate", pair.candidateLabel);
  json.field("is_equal", difference.isEqual());
  json.field("tensors", divergence.tensors());
  json.field("equal", divergence.equal());
  json.field("unmatched", pair.unmatched);
  json.field("of_different_shapes", pair.misshapen);
  json.field("lone_gradients", difference.loneGradients);
  json.field("of_other_tokens", pair.isOfOtherTokens());
  json.newLine(1);
  const auto write = [&](const PassDifference& pass) {
    const auto place = static_cast<std::size_t>(&pass - divergence.passes.data());
    writePass(json, pair, pass, difference.firsts[place]);
  };
  json.objects("passes", divergence.passes, write, {.items = 2, .end = 1});
  json.newLine(1);
  json.optionalObject("logits",
                      findRow(*pair.rows, "logits", Pass::Forward),
                      [&](const report::Comparison& row) { writeRow(json, pair, row); });
}

}  // namespace ulp::cli
