#include "core/comparing/verdict/token_verdict.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

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
  std::vector<std::string> calls;
  for (const TokenHop& hop : origin.hops) {
    calls.push_back(fmt::format("{} at position {}", hop.name, hop.position));
  }
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

}  // namespace

std::vector<TokenPlace> tokensInOrder(const std::vector<UnitOutcome>& units) {
  std::vector<TokenKey> keys;
  eachToken(units, [&](const TokenPlace& place) { keys.push_back(keyOf(units, place)); });
  std::sort(keys.begin(), keys.end());
  std::vector<TokenPlace> places;
  places.reserve(keys.size());
  for (const TokenKey& key : keys) {
    places.push_back({key.unitIndex, key.tokenIndex});
  }
  return places;
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

}  // namespace ulp::analysis
