#include "app/cli/print/diverge_print.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <optional>
#include <ostream>
#include <ranges>
#include <vector>

#include "core/analysis/depth/site_inputs.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/json/writer.h"
#include "core/report/tables/text_table.h"

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
               percentText(step.error),
               noteOf(item, step));
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
  const std::vector<DivergenceStep>& steps = item.trace.steps;
  const std::optional<std::size_t>& first = item.trace.first;
  json.field("first", first ? std::optional(rowOf(item, steps[*first]).site.name) : std::nullopt);
  const auto write = [&](const DivergenceStep& step) { writeStep(json, item, step); };
  const auto chain = steps | std::views::drop(first.value_or(steps.size()));
  json.objects("chain", chain, write, {.items = 3});
}

using analysis::ExactDivergence;
using analysis::PassDifference;

/// Names in one list; more are counted.
constexpr std::size_t kNames = 8;
/// Tensors behind the first difference that the table shows, and layers.
constexpr std::size_t kNextRows = 6;
/// Positions at which errors of angles are told, beside the last one of the run.
constexpr std::array<std::int64_t, 2> kPositions{127, 2047};

double metric(const RunPair& pair, const report::Comparison& row, std::string_view id) {
  return metricOf(*pair.report, row, id);
}

const report::Comparison& rowAt(const RunPair& pair, std::size_t index) {
  return pair.rows->comparisons[index];
}

std::string joinedNames(const std::vector<std::string>& names) {
  std::string text = fmt::format("{}", fmt::join(names | std::views::take(kNames), ", "));
  return names.size() > kNames ? fmt::format("{} and {} more", text, names.size() - kNames) : text;
}

std::string nonFiniteText(const report::Comparison& row) {
  if (row.referenceNonFinite == row.variantNonFinite) {
    return {};
  }
  return fmt::format(
      "; not finite: {} and {}", row.referenceNonFinite.total(), row.variantNonFinite.total());
}

/// Inverse frequencies that differ turn queries and keys by another angle, which grows with the
/// position.
std::string angleText(const RunPair& pair, const report::Comparison& row) {
  const double step = metric(pair, row, "max_diff");
  if (!row.site.name.ends_with("rotary_emb.inv_freq") || !(step > 0)) {
    return {};
  }
  std::vector<std::int64_t> positions(kPositions.begin(), kPositions.end());
  const report::Comparison* table = findRow(*pair.rows, "model.rotary_emb.cos", Pass::Forward);
  if (table != nullptr && table->shape.size() == 3) {
    positions.push_back(table->shape[1] - 1);
  }
  std::ranges::sort(positions);
  positions.erase(std::ranges::unique(positions).begin(), positions.end());
  const std::vector<std::string> texts = listOf(positions, [step](std::int64_t position) {
    return fmt::format("{} rad at position {}",
                       formatSignificant(step * static_cast<double>(position), 2),
                       position);
  });
  return fmt::format("  angles are off by up to {}\n", fmt::join(texts, ", "));
}

struct Inputs {
  std::vector<std::string> equal;
  std::vector<std::string> different;
};

Inputs inputsOf(const RunPair& pair, const Site& site) {
  Inputs inputs;
  const analysis::SiteInputs known(listOf(pair.rows->comparisons, &report::Comparison::site));
  for (const auto& [name, pass] : known.readBy(site)) {
    const report::Comparison* row = findRow(*pair.rows, name, pass);
    const std::string text =
        pass == site.pass ? name : fmt::format("{} ({})", name, toString(pass));
    (analysis::isEqual(*pair.report, *row) ? inputs.equal : inputs.different).push_back(text);
  }
  return inputs;
}

void printInputs(std::ostream& out, const RunPair& pair, const Site& site) {
  if (isOfParameters(site.pass)) {
    return;
  }
  const Inputs inputs = inputsOf(pair, site);
  if (!inputs.equal.empty()) {
    fmt::print(out, "  its inputs that agree: {}\n", joinedNames(inputs.equal));
  }
  if (!inputs.different.empty()) {
    fmt::print(out, "  its inputs that differ: {}\n", joinedNames(inputs.different));
  }
  if (inputs.equal.empty() && inputs.different.empty()) {
    fmt::print(out, "  it is computed from none of the compared tensors\n");
  }
}

