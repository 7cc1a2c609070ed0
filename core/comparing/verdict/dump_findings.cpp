#include "core/comparing/verdict/dump_findings.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/format_number.h"

namespace ulp::analysis {
namespace {

const TokenOutcome& tokenAt(const std::vector<UnitOutcome>& units, const TokenPlace& place) {
  return units[place.unit].tokens[place.token];
}

/// Where a token stands among all, by what is compared first; the last two make it one of a kind.
struct TokenKey {
  std::int64_t step = 0;
  /// Sequences: numbers by their value, then what has a name.
  bool isNamed = false;
  std::size_t length = 0;
  std::string_view sequence;
  std::int64_t token = 0;
  std::size_t position = 0;
  std::int64_t rank = 0;
  std::size_t unitIndex = 0;
  std::size_t tokenIndex = 0;

  friend auto operator<=>(const TokenKey&,
                          const TokenKey&) = default;  // NOLINT(modernize-use-nullptr)
};

TokenKey keyOf(const std::vector<UnitOutcome>& units, const TokenPlace& place) {
  const TokenOutcome& token = tokenAt(units, place);
  const std::optional<UnitAxes>& axes = units[place.unit].run.axes;
  return {.step = axes ? axes->step.value_or(0) : 0,
          .isNamed = token.sequence.find('/') != std::string::npos,
          .length = token.sequence.size(),
          .sequence = token.sequence,
          .token = token.token,
          .position = token.position.value_or(0),
          .rank = axes ? axes->rank.value_or(0) : 0,
          .unitIndex = place.unit,
          .tokenIndex = place.token};
}

template <class Use>
void eachToken(const std::vector<UnitOutcome>& units, const Use& use) {
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    for (std::size_t token = 0; token < units[unit].tokens.size(); ++token) {
      use(TokenPlace{unit, token});
    }
  }
}

template <class Fits>
std::optional<TokenPlace> firstWhere(const std::vector<UnitOutcome>& units, const Fits& fits) {
  std::optional<TokenKey> first;
  eachToken(units, [&](const TokenPlace& place) {
    if (!fits(tokenAt(units, place))) {
      return;
    }
    const TokenKey key = keyOf(units, place);
    if (!first || key < *first) {
      first = key;
    }
  });
  return first ? std::optional(TokenPlace{first->unitIndex, first->tokenIndex}) : std::nullopt;
}

std::string amountOf(const TokenOutcome& token) {
  if (!token.isFinite) {
    return "its logits are not finite";
  }
  return fmt::format("KL {} nats, where rounding accounts for {}",
                     formatSignificant(token.kl),
                     formatSignificant(token.allowedKl));
}

std::string choiceOf(const TokenOutcome& token) {
  if (!token.isFinite) {
    return "no token can be chosen";
  }
  if (!token.isChoiceChanged()) {
    return fmt::format("the chosen token stays {}", token.baselineChoice);
  }
  return fmt::format(
      "the chosen token changes from {} to {}, which the baseline finds {} nats "
      "less likely",
      token.baselineChoice,
      token.candidateChoice,
      formatSignificant(token.margin));
}

std::string startOf(const Culprit& culprit) {
  return fmt::format("the error starts at {}: {}", culprit.name, culprit.reason);
}

/// "position 5", "position 5 of sample 1".
std::string positionOf(const TokenOrigin& origin, std::int64_t position) {
  return origin.layout.samples > 1
             ? fmt::format("position {} of sample {}", position, origin.index.sample)
             : fmt::format("position {}", position);
}

/// Of a unit that holds other tokens as well.
std::string causeAmongOthers(const UnitOutcome& unit, const TokenOrigin& origin) {
  constexpr std::string_view kUnknown = "does not say where the error starts";
  const auto& culprits = origin.isOwn() ? origin.verdict.culprits : unit.verdict.culprits;
  if (!origin.isOwn()) {
    const std::string because = fmt::format(
        "In the network of all tokens of the unit, as that of this one alone is not "
        "known ({}), ",
        origin.notOwn);
    return because + (culprits.empty() ? fmt::format("what was recorded {}", kUnknown)
                                       : startOf(culprits.front()));
  }
  const std::string place = positionOf(origin, origin.index.position);
  if (culprits.empty()) {
    return fmt::format("What was recorded of its network, at {}, {}", place, kUnknown);
  }
  if (origin.hops.empty()) {
    return fmt::format("In its network, at {}, {}", place, startOf(culprits.front()));
  }
  const auto calls = listOf(origin.hops, [](const TokenHop& hop) {
    return fmt::format("{} at position {}", hop.name, hop.position);
  });
  return fmt::format("In its network the error came from {}, through {}; there {}",
                     positionOf(origin, origin.position),
                     fmt::join(calls, ", "),
                     startOf(culprits.front()));
}

std::string causeOf(const UnitOutcome& unit, std::size_t index) {
  const auto& culprits = unit.verdict.culprits;
  if (!unit.tokens[index].sequence.empty()) {
    return "Of its network nothing was recorded";
  }
  if (unit.tokenOrigin && unit.tokenOrigin->token == index) {
    return causeAmongOthers(unit, *unit.tokenOrigin);
  }
  if (culprits.empty()) {
    return "What was recorded of its network does not say where the error starts";
  }
  return "In its network " + startOf(culprits.front());
}

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
                       {ULP_TR_NOOP("KL that rounding accounts for"), token.allowedKl, false}};
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

