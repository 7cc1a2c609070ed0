#include "app/cli/print/diverge_print.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <iterator>
#include <optional>
#include <ostream>
#include <ranges>

#include "app/cli/print/difference_print.h"
#include "core/base/text/format_number.h"
#include "core/json/writer.h"

namespace ulp::cli {
namespace {

using analysis::DivergenceStep;

const report::Comparison& rowOf(const RunDivergence& item, const DivergenceStep& step) {
  return item.run->comparisons[step.comparison];
}

/// What the reader follows: tensors that make errors, and how they travel from layer to layer.
bool isInChain(const RunDivergence& item, const DivergenceStep& step) {
  const report::Comparison& row = rowOf(item, step);
  return step.isMade || row.site.level == Level::Layer || row.variantNonFinite.total() > 0;
}

std::string noteOf(const RunDivergence& item, const DivergenceStep& step) {
  const report::Comparison& row = rowOf(item, step);
  std::string note = step.isMade ? fmt::format("made here, {} times what was expected",
                                               formatSignificant(step.excess, 2))
                                 : std::string("carried");
  if (row.variantNonFinite.total() > 0) {
    note += fmt::format("; {} of {} not finite", row.variantNonFinite.total(), row.count);
  }
  return note;
}

void printRun(std::ostream& out, const RunDivergence& item) {
  const analysis::Divergence& trace = item.trace;
  if (!trace.first) {
    fmt::print(out,
               "{}: does not diverge: no error of {} tensors exceeds {} times what came in and one "
               "rounding of {}\n",
               item.run->name,
               trace.steps.size(),
               fmt::format("{:g}", item.limits.excess),
               item.format.empty() ? "an unknown format" : item.format);
    return;
  }
  const DivergenceStep& first = trace.steps[*trace.first];
  const Site& site = rowOf(item, first).site;
  fmt::print(out,
             "{}: first diverges at {}, {}: {} where {} came in and {} was expected in {}\n",
             item.run->name,
             site.name,
             toString(site.pass),
             percentText(first.error),
             percentText(first.carried),
             percentText(first.expected),
             item.format.empty() ? "an unknown format" : item.format);
  std::vector<DivergenceStep> chain;
  std::copy_if(trace.steps.begin() + static_cast<std::ptrdiff_t>(*trace.first),
               trace.steps.end(),
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
               percentText(step.error),
               noteOf(item, step));
  }
}

void writeStep(json::Writer& json, const RunDivergence& item, const DivergenceStep& step) {
  const report::Comparison& row = rowOf(item, step);
  json.newLine(3);
  json.beginObject();
  json.field("name", row.site.name);
  json.field("pass", toString(row.site.pass));
  json.field("error", step.error);
  json.field("carried", step.carried);
  json.field("expected", step.expected);
  json.field("excess", step.excess);
  json.field("made", step.isMade);
  json.field("nonfinite", row.variantNonFinite.total());
  json.endObject();
}

}  // namespace

void printDivergence(std::ostream& out, const std::vector<RunDivergence>& traced) {
  bool isFirst = true;
  for (const RunDivergence& item : traced) {
    fmt::print(out, "{}", isFirst ? "" : "\n");
    printRun(out, item);
    isFirst = false;
  }
}

std::string divergenceJson(const std::vector<RunDivergence>& traced) {
  json::Writer json;
  json.beginObject();
  json.newLine(1);
  json.field("schema", "ulpscope.divergence/1");
  json.newLine(1);
  json.key("variants");
  json.beginObject();
  for (const RunDivergence& item : traced) {
    json.newLine(2);
    json.key(item.run->name);
    json.beginObject();
    json.field("format", item.format);
    json.field("excess", item.limits.excess);
    json.field("round_off", item.limits.roundOff);
    const std::vector<DivergenceStep>& steps = item.trace.steps;
    const std::optional<std::size_t>& first = item.trace.first;
    json.field("first", first ? std::optional(rowOf(item, steps[*first]).site.name) : std::nullopt);
    json.list("chain",
              steps | std::views::drop(first.value_or(steps.size())),
              [&](const DivergenceStep& step) { writeStep(json, item, step); });
    json.endObject();
  }
  json.newLine(1);
  json.endObject();
  json.newLine(0);
  json.endObject();
  return std::move(json).take() + "\n";
}

}  // namespace ulp::cli
