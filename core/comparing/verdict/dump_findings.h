#pragma once

#include <string>
#include <vector>

#include "core/comparing/origin/culprit.h"
#include "core/comparing/origin/repeatability.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/report/model/finding.h"

/// What comparing a pair of units came to, as findings of the report's run `run`.
namespace ulp::analysis {

/// Rule "culprit".
[[nodiscard]] std::vector<report::Finding> findingsOf(const Verdict& verdict,
                                                      const std::string& run);
/// Rule "repeatability": of a run that looks repeated, differs, and has suspects.
[[nodiscard]] std::vector<report::Finding> findingsOf(const Repeatability& repeatability,
                                                      const std::string& run);

/// Rule "replicas".
[[nodiscard]] report::Finding findingOf(const UnequalReplicas& replicas, const std::string& run);

/// All of these, what the logits came to (rule "tokens"), and where the error of the first token of
/// the unit that fails starts in its own part of the network (rule "token_culprit"): unless no
/// token fails, the unit holds that token alone (its culprit is the unit's), or its own culprit is
/// not known.
[[nodiscard]] std::vector<report::Finding> findingsOf(const UnitOutcome& unit,
                                                      const std::string& run);

/// "scatter_add (Torch.scatter_add.3.forward): adds …; remedy: …".
[[nodiscard]] std::string describe(const Suspect& suspect);

}  // namespace ulp::analysis
