#include "core/comparing/verdict/token_finding.h"

#include <cmath>

#include "core/comparing/verdict/token_verdict.h"

namespace ulp::analysis {

std::optional<report::Finding> findingOfToken(const UnitOutcome& unit, const std::string& run) {
  const auto& origin = unit.tokenOrigin;
  if (!origin || origin->verdict.culprits.empty()) {
    return std::nullopt;
  }
  const Culprit& culprit = origin->verdict.culprits.front();
  report::Finding finding{
      .rule = "token_culprit",
      .severity =
          culprit.isBroken ? report::FindingSeverity::Broken : report::FindingSeverity::Look,
      .title = {"%1: %2", {culprit.name, culprit.reason}},
      .explanation = {"Where the error of %1 starts, at position %2 of its network; sureness %3: "
                      "%4",
                      {describe(unit, unit.tokens[origin->token]),
                       std::to_string(origin->position),
                       std::string(toString(culprit.sureness)),
                       culprit.sureBecause}},
      .sites = {culprit.site},
      .runs = {run}};
  if (!std::isnan(culprit.error)) {
    finding.numbers.push_back({"error", culprit.error, true});
  }
  if (std::isfinite(culprit.carried)) {
    finding.numbers.push_back({"carried in", culprit.carried, true});
  }
  return finding;
}

}  // namespace ulp::analysis
