#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Finding;
using report::Run;

std::vector<Finding> findFailedRuns(const RuleInput& input) {
  std::vector<Finding> findings;
  for (const Run& run : input.report().runs) {
    if (run.status != report::RunStatus::Failed) {
      continue;
    }
    Finding finding;
    finding.severity = report::FindingSeverity::Broken;
    finding.title = {ULP_TR_NOOP("%1 failed: %2"), {run.name, failureOf(run)}};
    finding.explanation = {
        ULP_TR_NOOP("What is there of it was compared before, and says nothing of the rest. Mend "
                    "what the message says and go on with the study."),
        {}};
    finding.runs = {run.name};
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

void registerFailedRun(FindingRuleRegistry& registry) {
  registry.add({.id = "failed_run",
                .title = ULP_TR_NOOP("Failed runs"),
                .order = 2,
                .isPinned = true,
                .isForDumps = false,
                .find = findFailedRuns});
}

}  // namespace ulp::analysis
