#include "app/cli/print/token_print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ulp::cli {
namespace {

using testing::EndsWith;

/// Two tokens of one unit, the second of which fails for what its first position holds.
analysis::DumpComparison comparisonWithOrigin() {
  analysis::DumpComparison comparison;
  analysis::UnitOutcome& unit = comparison.units.emplace_back();
  unit.tokens.resize(2);
  unit.tokens[1].token = 1;
  unit.tokens[1].position = 1;
  unit.tokens[1].kl = 1;
  unit.tokens[1].allowedKl = 0.125;
  analysis::TokenOrigin& origin = unit.tokenOrigin.emplace();
  origin.token = 1;
  origin.layout = {.positions = 2};
  origin.index = {.sample = 0, .position = 1};
  origin.hops.push_back(
      {.position = 1, .name = "attention", .rowName = "attention.output.0", .error = 0.25});
  origin.wholeTensors = 3;
  analysis::Culprit& culprit = origin.verdict.culprits.emplace_back();
  culprit.name = "embedding";
  culprit.rowName = "embedding.output.0";
  culprit.reason = "differs";
  culprit.sureBecause = "its inputs were not recorded";
  return comparison;
}

nlohmann::json jsonOf(const analysis::DumpComparison& comparison) {
  json::Writer json;
  json.beginObject();
  writeTokens(json, comparison);
  json.endObject();
  return nlohmann::json::parse(std::move(json).take())["tokens"];
}

TEST(TokensText, EndWithTheCulpritOfTheFirstTokenThatFails) {
  EXPECT_THAT(tokensText(comparisonWithOrigin(), 10),
              EndsWith("In its network the error came from position 0, through attention at "
                       "position 1; there the error starts at embedding: differs\n"
                       "  embedding\n"
                       "    sureness low: its inputs were not recorded\n"
                       "    tensors that differ and are not taken apart by position: 3\n"));
}

TEST(TokensText, SayWhereTheCulpritIsThatOfTheUnit) {
  analysis::DumpComparison comparison = comparisonWithOrigin();
  analysis::UnitOutcome& unit = comparison.units.front();
  unit.verdict.culprits = std::move(unit.tokenOrigin->verdict.culprits);
  unit.tokenOrigin->verdict = {};
  unit.tokenOrigin->hops.clear();
  unit.tokenOrigin->notOwn = "there are no elements";
  EXPECT_THAT(tokensText(comparison, 10),
              EndsWith("In the network of all tokens of the unit, as that of this one alone is not "
                       "known (there are no elements), the error starts at embedding: differs\n"));
  EXPECT_EQ(jsonOf(comparison)["origins"][0]["of_unit_because"], "there are no elements");
}

TEST(TokensJson, HoldsWhereTheErrorOfATokenComesFrom) {
  const nlohmann::json tokens = jsonOf(comparisonWithOrigin());
  ASSERT_EQ(tokens["origins"].size(), 1U);
  const nlohmann::json& origin = tokens["origins"][0];
  EXPECT_EQ(origin["token"], 1);
  EXPECT_EQ(origin["layout"], "samples × positions: 1 × 2");
  EXPECT_EQ(origin["position"], 1);
  EXPECT_EQ(origin["starts_at_position"], 0);
  ASSERT_EQ(origin["through"].size(), 1U);
  EXPECT_EQ(origin["through"][0]["entry"], "attention");
  EXPECT_EQ(origin["through"][0]["error"], 0.25);
  EXPECT_EQ(origin["whole_tensors"], 3);
  EXPECT_EQ(origin["of_unit_because"], "");
  ASSERT_EQ(origin["culprits"].size(), 1U);
  EXPECT_EQ(origin["culprits"][0]["row"], "embedding.output.0");
}

}  // namespace
}  // namespace ulp::cli
