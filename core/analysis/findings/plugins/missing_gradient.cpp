#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Finding;
using Names = std::vector<std::string>;

std::vector<Finding> findMissingGradients(const RuleInput& input) {
  std::vector<std::pair<std::string, Names>> all;
  for (const report::Run* run : input.variants()) {
    if (!run->missingGradients.empty()) {
      all.emplace_back(run->name, run->missingGradients);
    }
  }
  return mergedFindings(
      all,
      [](const Names& names) { return names; },
      [](const FoundInRuns<Names>& found) {
        Finding finding;
        finding.severity = report::FindingSeverity::Look;
        finding.title = {ULP_TR_NOOP("%1 has no gradient for %2, which the reference has"),
                         {found.names(), namesText(found.first())}};
        finding.explanation = {
            ULP_TR_NOOP("The loss does not depend on these parameters, or they are frozen: in a "
                        "training they would stay as they are. All else that is said of the run "
                        "is said of the tensors that it has."),
            {}};
        found.tell(finding, ULP_TR_NOOP("gradients that are missing"), &Names::size);
        return finding;
      });
}

}  // namespace

void registerMissingGradient(FindingRuleRegistry& registry) {
  registry.add({.id = "missing_gradient",
                .title = ULP_TR_NOOP("Missing gradients"),
                .order = 4,
                .isPinned = true,
                .find = findMissingGradients});
}

}  // namespace ulp::analysis