/// Equal tensors of the pass before (or behind) its first difference.
std::vector<std::string> equalNames(const RunPair& pair,
                                    const PassDifference& pass,
                                    bool isBehind) {
  std::vector<std::string> names;
  for (const std::size_t index : pass.rows) {
    if ((index > *pass.first) == isBehind && index != *pass.first &&
        analysis::isEqual(*pair.report, rowAt(pair, index))) {
      names.push_back(rowAt(pair, index).site.name);
    }
  }
  return names;
}

void printFirst(std::ostream& out, const RunPair& pair, const PassDifference& pass) {
  const report::Comparison& row = rowAt(pair, *pass.first);
  fmt::print(out,
             "\nfirst difference, {}: {}\n  {} of {} elements equal; relative error {} RMS, {} at "
             "most; |d| {} on average, {} at most{}\n",
             toString(pass.pass),
             row.site.name,
             equalShare(metric(pair, row, "equal_fraction")),
             row.count,
             percentText(metric(pair, row, "rms_rel")),
             percentText(metric(pair, row, "max_rel")),
             formatSignificant(metric(pair, row, "mean_abs_diff")),
             formatSignificant(metric(pair, row, "max_diff")),
             nonFiniteText(row));
  fmt::print(out, "{}", angleText(pair, row));
  printInputs(out, pair, row.site);
  const std::vector<std::string> before = equalNames(pair, pass, false);
  const std::vector<std::string> behind = equalNames(pair, pass, true);
  fmt::print(out, "  equal before it: {}\n", before.empty() ? "nothing" : joinedNames(before));
  if (!behind.empty()) {
    fmt::print(out, "  equal all the same behind it: {}\n", joinedNames(behind));
  }
}

/// The next that differ, layers in between, and the last of the pass.
std::vector<std::size_t> consequences(const RunPair& pair, const PassDifference& pass) {
  std::vector<std::size_t> shown;
  std::vector<std::size_t> layers;
  for (const std::size_t index : pass.rows) {
    const report::Comparison& row = rowAt(pair, index);
    if (index <= *pass.first || analysis::isEqual(*pair.report, row)) {
      continue;
    }
    if (shown.size() < kNextRows) {
      shown.push_back(index);
    } else if (row.site.level == Level::Layer) {
      layers.push_back(index);
    }
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool isInner = i > 0 && i + 1 < layers.size() && rowAt(pair, layers[i]).site.layer >= 0;
    // Every fourth layer is enough to see an error grow.
    if (!isInner || rowAt(pair, layers[i]).site.layer % 4 == 0) {
      shown.push_back(layers[i]);
    }
  }
  return shown;
}

void printConsequences(std::ostream& out, const RunPair& pair, const PassDifference& pass) {
  report::TextTable table{
      fmt::format("What follows, {}", toString(pass.pass)),
      {{"tensor"}, {"equal", true}, {"RMS rel", true}, {"mean |d|", true}, {"max |d|", true}},
      {}};
  for (const std::size_t index : consequences(pair, pass)) {
    const report::Comparison& row = rowAt(pair, index);
    table.rows.push_back({row.site.name,
                          equalShare(metric(pair, row, "equal_fraction")),
                          percentText(metric(pair, row, "rms_rel")),
                          formatSignificant(metric(pair, row, "mean_abs_diff")),
                          formatSignificant(metric(pair, row, "max_diff"))});
  }
  if (!table.rows.empty()) {
    std::string text;
    report::appendAlignedTable(text, table);
    out << text;
  }
}

