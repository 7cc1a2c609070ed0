#include <algorithm>
#include <cmath>

#include "core/analysis/depth/divergence.h"
#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Finding;

struct FirstDivergence {
  const report::Comparison* row = nullptr;
  DivergenceStep step;
  std::string format;
  std::size_t madeLater = 0;
};

Finding findingOf(const RuleInput& input,
                  const FirstDivergence& found,
                  const std::vector<std::string>& runs) {
  const DivergenceStep& step = found.step;
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.sites = {found.row->site};
  finding.title = {ULP_TR_NOOP("First divergence at %2: %3 where %4 came in (%1)"),
                   {namesText(runs),
                    placeText(found.row->site),
                    percentText(step.error),
                    percentText(step.carried)}};
  finding.explanation = {
      ULP_TR_NOOP(
          "The first tensor in order of execution whose relative error is more than %1 times the "
          "square root of (carried error² + unit round-off²). Carried is the largest error among "
          "the row before, the last layer's output, backward the forward tensor of the same name "
          "and, of an operation, its inputs, since a report holds no graph. Here %2 against %3, "
          "with the unit round-off of %4. %5 later tensors exceed it as well."),
      {numberText(input.threshold("first_divergence.excess")),
       percentText(step.error),
       percentText(step.expected),
       found.format,
       std::to_string(found.madeLater)}};
  finding.numbers = {{ULP_TR_NOOP("error"), step.error, true},
                     {ULP_TR_NOOP("carried in"), step.carried, true},
                     {ULP_TR_NOOP("expected"), step.expected, true},
                     {ULP_TR_NOOP("excess"), step.excess}};
  // A layer's output is the residual stream, which has a precision of its own.
  if (found.row->site.layer >= 0) {
    finding.overrides = input.widened(runs.front(), "precision.residual_dtype");
  }
  return finding;
}

std::vector<Finding> findFirstDivergences(const RuleInput& input) {
  std::vector<std::pair<std::string, FirstDivergence>> all;
  for (const report::Run* run : input.variants()) {
    const FormatLimits* format = RuleInput::coarsestFormat(*run);
    if (format == nullptr) {
      continue;
    }
    const Divergence trace = traceDivergence(
        input.report(), *run, {input.threshold("first_divergence.excess"), format->roundOff});
    // Where numbers stop being finite another rule speaks.
    if (!trace.first || std::isinf(trace.steps[*trace.first].excess)) {
      continue;
    }
    const auto made =
        std::ranges::count_if(trace.steps, [](const DivergenceStep& step) { return step.isMade; });
    const DivergenceStep& first = trace.steps[*trace.first];
    all.push_back({run->name,
                   {&run->comparisons[first.comparison],
                    first,
                    std::string(format->name),
                    static_cast<std::size_t>(made) - 1}});
  }
  return mergedFindings(
      all,
      [](const FirstDivergence& item) { return item.row->site; },
      [&](const auto& found, const auto& runs) { return findingOf(input, found, runs); });
}

}  // namespace

void registerFirstDivergence(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "first_divergence",
       .title = ULP_TR_NOOP("First divergence"),
       .order = 10,
       .isPinned = true,
       .isForDumps = false,
       .thresholds = {{.id = "first_divergence.excess",
                       .label = ULP_TR_NOOP("Excess over carried error and round-off"),
                       .help = ULP_TR_NOOP("How many times the error of a tensor may exceed what "
                                           "its inputs and the format account for"),
                       .value = 2,
                       .minimum = 1,
                       .maximum = 1000}},
       .find = findFirstDivergences});
}

}  // namespace ulp::analysis
