#include <cmath>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/text/format_number.h"

namespace ulp::analysis {

namespace {

using report::Finding;

Finding findingOf(const RuleInput& input, const report::Run& run, double reference) {
  const double change = std::abs(run.loss - reference) / std::abs(reference);
  const double limit = input.threshold("loss_change.share");
  constexpr double kSevere = 10;
  Finding finding;
  const bool isBroken = !std::isfinite(run.loss) || change >= kSevere * limit;
  finding.severity = isBroken ? report::FindingSeverity::Broken : report::FindingSeverity::Look;
  finding.sites = logitsOf(run);
  finding.title =
      std::isfinite(run.loss)
          ? report::Sentence{ULP_TR_NOOP("The loss of %1 differs by %2: %3 against %4"),
                             {run.name,
                              percentText(change),
                              formatSignificant(run.loss, 7),
                              formatSignificant(reference, 7)}}
          : report::Sentence{
                ULP_TR_NOOP("The loss of %1 is %2; the reference has %3"),
                {run.name, formatSignificant(run.loss, 7), formatSignificant(reference, 7)}};
  finding.explanation = {ULP_TR_NOOP("The loss differs from the reference's by at least %1 of it; "
                                     "from %2 on it counts as broken."),
                         {percentText(limit), percentText(kSevere * limit)}};
  finding.numbers = {{ULP_TR_NOOP("loss"), run.loss},
                     {ULP_TR_NOOP("loss of the reference"), reference}};
  if (std::isfinite(change)) {
    finding.numbers.push_back({ULP_TR_NOOP("change"), change, true});
  }
  finding.runs = {run.name};
  return finding;
}

std::vector<Finding> findLossChanges(const RuleInput& input) {
  std::vector<Finding> findings;
  for (const report::Run* run : input.variants()) {
    const report::Run* reference = input.report().referenceOf(*run);
    const bool isKnown = reference != nullptr && reference->hasLoss;
    if (!isKnown || !std::isfinite(reference->loss) || reference->loss == 0) {
      continue;
    }
    const bool isDone = run->hasLoss && run->status == report::RunStatus::Finished;
    const double change = std::abs(run->loss - reference->loss) / std::abs(reference->loss);
    if (isDone && !(change < input.threshold("loss_change.share"))) {
      findings.push_back(findingOf(input, *run, reference->loss));
    }
  }
  return findings;
}

}  // namespace

void registerLossChange(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "loss_change",
       .title = ULP_TR_NOOP("Change of the loss"),
       .order = 60,
       .thresholds = {{.id = "loss_change.share",
                       .label = ULP_TR_NOOP("Relative change of the loss"),
                       .help = ULP_TR_NOOP("Losses that differ by this part of the reference's"),
                       .value = 0.001,
                       .minimum = 1e-9,
                       .maximum = 1}},
       .find = findLossChanges});
}

}  // namespace ulp::analysis