/// All tokens of a training step are computed at once: that the first of them fails says no more
/// than that the step differs, which its culprit does.
bool isSuspect(const UnitOutcome& unit, std::size_t token) {
  return token > 0 || std::ranges::none_of(unit.run.comparisons, [](const report::Comparison& row) {
           return row.site.pass == Pass::Backward || row.site.pass == Pass::ParameterGradient;
         });
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

std::vector<TokenPlace> tokensInOrder(const std::vector<UnitOutcome>& units) {
  std::vector<TokenKey> keys;
  eachToken(units, [&](const TokenPlace& place) { keys.push_back(keyOf(units, place)); });
  std::ranges::sort(keys);
  return listOf(keys, [](const TokenKey& key) {
    return TokenPlace{key.unitIndex, key.tokenIndex};
  });
}

std::optional<TokenPlace> firstTokenOff(const std::vector<UnitOutcome>& units) {
  return firstWhere(units, [](const TokenOutcome& token) { return token.isOff(); });
}

std::optional<TokenPlace> firstChoiceChanged(const std::vector<UnitOutcome>& units) {
  return firstWhere(units, [](const TokenOutcome& token) { return token.isChoiceChanged(); });
}

std::string describe(const UnitOutcome& unit, const TokenOutcome& token) {
  const UnitAxes axes = unit.run.axes.value_or(UnitAxes{});
  std::string text;
  if (axes.step) {
    text += fmt::format("step {}, ", *axes.step);
  }
  if (!token.sequence.empty()) {
    text += fmt::format("sample {}, ", token.sequence);
  }
  text += fmt::format("token {}", token.token);
  // Without a number of its own the token is the position.
  if (token.position && static_cast<std::int64_t>(*token.position) != token.token) {
    text += fmt::format(", position {}", *token.position);
  }
  if (axes.rank) {
    text += fmt::format(", rank {}", *axes.rank);
  }
  return text;
}

std::string tokenAnswer(const DumpComparison& comparison) {
  const auto& units = comparison.units;
  const bool hasTokens =
      std::ranges::any_of(units, [](const UnitOutcome& unit) { return !unit.tokens.empty(); });
  if (!hasTokens) {
    return "";
  }
  const auto first = firstTokenOff(units);
  const auto changed = firstChoiceChanged(units);
  if (!first) {
    std::string text = "Rounding accounts for the logits of every token";
    return changed ? fmt::format("{}; at {} that is enough to change the chosen token: {}",
                                 text,
                                 describe(units[changed->unit], tokenAt(units, *changed)),
                                 choiceOf(tokenAt(units, *changed)))
                   : text + ", and the same tokens are chosen";
  }
  const TokenOutcome& token = tokenAt(units, *first);
  std::string text = fmt::format("The first token whose logits fail is {}: {}; {}. {}",
                                 describe(units[first->unit], token),
                                 amountOf(token),
                                 choiceOf(token),
                                 causeOf(units[first->unit], first->token));
  if (changed && *changed != *first) {
    text += fmt::format(". The first chosen token that changes is that of {}",
                        describe(units[changed->unit], tokenAt(units, *changed)));
  }
  return text;
}

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
  return listOf(verdict.culprits, [&](const Culprit& culprit) {
    return findingOf(
        culprit,
        std::string(report::kCulpritRule),
        {"Sureness %1: %2", {std::string(toString(culprit.sureness)), culprit.sureBecause}},
        run);
  });
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
      .numbers = {{ULP_TR_NOOP("equal tensors before it"),
                   static_cast<double>(first.equalBefore),
                   false}},
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
          .numbers = {{ULP_TR_NOOP("tensors that differ"),
                       static_cast<double>(replicas.tensors),
                       false}},
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
  const auto first = static_cast<std::size_t>(off - unit.tokens.begin());
  if (off == unit.tokens.end() || !isSuspect(unit, first)) {
    return findings;
  }
  findings.push_back(findingOf(unit, *off, run));
  if (unit.tokenOrigin && !unit.tokenOrigin->verdict.culprits.empty()) {
    findings.push_back(findingOf(unit, *unit.tokenOrigin, run));
  }
  return findings;
}

}  // namespace ulp::analysis
