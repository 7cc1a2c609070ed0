#include "core/comparing/verdict/dump_findings.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/comparing/verdict/token_verdict.h"

namespace ulp::analysis {
namespace {

report::Finding findingOf(const Culprit& culprit,
                          std::string rule,
                          report::Sentence explanation,
                          const std::string& run) {
  report::Finding finding{.rule = std::move(rule),
                          .severity = culprit.isBroken ? report::FindingSeverity::Broken
                                                       : report::FindingSeverity::Look,
                          .title = {"%1: %2", {culprit.name, culprit.reason}},
                          .explanation = std::move(explanation),
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

report::Finding findingOf(const UnitOutcome& unit,
                          const TokenOutcome& token,
                          const std::string& run) {
  const std::string place = describe(unit, token);
  report::Finding finding{
      .rule = "tokens",
      .severity = token.isFinite ? report::FindingSeverity::Look : report::FindingSeverity::Broken,
      .title = {"%1: the first token of this run whose logits fail", {place}},
      .explanation = token.isChoiceChanged()
                         ? report::Sentence{"The chosen token changes from %1 to %2",
                                            {std::to_string(token.baselineChoice),
                                             std::to_string(token.candidateChoice)}}
                         : report::Sentence{"The chosen token stays %1",
                                            {std::to_string(token.baselineChoice)}},
      .sites = {token.site},
      .runs = {run}};
  if (token.isFinite) {
    finding.numbers = {{"KL", token.kl, false},
                       {"KL that rounding accounts for", token.allowedKl, false}};
  } else {
    finding.explanation = {"Its logits are not finite", {}};
  }
  return finding;
}

/// Where the error of the first token that fails starts, in its own part of the network.
report::Finding findingOf(const UnitOutcome& unit,
                          const TokenOrigin& origin,
                          const std::string& run) {
  const Culprit& culprit = origin.verdict.culprits.front();
  return findingOf(culprit,
                   "token_culprit",
                   {"Where the error of %1 starts, at position %2 of its network; sureness %3: %4",
                    {describe(unit, unit.tokens[origin.token]),
                     std::to_string(origin.position),
                     std::string(toString(culprit.sureness)),
                     culprit.sureBecause}},
                   run);
}

/// Where the nearest call of a kind stands.
std::string placeOfSuspect(const Suspect& suspect) {
  if (suspect.distance == 0) {
    return suspect.name + ", here";
  }
  return fmt::format(
      "{}, {} call{} before", suspect.name, suspect.distance, suspect.distance == 1 ? "" : "s");
}

}  // namespace

std::string describe(const Suspect& suspect) {
  return fmt::format("{} ({}{}{}): {}; {}",
                     suspect.title,
                     placeOfSuspect(suspect),
                     suspect.calls > 1 ? fmt::format(", {} calls", suspect.calls) : "",
                     suspect.isCleared ? ", what it put out agrees" : "",
                     suspect.when,
                     suspect.remedy);
}

std::vector<report::Finding> findingsOf(const Verdict& verdict, const std::string& run) {
  std::vector<report::Finding> findings;
  for (const Culprit& culprit : verdict.culprits) {
    findings.push_back(findingOf(
        culprit,
        "culprit",
        {"Sureness %1: %2", {std::string(toString(culprit.sureness)), culprit.sureBecause}},
        run));
  }
  return findings;
}

std::vector<report::Finding> findingsOf(const Repeatability& repeatability,
                                        const std::string& run) {
  if (!repeatability.first || repeatability.suspects.empty()) {
    return {};
  }
  const FirstDifference& first = *repeatability.first;
  std::string suspects;
  for (const Suspect& suspect : repeatability.suspects) {
    suspects += (suspects.empty() ? "" : ". ") + describe(suspect);
  }
  report::Finding finding{
      .rule = "repeatability",
      .severity = report::FindingSeverity::Note,
      .title = {"%1: the first tensor that differs between runs of the same calls",
                {first.rowName}},
      .explanation = {"Known to be non-deterministic, at it or before: %1", {suspects}},
      .numbers = {{"equal tensors before it", static_cast<double>(first.equalBefore), false}},
      .sites = {first.site},
      .runs = {run}};
  if (std::isfinite(first.error)) {
    finding.numbers.push_back({"error", first.error, true});
  }
  return {finding};
}

report::Finding findingOf(const UnequalReplicas& replicas, const std::string& run) {
  constexpr const char* kShards = "if they are shards, a rule of 'shards' says so";
  constexpr const char* kExpected =
      "healthy ranks may differ in all of them: gradients that are not summed up yet, functions "
      "inside of parallel layers, and what data-parallel ranks make of their own data";
  return {.rule = "replicas",
          .severity =
              replicas.isExpected() ? report::FindingSeverity::Note : report::FindingSeverity::Look,
          .title = {"%1: not equal on the ranks of the %2, which should hold it alike",
                    {replicas.row, replicas.isBaseline ? "baseline" : "candidate"}},
          .explanation = {"%1; the first in order of execution; %2",
                          {replicas.difference, replicas.isExpected() ? kExpected : kShards}},
          .numbers = {{"tensors that differ", static_cast<double>(replicas.tensors), false}},
          .sites = {replicas.site},
          .runs = {run}};
}

std::vector<report::Finding> findingsOf(const UnitOutcome& unit, const std::string& run) {
  std::vector<report::Finding> findings = findingsOf(unit.verdict, run);
  for (const UnequalReplicas& replicas : unit.replicas) {
    findings.push_back(findingOf(replicas, run));
  }
  for (report::Finding& found : findingsOf(unit.repeatability, run)) {
    findings.push_back(std::move(found));
  }
  const auto off =
      std::ranges::find_if(unit.tokens, [](const TokenOutcome& token) { return token.isOff(); });
  if (off != unit.tokens.end()) {
    findings.push_back(findingOf(unit, *off, run));
  }
  if (unit.tokenOrigin && !unit.tokenOrigin->verdict.culprits.empty()) {
    findings.push_back(findingOf(unit, *unit.tokenOrigin, run));
  }
  return findings;
}

}  // namespace ulp::analysis
