#include <algorithm>
#include <cmath>

#include "core/analysis/depth/divergence.h"
#include "core/analysis/depth/divergence_origin.h"
#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Finding;

struct FirstDivergence {
  const report::Comparison* row = nullptr;
  DivergenceStep step;
  std::string format;
  std::size_t madeLater = 0;
  bool hasGraph = false;
  DivergenceOrigin origin;

  [[nodiscard]] std::string router() const {
    return origin.router == nullptr ? std::string() : origin.router->router;
  }
};

double errorOf(const FirstDivergence& found) {
  return found.step.error;
}
double carriedInto(const FirstDivergence& found) {
  return found.step.carried;
}
double expectedOf(const FirstDivergence& found) {
  return found.step.expected;
}

double flippedShareOf(const FirstDivergence& found) {
  return found.origin.router->flippedShare();
}

report::Sentence namesOrNothing(const std::vector<std::string>& names) {
  return names.empty() ? report::Sentence{ULP_TR_NOOP("nothing"), {}}
                       : report::Sentence(namesText(names));
}

report::Sentence titleOf(const FoundInRuns<FirstDivergence>& found) {
  const FirstDivergence& first = found.first();
  const std::string place = placeText(first.row->site);
  if (first.origin.hasOtherOperations()) {
    return {ULP_TR_NOOP("First divergence at %2, made by another operation: %3 in the reference, "
                        "%4 here. The error is %5 (%1)"),
            {found.names(),
             place,
             namesOrNothing(first.origin.baselineOperations),
             namesOrNothing(first.origin.operations),
             found.percents(errorOf)}};
  }
  if (first.origin.router != nullptr) {
    return {ULP_TR_NOOP("First divergence at %2, since %5 chose other experts for %6 of the "
                        "tokens: %3 where %4 came in (%1)"),
            {found.names(),
             place,
             found.percents(errorOf),
             found.percents(carriedInto),
             first.router(),
             found.percents(flippedShareOf)}};
  }
  return {first.step.isOfZero
              ? ULP_TR_NOOP("First divergence at %2, which is 0 in the reference: %3 of what it "
                            "reads, where %4 came in (%1)")
              : ULP_TR_NOOP("First divergence at %2: %3 where %4 came in (%1)"),
          {found.names(), place, found.percents(errorOf), found.percents(carriedInto)}};
}

Finding findingOf(const RuleInput& input, const FoundInRuns<FirstDivergence>& found) {
  const Site& site = found.first().row->site;
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.sites = {site};
  finding.title = titleOf(found);
  finding.explanation = {
      isOfParameters(site.pass)
          ? ULP_TR_NOOP(
                "No activation and no gradient of one makes an error of its own. This is the first "
                "gradient of a parameter, or what an optimizer makes of it, whose error is more "
                "than %1 times what they carry: eight times the largest error among them, since "
                "sums over all tokens cancel. Here %2 against %3, with the unit round-off of %4. "
                "Later tensors that exceed it as well: %5.")
      : found.first().hasGraph
          ? ULP_TR_NOOP(
                "The first tensor in order of execution whose relative error is more than %1 times "
                "the square root of (carried error² + unit round-off²). Carried is the largest "
                "error among the tensors that it was made from, as the run recorded them. Here %2 "
                "against %3, with the unit round-off of %4. Later tensors that exceed it as "
                "well: %5.")
          : ULP_TR_NOOP("The first tensor in order of execution whose relative error is more than "
                        "%1 times the "
                        "square root of (carried error² + unit round-off²). Carried is the largest "
                        "error among "
                        "the row before, the last layer's output, backward the forward tensor of "
                        "the same name "
                        "and, of an operation, its inputs, since a report holds no graph. Here %2 "
                        "against %3, "
                        "with the unit round-off of %4. Later tensors that exceed it as well: %5."),
      {numberText(input.threshold("first_divergence.excess")),
       found.percents(errorOf),
       found.percents(expectedOf),
       found.first().format,
       found.numbers(&FirstDivergence::madeLater)}};
  found.tell(finding, ULP_TR_NOOP("error"), errorOf, true);
  found.tell(finding, ULP_TR_NOOP("carried in"), carriedInto, true);
  found.tell(finding, ULP_TR_NOOP("expected"), expectedOf, true);
  found.tell(
      finding, ULP_TR_NOOP("excess"), [](const FirstDivergence& one) { return one.step.excess; });
  if (const report::RouterChoice* router = found.first().origin.router) {
    found.tell(finding, ULP_TR_NOOP("flipped tokens"), flippedShareOf, true);
    found.tell(
        finding,
        ULP_TR_NOOP("error of flipped tokens"),
        [](const FirstDivergence& one) { return one.origin.router->other.relative(); },
        true);
    found.tell(
        finding,
        ULP_TR_NOOP("error of the other tokens"),
        [](const FirstDivergence& one) { return one.origin.router->same.relative(); },
        true);
    if (const auto* row =
            forwardRow(*input.report().findRun(found.runs().front()), router->router)) {
      finding.sites.push_back(row->site);
    }
    return finding;
  }
  // A layer's output is the residual stream, which has a precision of its own. It makes no other
  // operation the same.
  if (site.layer >= 0 && !found.first().origin.hasOtherOperations()) {
    finding.overrides = input.widened(found.runs().front(), "precision.residual_dtype");
  }
  return finding;
}

std::vector<Finding> findFirstDivergences(const RuleInput& input) {
  std::vector<std::pair<std::string, FirstDivergence>> all;
  for (const report::Run* run : input.variants()) {
    const FormatLimits* format = input.coarsestFormat(*run);
    if (format == nullptr) {
      continue;
    }
    const Divergence trace = traceDivergence(
        input.report(), *run, {input.threshold("first_divergence.excess"), format->roundOff});
    const auto counts = [&](const DivergenceStep& step) {
      return step.isMade && !input.isNoise(run->comparisons[step.comparison]);
    };
    const auto first = std::ranges::find_if(trace.steps, counts);
    // Where numbers stop being finite another rule speaks.
    if (first == trace.steps.end() || std::isinf(first->excess)) {
      continue;
    }
    const auto later = std::count_if(first + 1, trace.steps.end(), counts);
    all.push_back({run->name,
                   {&run->comparisons[first->comparison],
                    *first,
                    std::string(format->name),
                    static_cast<std::size_t>(later),
                    !run->graph.isEmpty(),
                    originOf(input.report(), *run, run->comparisons[first->comparison])}});
  }
  return mergedFindings(
      all,
      [](const FirstDivergence& item) {
        return std::tuple(item.row->site,
                          item.format,
                          item.step.isOfZero,
                          item.origin.baselineOperations,
                          item.origin.operations,
                          item.router());
      },
      [&](const auto& found) { return findingOf(input, found); });
}

}  // namespace

void registerFirstDivergence(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "first_divergence",
       .title = ULP_TR_NOOP("First divergence"),
       .order = 10,
       .isPinned = true,
       .isForDumps = false,
       .isOfDivergence = true,
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
