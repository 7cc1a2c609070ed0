#include "core/analysis/dumps/token_verdict.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "core/base/format_number.h"

namespace ulp::analysis {
namespace {

const TokenOutcome& tokenAt(const std::vector<UnitOutcome>& units, const TokenPlace& place) {
  return units[place.unit].tokens[place.token];
}

template <class Fits>
std::optional<TokenPlace> firstWhere(const std::vector<UnitOutcome>& units, const Fits& fits) {
  for (const TokenPlace& place : tokensInOrder(units)) {
    if (fits(tokenAt(units, place))) {
      return place;
    }
  }
  return std::nullopt;
}

/// Numbers by their value, then what has a name.
auto orderOf(const std::string& sequence) {
  return std::tuple(sequence.find('/') != std::string::npos, sequence.size(), sequence);
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

std::string causeOf(const UnitOutcome& unit, const TokenOutcome& token) {
  const auto& culprits = unit.verdict.culprits;
  if (!token.sequence.empty()) {
    return "Of its network nothing was recorded";
  }
  if (culprits.empty()) {
    return "What was recorded of its network does not say where the error starts";
  }
  return fmt::format(
      "In its network the error starts at {}: {}", culprits.front().name, culprits.front().reason);
}

}  // namespace

std::vector<TokenPlace> tokensInOrder(const std::vector<UnitOutcome>& units) {
  std::vector<TokenPlace> places;
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    for (std::size_t token = 0; token < units[unit].tokens.size(); ++token) {
      places.push_back({unit, token});
    }
  }
  const auto keyOf = [&](const TokenPlace& place) {
    const TokenOutcome& token = tokenAt(units, place);
    const UnitAxes axes = units[place.unit].run.axes.value_or(UnitAxes{});
    return std::tuple(axes.step.value_or(0),
                      orderOf(token.sequence),
                      token.token,
                      token.position.value_or(0),
                      axes.rank.value_or(0));
  };
  std::stable_sort(places.begin(), places.end(), [&](const TokenPlace& a, const TokenPlace& b) {
    return keyOf(a) < keyOf(b);
  });
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
  if (tokensInOrder(units).empty()) {
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
                                 causeOf(units[first->unit], token));
  if (changed && *changed != *first) {
    text += fmt::format(". The first chosen token that changes is that of {}",
                        describe(units[changed->unit], tokenAt(units, *changed)));
  }
  return text;
}

}  // namespace ulp::analysis