void printNotes(std::ostream& out, const RunPair& pair) {
  if (const auto samples = std::ranges::count_if(pair.rows->comparisons, isOfSamples);
      samples > 0) {
    fmt::print(out, "note: of {} tensors only samples were kept and compared\n", samples);
  }
  if (pair.unmatched > 0) {
    fmt::print(out, "note: {} tensors were kept by one of the runs alone\n", pair.unmatched);
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
    json.field(id, metric(pair, row, id));
  }
}

void writePass(json::Writer& json, const RunPair& pair, const PassDifference& pass) {
  json.field("pass", toString(pass.pass));
  json.field("tensors", pass.rows.size());
  json.field("equal", pass.equal);
  json.optionalObject(
      "first", pass.first, [&](std::size_t first) { writeRow(json, pair, rowAt(pair, first)); });
  if (pass.first) {
    const Inputs inputs = inputsOf(pair, rowAt(pair, *pass.first).site);
    json.field("inputs_that_agree", inputs.equal);
    json.field("inputs_that_differ", inputs.different);
    json.field("equal_before", equalNames(pair, pass, false));
    json.field("equal_behind", equalNames(pair, pass, true));
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

const report::Comparison* findRow(const report::Run& run, std::string_view name, Pass pass) {
  const auto found = std::ranges::find_if(run.comparisons, [&](const report::Comparison& row) {
    return row.site.name == name && row.site.pass == pass;
  });
  return found == run.comparisons.end() ? nullptr : &*found;
}

double metricOf(const report::Report& report, const report::Comparison& row, std::string_view id) {
  const int column = report.metricIndex(id);
  return column < 0 ? std::numeric_limits<double>::quiet_NaN()
                    : row.metrics.at(static_cast<std::size_t>(column));
}

bool isOfSamples(const report::Comparison& row) {
  const std::uint64_t lost = row.referenceNonFinite.total() + row.variantNonFinite.total();
  return row.compared + lost < row.count;
}

std::string percentText(double ratio) {
  return std::isfinite(ratio) ? formatPercent(ratio) + " %" : formatSignificant(ratio);
}

std::string equalShare(double share) {
  const std::string text = percentText(share);
  if (share < 1 && text.starts_with("100")) {
    return "< 100 %";
  }
  return share == 1 ? "100 %" : text;
}

void printDifference(std::ostream& out, const RunPair& pair, const ExactDivergence& divergence) {
  if (!divergence.first) {
    fmt::print(out,
               "{} and {} are equal: every compared element of {} tensors\n",
               pair.candidateLabel,
               pair.baselineLabel,
               divergence.tensors());
    printNotes(out, pair);
    return;
  }
  fmt::print(out,
             "{} differs from {}: {} of {} compared tensors are equal\n",
             pair.candidateLabel,
             pair.baselineLabel,
             divergence.equal(),
             divergence.tensors());
  printNotes(out, pair);
  for (const PassDifference& pass : divergence.passes) {
    if (pass.first) {
      printFirst(out, pair, pass);
      if (!isOfParameters(pass.pass)) {
        printConsequences(out, pair, pass);
      }
    } else if (!pass.rows.empty()) {
      fmt::print(out, "\n{}: all {} tensors equal\n", toString(pass.pass), pass.rows.size());
    }
  }
}

void writeDifference(json::Writer& json, const RunPair& pair, const ExactDivergence& divergence) {
  json.newLine(1);
  json.field("baseline", pair.baselineLabel);
  json.field("candidate", pair.candidateLabel);
  json.field("is_equal", !divergence.first);
  json.field("tensors", divergence.tensors());
  json.field("equal", divergence.equal());
  json.field("unmatched", pair.unmatched);
  json.newLine(1);
  const auto write = [&](const PassDifference& pass) { writePass(json, pair, pass); };
  json.objects("passes", divergence.passes, write, {.items = 2, .end = 1});
  json.newLine(1);
  json.optionalObject("logits",
                      findRow(*pair.rows, "logits", Pass::Forward),
                      [&](const report::Comparison& row) { writeRow(json, pair, row); });
}

}  // namespace ulp::cli
