#include "core/comparing/verdict/dump_findings.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/verdict/verdict_words.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/base/text/sentence.h"

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
  std::size_t call = 0;
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
          .call = token.call.empty() ? 0 : token.logits,
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

constexpr const char* kListed = ULP_TR_NOOP("%1, %2");

/// "step 2, token 3", of those that are known.
Sentence placeOf(const UnitOutcome& unit, const TokenOutcome& token) {
  const UnitAxes axes = unit.run.axes.value_or(UnitAxes{});
  std::vector<Sentence> parts;
  const auto add = [&](const char* pattern, std::string value) {
    parts.push_back({pattern, {std::move(value)}});
  };
  if (axes.step) {
    add(ULP_TR_NOOP("step %1"), std::to_string(*axes.step));
  }
  if (!token.sequence.empty()) {
    add(ULP_TR_NOOP("sample %1"), token.sequence);
  }
  if (!token.call.empty()) {
    parts.emplace_back(token.call);
  }
  add(ULP_TR_NOOP("token %1"), std::to_string(token.token));
  // Without a number of its own the token is the position.
  if (token.position && static_cast<std::int64_t>(*token.position) != token.token) {
    add(ULP_TR_NOOP("position %1"), std::to_string(*token.position));
  }
  if (axes.rank) {
    add(ULP_TR_NOOP("rank %1"), std::to_string(*axes.rank));
  }
  return joined(kListed, parts);
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
  return fmt::format("the error starts at {}: {}", culprit.name, culprit.reason.text());
}

/// "position 5", "position 5 of sample 1".
std::string positionOf(const TokenOrigin& origin, std::int64_t position) {
  return origin.layout.samples > 1
             ? fmt::format("position {} of sample {}", position, origin.index.sample)
             : fmt::format("position {}", position);
}

/// What was recorded, where no call of it makes the error.
std::string withoutStart(const Verdict& verdict) {
  return verdict.hasMoved ? "puts it down to parameters that steps before have moved"
                          : "does not say where the error starts";
}

/// Of a unit that holds other tokens as well.
std::string causeAmongOthers(const UnitOutcome& unit, const TokenOrigin& origin) {
  const Verdict& verdict = origin.isOwn() ? origin.verdict : unit.verdict;
  const auto& culprits = verdict.culprits;
  if (!origin.isOwn()) {
    const std::string because = fmt::format(
        "In the network of all tokens of the unit, as that of this one alone is not "
        "known ({}), ",
        origin.notOwn);
    return because + (culprits.empty() ? "what was recorded " + withoutStart(verdict)
                                       : startOf(culprits.front()));
  }
  const std::string place = positionOf(origin, origin.index.position);
  if (culprits.empty()) {
    return fmt::format("What was recorded of its network, at {}, {}", place, withoutStart(verdict));
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
    return "What was recorded of its network " + withoutStart(unit.verdict);
  }
  return "In its network " + startOf(culprits.front());
}

