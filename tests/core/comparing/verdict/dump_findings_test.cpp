#include "core/comparing/verdict/dump_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A unit of three tokens, of which those from `firstOff` on fail.
UnitOutcome unitWhoseTokensFail(Pass lastPass, std::size_t firstOff) {
  UnitOutcome unit;
  unit.run = test::runOf("step 0",
                         {test::comparisonOf(test::layerSite("logits", -1, Pass::Forward), {}),
                          test::comparisonOf(test::layerSite("logits", -1, lastPass), {})});
  for (std::size_t i = 0; i < 3; ++i) {
    unit.tokens.push_back({.token = static_cast<std::int64_t>(i),
                           .position = i,
                           .site = test::layerSite("logits", -1, Pass::Forward),
                           .kl = i < firstOff ? 0.0 : 1.0,
                           .allowedKl = 0.1});
  }
  TokenOrigin origin{.token = firstOff};
  origin.verdict.culprits.push_back({.name = "mlp", .reason = "adds 5 %"});
  unit.tokenOrigin = std::move(origin);
  return unit;
}

std::vector<std::string> rulesFoundIn(const UnitOutcome& unit) {
  std::vector<std::string> rules;
  for (const report::Finding& finding : findingsOf(unit, "step 0")) {
    rules.push_back(finding.rule);
  }
  return rules;
}

TEST(DumpFindings, TheFirstTokenOfATrainingStepIsNoSuspect) {
  for (const Pass pass : {Pass::Backward, Pass::ParameterGradient}) {
    EXPECT_THAT(rulesFoundIn(unitWhoseTokensFail(pass, 0)), IsEmpty());
    EXPECT_THAT(rulesFoundIn(unitWhoseTokensFail(pass, 1)), ElementsAre("tokens", "token_culprit"))
        << "the tokens before it agree, which says something";
  }
}

TEST(DumpFindings, TheFirstTokenThatIsGeneratedIsOne) {
  EXPECT_THAT(rulesFoundIn(unitWhoseTokensFail(Pass::Forward, 0)),
              ElementsAre("tokens", "token_culprit"));
}

/// A unit of one token, whose logits fail where `isOff`.
UnitOutcome unitOfOneToken(const dumps::UnitAxes& axes, TokenOutcome token, bool isOff) {
  UnitOutcome unit;
  unit.run = test::runOf("run", {});
  unit.run.axes = axes;
  token.kl = isOff ? 1.0 : 0.0;
  token.allowedKl = 0.1;
  unit.tokens.push_back(std::move(token));
  return unit;
}

TEST(TokenPlaces, AreNamedByWhatIsKnownOfThem) {
  const auto named = [](const dumps::UnitAxes& axes, const TokenOutcome& token) {
    const UnitOutcome unit = unitOfOneToken(axes, token, true);
    return describe(unit, unit.tokens.front());
  };
  EXPECT_EQ(named({}, {.token = 3}), "token 3");
  EXPECT_EQ(named({}, {.token = 3, .position = 3}), "token 3");
  EXPECT_EQ(named({}, {.token = 3, .position = 4}), "token 3, position 4");
  EXPECT_EQ(named({.step = 2, .rank = 1}, {.sequence = "cpp/12", .token = 3, .position = 0}),
            "step 2, sample cpp/12, token 3, position 0, rank 1");
}

TEST(TokenPlaces, StandByStepThenSampleThenTokenThenPositionThenRank) {
  const std::vector<UnitOutcome> units{
      unitOfOneToken({.step = 1}, {.sequence = "1", .token = 0}, true),
      unitOfOneToken({.step = 0, .rank = 1}, {.sequence = "9", .token = 1, .position = 2}, true),
      unitOfOneToken({.step = 0, .rank = 0}, {.sequence = "9", .token = 1, .position = 2}, true),
      unitOfOneToken({.step = 0, .rank = 2}, {.sequence = "9", .token = 1, .position = 1}, true),
      unitOfOneToken({.step = 0}, {.sequence = "cpp/1", .token = 0}, true),
      unitOfOneToken({.step = 0}, {.sequence = "10", .token = 0}, true),
      unitOfOneToken({.step = 0}, {.sequence = "8", .token = 7}, true),
      unitOfOneToken({.step = 0}, {.sequence = "8", .token = 6}, false)};
  std::vector<std::size_t> order;
  for (const TokenPlace& place : tokensInOrder(units)) {
    order.push_back(place.unit);
  }
  EXPECT_THAT(order, ElementsAre(7, 6, 3, 2, 1, 5, 4, 0));
  EXPECT_EQ(firstTokenOff(units)->unit, 6U);
  EXPECT_EQ(firstChoiceChanged(units), std::nullopt);
}

TEST(TokenAnswer, NamesTheFirstTokenThatFailsAndTheFirstThatIsChosenOtherwise) {
  DumpComparison comparison;
  EXPECT_EQ(tokenAnswer(comparison), "");
  comparison.units.push_back(unitOfOneToken({.step = 0}, {.token = 1}, false));
  EXPECT_EQ(tokenAnswer(comparison),
            "Rounding accounts for the logits of every token, and the same tokens are chosen");
  comparison.units.push_back(
      unitOfOneToken({.step = 0}, {.token = 4, .candidateChoice = 5}, false));
  EXPECT_THAT(tokenAnswer(comparison),
              testing::StartsWith("Rounding accounts for the logits of every token; at step 0, "
                                  "token 4 that is enough to change the chosen token: "));
  comparison.units.push_back(unitOfOneToken({.step = 0}, {.token = 2}, true));
  EXPECT_THAT(tokenAnswer(comparison),
              testing::StartsWith("The first token whose logits fail is step 0, token 2: "));
  EXPECT_THAT(
      tokenAnswer(comparison),
      testing::EndsWith(". The first chosen token that changes is that of step 0, token 4"));
  comparison.units.back().tokens.front().candidateChoice = 5;
  EXPECT_THAT(tokenAnswer(comparison), testing::Not(testing::HasSubstr("that changes is that of")));
}

}  // namespace
}  // namespace ulp::analysis
