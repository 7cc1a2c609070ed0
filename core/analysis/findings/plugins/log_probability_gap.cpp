#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Finding;
using report::LogProbabilityError;

Finding findingOf(const RuleInput& input, const report::Run& run) {
  const LogProbabilityError& error = *run.logProbabilities;
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.sites = logitsOf(run);
  finding.title = {
      ULP_TR_NOOP("%1 gives the chosen tokens other log-probabilities than the reference: RMS %2, "
                  "at most %3, in nats, and %4 of the tokens above %5"),
      {run.name,
       numberText(error.rms),
       numberText(error.largest),
       percentText(error.shareAbove),
       numberText(error.epsilon)}};
  finding.explanation = {
      ULP_TR_NOOP("The RMS of the differences is at least %1 nats. A difference of d multiplies "
                  "the probability of a token by exp(d): where one engine samples and another "
                  "trains, their ratio is off by that much before anything is learnt."),
      {numberText(input.threshold("log_probability_gap.rms"))}};
  finding.numbers = {{ULP_TR_NOOP("RMS of the differences"), error.rms},
                     {ULP_TR_NOOP("mean of the differences"), error.mean},
                     {ULP_TR_NOOP("mean of their magnitudes"), error.meanAbsolute},
                     {ULP_TR_NOOP("largest difference"), error.largest},
                     {ULP_TR_NOOP("tokens above epsilon"), error.shareAbove, true}};
  if (error.positions != 0) {
    finding.numbers.push_back({ULP_TR_NOOP("same most likely token"), error.topAgreement(), true});
  }
  finding.runs = {run.name};
  return finding;
}

std::vector<Finding> findLogProbabilityGaps(const RuleInput& input) {
  const double limit = input.threshold("log_probability_gap.rms");
  std::vector<Finding> findings;
  for (const report::Run* run : input.variants()) {
    const bool isKnown = run->status == report::RunStatus::Finished && run->logProbabilities;
    // Without a single finite token there is a finding on what is not finite.
    if (isKnown && run->logProbabilities->rms >= limit) {
      findings.push_back(findingOf(input, *run));
    }
  }
  return findings;
}

}  // namespace

void registerLogProbabilityGap(FindingRuleRegistry& registry) {
  registry.add({.id = "log_probability_gap",
                .title = ULP_TR_NOOP("Log-probabilities that are far off"),
                .order = 61,
                .thresholds = {{.id = "log_probability_gap.rms",
                                .label = ULP_TR_NOOP("RMS of the differences"),
                                .help = ULP_TR_NOOP(
                                    "Runs whose log-probabilities of the chosen tokens differ from "
                                    "the reference's by this much or more, in nats"),
                                .value = 0.05,
                                .maximum = 100}},
                .find = findLogProbabilityGaps});
}

}  // namespace ulp::analysis