report::Finding findingOf(const Culprit& culprit,
                          std::string rule,
                          Sentence explanation,
                          const std::string& run) {
  report::Finding finding{.rule = std::move(rule),
                          .severity = culprit.isBroken ? report::FindingSeverity::Broken
                                                       : report::FindingSeverity::Look,
                          .title = {ULP_TR_NOOP("%1: %2"), {culprit.name, culprit.reason}},
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
  report::Finding finding{
      .rule = "tokens",
      .severity = token.isFinite ? report::FindingSeverity::Look : report::FindingSeverity::Broken,
      .title = {ULP_TR_NOOP("%1: the first token of this run whose logits fail"),
                {placeOf(unit, token)}},
      .explanation = token.isChoiceChanged()
                         ? Sentence{ULP_TR_NOOP("The chosen token changes from %1 to %2"),
                                    {std::to_string(token.baselineChoice),
                                     std::to_string(token.candidateChoice)}}
                         : Sentence{ULP_TR_NOOP("The chosen token stays %1"),
                                    {std::to_string(token.baselineChoice)}},
      .sites = {token.site},
      .runs = {run}};
  if (token.isFinite) {
    finding.numbers = {{"KL", token.kl, false},
                       {ULP_TR_NOOP("KL that rounding accounts for"), token.allowedKl, false}};
  } else {
    finding.explanation = {ULP_TR_NOOP("Its logits are not finite"), {}};
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
                   {ULP_TR_NOOP("Where the error of %1 starts, at position %2 of its network; "
                                "sureness %3: %4"),
                    {placeOf(unit, unit.tokens[origin.token]),
                     std::to_string(origin.position),
                     wordOf(culprit.sureness),
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

/// Which calls of a kind are meant: the nearest, how many there are, and whether they are cleared.
Sentence placeOfSuspect(const Suspect& suspect) {
  const std::string distance = std::to_string(suspect.distance);
  std::vector<Sentence> facts;
  if (suspect.distance == 0) {
    facts.push_back({ULP_TR_NOOP("%1, here"), {suspect.name}});
  } else {
    facts.push_back({suspect.distance == 1 ? ULP_TR_NOOP("%1, %2 call before")
                                           : ULP_TR_NOOP("%1, %2 calls before"),
                     {suspect.name, distance}});
  }
  if (suspect.calls > 1) {
    facts.push_back({ULP_TR_NOOP("%1 calls"), {std::to_string(suspect.calls)}});
  }
  if (suspect.isCleared) {
    facts.push_back({ULP_TR_NOOP("what it put out agrees"), {}});
  }
  return joined(kListed, facts);
}

Sentence sentenceOf(const Suspect& suspect) {
  return {ULP_TR_NOOP("%1 (%2): %3; %4"),
          {{suspect.title, {}}, placeOfSuspect(suspect), {suspect.when, {}}, {suspect.remedy, {}}}};
}

/// Tensors of which equal numbers elsewhere say nothing.
report::Finding notComparedFinding(const UnitOutcome& unit, const std::string& run) {
  return {.rule = std::string(kNotComparedRule),
          .severity =
              unit.unread.empty() ? report::FindingSeverity::Note : report::FindingSeverity::Look,
          .title = {ULP_TR_NOOP("Not compared: %1"),
                    {namesText(listOf(unit.notCompared, &Site::name))}},
          .explanation = unit.unread.empty()
                             ? Sentence{ULP_TR_NOOP("Neither elements nor statistics nor checksums "
                                                    "are on both sides."),
                                        {}}
                             : Sentence{ULP_TR_NOOP("Not readable: %1"), {unit.problems.front()}},
          .numbers = {{ULP_TR_NOOP("tensors that were not compared"),
                       static_cast<double>(unit.notCompared.size()),
                       false}},
          .sites = unit.notCompared,
          .runs = {run}};
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
  return placeOf(unit, token).text();
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
  return sentenceOf(suspect).text();
}

std::vector<report::Finding> findingsOf(const Verdict& verdict, const std::string& run) {
  return listOf(verdict.culprits, [&](const Culprit& culprit) {
    return findingOf(
        culprit,
        std::string(report::kCulpritRule),
        {ULP_TR_NOOP("Sureness %1: %2"), {wordOf(culprit.sureness), culprit.sureBecause}},
        run);
  });
}

std::vector<report::Finding> findingsOf(const Repeatability& repeatability,
                                        const std::string& run) {
  if (!repeatability.first || repeatability.suspects.empty()) {
    return {};
  }
  const FirstDifference& first = *repeatability.first;
  const Sentence suspects =
      joined(ULP_TR_NOOP("%1. %2"), listOf(repeatability.suspects, sentenceOf));
  report::Finding finding{
      .rule = "repeatability",
      .severity = report::FindingSeverity::Note,
      .title = {ULP_TR_NOOP("%1: the first tensor that differs between runs of the same calls"),
                {first.rowName}},
      .explanation = {ULP_TR_NOOP("Known to be non-deterministic, at it or before: %1"),
                      {suspects}},
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
  const char* title =
      replicas.isBaseline
          ? ULP_TR_NOOP("%1: not equal on the ranks of the baseline, which should hold it alike")
          : ULP_TR_NOOP("%1: not equal on the ranks of the candidate, which should hold it alike");
  const char* explanation =
      replicas.isExpected()
          ? ULP_TR_NOOP(
                "%1; the first in order of execution; healthy ranks may differ in all of "
                "them: gradients that are not summed up yet, functions inside of parallel "
                "layers, and what data-parallel ranks make of their own data")
          : ULP_TR_NOOP(
                "%1; the first in order of execution; if they are shards, a rule of "
                "'shards' says so");
  return {.rule = "replicas",
          .severity =
              replicas.isExpected() ? report::FindingSeverity::Note : report::FindingSeverity::Look,
          .title = {title, {replicas.row}},
          .explanation = {explanation, {replicas.difference}},
          .numbers = {{ULP_TR_NOOP("tensors that differ"),
                       static_cast<double>(replicas.tensors),
                       false}},
          .sites = {replicas.site},
          .runs = {run}};
}

std::vector<report::Finding> findingsOf(const UnitOutcome& unit, const std::string& run) {
  std::vector<report::Finding> findings = findingsOf(unit.verdict, run);
  if (!unit.notCompared.empty()) {
    findings.push_back(notComparedFinding(unit, run));
  }
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
