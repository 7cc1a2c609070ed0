#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;

struct HeadInput {
  const Comparison* norm = nullptr;
  const Comparison* logits = nullptr;
};

std::vector<Finding> findDominantHeads(const RuleInput& input) {
  const double factor = input.threshold("lm_head_dominates.factor");
  std::vector<std::pair<std::string, HeadInput>> all;
  for (const report::Run* run : input.variants()) {
    const HeadInput found{forwardRow(*run, "norm"), forwardRow(*run, "logits")};
    const bool hasBoth = found.norm != nullptr && found.logits != nullptr;
    if (hasBoth && input.relative(*found.logits) > 0 &&
        input.relative(*found.logits) >= factor * input.relative(*found.norm)) {
      all.emplace_back(run->name, found);
    }
  }
  return mergedFindings(
      all,
      [](const HeadInput& item) { return item.logits->site; },
      [&](const auto& found) {
        const auto before = [&](const HeadInput& item) { return input.relative(*item.norm); };
        const auto here = [&](const HeadInput& item) { return input.relative(*item.logits); };
        Finding finding;
        finding.severity = report::FindingSeverity::Look;
        finding.sites = {found.first().logits->site, found.first().norm->site};
        finding.title = {ULP_TR_NOOP("The LM head makes most of the error of the logits of %1: %2 "
                                     "after %3 at the final norm"),
                         {found.names(), found.percents(here), found.percents(before)}};
        finding.explanation = {
            ULP_TR_NOOP("The relative error of the logits is at least %1 times that of the final "
                        "norm's output, which the head multiplies."),
            {numberText(factor)}};
        found.tell(finding, ULP_TR_NOOP("final norm"), before, true);
        found.tell(finding, ULP_TR_NOOP("logits"), here, true);
        finding.overrides = input.widened(found.runs().front(), "precision.lm_head_dtype");
        return finding;
      });
}

}  // namespace

void registerLmHeadDominates(FindingRuleRegistry& registry) {
  registry.add(
      {.id = "lm_head_dominates",
       .title = ULP_TR_NOOP("LM head dominates"),
       .order = 35,
       .thresholds = {{.id = "lm_head_dominates.factor",
                       .label = ULP_TR_NOOP("Error of the logits over that of the final norm"),
                       .help = ULP_TR_NOOP("From here on the head is named as the origin"),
                       .value = 2,
                       .minimum = 1,
                       .maximum = 1000}},
       .find = findDominantHeads});
}

}  // namespace ulp::analysis
