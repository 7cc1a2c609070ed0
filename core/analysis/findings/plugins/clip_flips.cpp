#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::ClipSummary;
using report::Finding;

double shareOf(const ClipSummary& clips) {
  return static_cast<double>(*clips.flips) / static_cast<double>(clips.count);
}

/// The term of a loss whose decisions flip most; null: none was made against a reference.
const report::LossTermSummary* worstTerm(const report::Run& run) {
  const report::LossTermSummary* worst = nullptr;
  for (const report::LossTermSummary& term : run.step.terms) {
    const bool isKnown = term.clips && term.clips->flips && term.clips->count > 0;
    if (isKnown && (worst == nullptr || shareOf(*term.clips) > shareOf(*worst->clips))) {
      worst = &term;
    }
  }
  return worst;
}

Finding findingOf(const RuleInput& input,
                  const report::Run& run,
                  const report::LossTermSummary& term) {
  const ClipSummary& clips = *term.clips;
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.sites = logitsOf(run);
  finding.title = {clips.unit == "token"
                       ? ULP_TR_NOOP("%1 decides otherwise than the reference on %2 of %3 tokens "
                                     "(%4) whether %5 clips them")
                       : ULP_TR_NOOP("%1 decides otherwise than the reference on %2 of %3 "
                                     "documents (%4) whether %5 clips them"),
                   {run.name,
                    std::to_string(*clips.flips),
                    std::to_string(clips.count),
                    percentText(shareOf(clips)),
                    term.type}};
  finding.explanation = {
      ULP_TR_NOOP("The ratio of new to old probability lies in another region (below, within, "
                  "above the clip range) than in the reference for at least %1 of them, by the "
                  "error of the log-probabilities alone. Where that changes which of them send a "
                  "gradient, the update is another one."),
      {percentText(input.threshold("clip_flips.share"))}};
  finding.numbers = {{ULP_TR_NOOP("flips"), static_cast<double>(*clips.flips)},
                     {ULP_TR_NOOP("share of the decisions"), shareOf(clips), true}};
  if (clips.gradientFlips) {
    finding.numbers.push_back(
        {ULP_TR_NOOP("with a gradient in one alone"), static_cast<double>(*clips.gradientFlips)});
  }
  finding.runs = {run.name};
  return finding;
}

std::vector<Finding> findClipFlips(const RuleInput& input) {
  std::vector<Finding> findings;
  for (const report::Run* run : input.variants()) {
    const report::LossTermSummary* term = worstTerm(*run);
    const bool isFound = run->status == report::RunStatus::Finished && term != nullptr &&
                         *term->clips->flips > 0 &&
                         shareOf(*term->clips) >= input.threshold("clip_flips.share");
    if (isFound) {
      findings.push_back(findingOf(input, *run, *term));
    }
  }
  return findings;
}

}  // namespace

void registerClipFlips(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "clip_flips",
       .title = ULP_TR_NOOP("Clip decisions that flip"),
       .order = 62,
       .thresholds =
           {{.id = "clip_flips.share",
             .label = ULP_TR_NOOP("Share of the decisions"),
             .help = ULP_TR_NOOP(
                 "Runs in which this share of the clip decisions differs from the reference's"),
             .value = 0.005,
             .maximum = 1}},
       .find = findClipFlips});
}

}  // namespace ulp::analysis
