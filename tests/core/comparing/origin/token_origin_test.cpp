#include "core/comparing/origin/token_origin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/verdict/dump_findings.h"
#include "core/report/model/finding.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kEmbedding = "Module.model.embed_tokens.Embedding.forward.0";
constexpr const char* kFirstAttention = "Module.model.layers.0.self_attn.LlamaAttention.forward.0";
constexpr const char* kMlp = "Module.model.layers.0.mlp.LlamaMLP.forward.0";

/// By position, a factor of what a call puts out there.
using Factors = std::map<std::size_t, float>;

/// A network over four positions of two numbers each. Its attention adds position 1 to position 2,
/// and position 0 to position 3, while position 1 attends to position 0 alone.
struct Network {
  Factors embedded{};
  Factors attended{};
  Factors widened{};
  Factors summed{};
  float weight = 2;
  bool hasRanks = false;        ///< what the MLP makes is summed over ranks
  bool isOfStatistics = false;  ///< the attention's output
  bool isLastAlone = false;     ///< the head takes the last position
  bool isWithoutEmbedding = false;

  [[nodiscard]] std::shared_ptr<BuiltUnit> unit() const {
    auto built = std::make_shared<BuiltUnit>();
    const Rows hidden = scaled({{1, 2}, {2, 1.5F}, {3, 1}, {4, 0.5F}}, embedded);
    if (!isWithoutEmbedding) {
      built->module("model.embed_tokens", "Embedding");
      built->tensor(Role::Input, "0", {7, 5, 3, 1});
      built->shape({1, 4});
      add(*built, Role::Output, hidden);
    }

    built->module("model.layers.0.self_attn", "LlamaAttention");
    add(*built, Role::Input, hidden);
    const Rows mixed = scaled(
        {hidden[0], hidden[0], sum(hidden[1], hidden[2]), sum(hidden[0], hidden[3])}, attended);
    add(*built, Role::Output, mixed, isOfStatistics);

    built->module("model.layers.0.mlp", "LlamaMLP");
    add(*built, Role::Input, mixed);
    built->tensor(Role::Parameter, "weight", {weight, weight});
    Rows made = mixed;
    for (auto& row : made) {
      row = {row[0] * weight, row[1] * weight};
    }
    made = scaled(made, widened);
    add(*built, Role::Output, made);

    if (hasRanks) {
      built->api("Distributed.all_reduce", 0);
      add(*built, Role::Input, made);
      made = scaled({{2, 3}, {3, 2}, {2, 1}, {1, 2}}, summed);
      add(*built, Role::Output, made);
    }
    addHead(*built, made);
    return built;
  }

 private:
  using Rows = std::vector<std::array<float, 2>>;

  static std::array<float, 2> sum(const std::array<float, 2>& a, const std::array<float, 2>& b) {
    return {a[0] + b[0], a[1] + b[1]};
  }
  static Rows scaled(Rows rows, const Factors& factors) {
    for (const auto& [position, factor] : factors) {
      rows[position] = {rows[position][0] * factor, rows[position][1] * factor};
    }
    return rows;
  }
  static void add(BuiltUnit& built, Role role, const Rows& rows, bool isRecorded = false) {
    std::vector<float> values;
    for (const auto& row : rows) {
      values.insert(values.end(), row.begin(), row.end());
    }
    if (isRecorded) {
      built.recorded(role, "0", {values.begin(), values.end()});
    } else {
      built.tensor(role, "0", values);
    }
    built.shape({1, static_cast<std::int64_t>(rows.size()), 2});
  }
  void addHead(BuiltUnit& built, Rows rows) const {
    if (isLastAlone) {
      rows.erase(rows.begin(), rows.end() - 1);
    }
    built.module("lm_head", "Linear");
    add(built, Role::Input, rows);
    std::vector<float> logits;
    for (const auto& row : rows) {
      logits.insert(logits.end(), {row[0] / 10, row[1] / 10, (row[0] - row[1]) / 10});
    }
    built.tensor(Role::Output, "0", logits);
    built.shape({1, static_cast<std::int64_t>(rows.size()), 3});
  }
};

DumpComparison compared(const Network& candidate, const Network& baseline = {}) {
  BuiltDump left;
  left.add(baseline.unit());
  BuiltDump right;
  right.add(candidate.unit());
  auto comparison = compareDumps(left, right, {});
  EXPECT_TRUE(comparison);
  return std::move(*comparison);
}

TEST(TokenOriginTest, NoTokenThatFailsHasNone) {
  EXPECT_FALSE(compared({}).units[0].tokenOrigin);
}

TEST(TokenOriginTest, AWrongWeightIsThatOfEveryToken) {
  const DumpComparison comparison = compared({.weight = 2.25F});
  const auto& origin = comparison.units[0].tokenOrigin;
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->index.position, 0) << "the first one fails";
  ASSERT_FALSE(origin->verdict.culprits.empty());
  const Culprit& culprit = origin->verdict.culprits.front();
  EXPECT_EQ(culprit.kind, CulpritKind::Source);
  EXPECT_EQ(culprit.name, kMlp);
  EXPECT_NEAR(culprit.error, 0.125, 1e-12);
  EXPECT_THAT(origin->hops, IsEmpty());
}

TEST(TokenOriginTest, ANanIsFollowedToTheCallThatMadeIt) {
  const DumpComparison comparison = compared({.widened = {{2, std::nanf("")}}});
  const UnitOutcome& unit = comparison.units[0];
  ASSERT_TRUE(unit.tokenOrigin);
  EXPECT_EQ(unit.tokenOrigin->index.position, 2);
  ASSERT_THAT(unit.tokenOrigin->verdict.culprits, SizeIs(1));
  EXPECT_EQ(unit.tokenOrigin->verdict.culprits[0].name, kMlp);
  EXPECT_EQ(unit.tokenOrigin->verdict.culprits[0].kind, CulpritKind::Operation);
  EXPECT_THAT(unit.tokenOrigin->verdict.culprits[0].reason.text(), HasSubstr("NaN"));
}

TEST(TokenOriginTest, WhatOtherTokensDifferInIsNotTheCulpritOfTheFirstOneThatFails) {
  const DumpComparison comparison = compared({.attended = {{3, 1.5F}}, .widened = {{2, 1.5F}}});
  const UnitOutcome& unit = comparison.units[0];
  EXPECT_EQ(unit.verdict.culprits.front().name, kFirstAttention) << "of all tokens";
  ASSERT_TRUE(unit.tokenOrigin);
  EXPECT_TRUE(unit.tokenOrigin->isOwn());
  EXPECT_EQ(unit.tokens[unit.tokenOrigin->token].token, 2);
  ASSERT_THAT(unit.tokenOrigin->verdict.culprits, SizeIs(1));
  const Culprit& culprit = unit.tokenOrigin->verdict.culprits[0];
  EXPECT_EQ(culprit.name, kMlp);
  EXPECT_EQ(culprit.kind, CulpritKind::Operation);
  EXPECT_NEAR(culprit.error, 0.5, 1e-12) << "of its position, not diluted among the others";
  EXPECT_EQ(culprit.carried, 0);
  EXPECT_EQ(culprit.site.name, "model.layers.0.mlp");
  EXPECT_THAT(tokenAnswer(comparison),
              HasSubstr("In its network, at position 2, the error starts at "
                        "Module.model.layers.0.mlp.LlamaMLP.forward.0: "));
}

TEST(TokenOriginTest, AnErrorOfAnEarlierPositionIsFollowedThroughTheAttention) {
  // Position 1 attends to position 0 alone, so that its own logits hold.
  const DumpComparison comparison = compared({.embedded = {{1, 1.5F}}});
  const UnitOutcome& unit = comparison.units[0];
  ASSERT_TRUE(unit.tokenOrigin);
  const TokenOrigin& origin = *unit.tokenOrigin;
  EXPECT_EQ(origin.index.position, 2) << "the first token that fails";
  EXPECT_EQ(origin.position, 1) << "where its error starts";
  ASSERT_THAT(origin.hops, SizeIs(1));
  EXPECT_EQ(origin.hops[0].position, 2);
  EXPECT_EQ(origin.hops[0].name, kFirstAttention);
  ASSERT_FALSE(origin.verdict.culprits.empty());
  EXPECT_EQ(origin.verdict.culprits.front().name, kEmbedding);
  EXPECT_THAT(tokenAnswer(comparison),
              HasSubstr("In its network the error came from position 1, through "
                        "Module.model.layers.0.self_attn.LlamaAttention.forward.0 at position 2; "
                        "there the error starts at "
                        "Module.model.embed_tokens.Embedding.forward.0: "));
}

TEST(TokenOriginTest, WhatNothingRecordedHasMadeMayStandAtAnEarlierPositionOfTheSameCall) {
  const DumpComparison comparison =
      compared({.embedded = {{1, 1.5F}}, .isWithoutEmbedding = true}, {.isWithoutEmbedding = true});
  const auto& origin = comparison.units[0].tokenOrigin;
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->index.position, 2);
  EXPECT_EQ(origin->position, 1);
  ASSERT_FALSE(origin->verdict.culprits.empty());
  EXPECT_EQ(origin->verdict.culprits.front().kind, CulpritKind::Source);
  EXPECT_EQ(origin->verdict.culprits.front().rowName,
            "Module.model.layers.0.self_attn.LlamaAttention.forward.0.input.0");
}

TEST(TokenOriginTest, AnAttentionWhoseInputsAllAgreeMadeItItself) {
  const DumpComparison comparison = compared({.attended = {{2, 1.5F}}});
  const auto& origin = comparison.units[0].tokenOrigin;
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->verdict.culprits.front().name, kFirstAttention);
  EXPECT_EQ(origin->position, 2);
  EXPECT_THAT(origin->hops, IsEmpty());
}

TEST(TokenOriginTest, AnErrorTooSmallToAccountForItIsNotFollowed) {
  // The first position is off by a few roundings, which no attention makes half of the result.
  const DumpComparison comparison =
      compared({.embedded = {{0, 1 + 0x1p-22F}}, .attended = {{3, 1.5F}}});
  const auto& origin = comparison.units[0].tokenOrigin;
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->index.position, 3);
  EXPECT_EQ(origin->verdict.culprits.front().name, kFirstAttention);
  EXPECT_THAT(origin->hops, IsEmpty());
}

TEST(TokenOriginTest, LogitsOfTheLastPositionHaveTheCulpritOfThatPosition) {
  const DumpComparison comparison =
      compared({.attended = {{2, 1.5F}}, .widened = {{3, 1.5F}}, .isLastAlone = true},
               {.isLastAlone = true});
  const UnitOutcome& unit = comparison.units[0];
  EXPECT_EQ(unit.verdict.culprits.front().name, kFirstAttention);
  ASSERT_TRUE(unit.tokenOrigin);
  EXPECT_EQ(unit.tokenOrigin->index.position, 3);
  EXPECT_EQ(unit.tokenOrigin->verdict.culprits.front().name, kMlp);
  EXPECT_EQ(unit.tokenOrigin->wholeTensors, 0U);
}

TEST(TokenOriginTest, StatisticsCannotBeCutAndThatIsSaid) {
  const DumpComparison comparison =
      compared({.attended = {{2, 1.5F}}, .isOfStatistics = true}, {.isOfStatistics = true});
  const auto& origin = comparison.units[0].tokenOrigin;
  ASSERT_TRUE(origin);
  EXPECT_FALSE(origin->isOwn());
  EXPECT_THAT(origin->verdict.culprits, IsEmpty());
  EXPECT_THAT(
      tokenAnswer(comparison),
      HasSubstr("In the network of all tokens of the unit, as that of this one alone is not known "
                "(of Module.model.layers.0.self_attn.LlamaAttention.forward.0.output.0 there are "
                "no elements that could be compared, and statistics are of all tokens together), "
                "the error starts at Module.model.layers.0.self_attn.LlamaAttention.forward.0: "));
}

/// A network in which layer l hands position l on to position l + 1, and forgets it: what the
/// embeddings put out at position 0 comes through every layer to the last position.
std::shared_ptr<BuiltUnit> chainOf(std::size_t layers, float embedded) {
  auto built = std::make_shared<BuiltUnit>();
  const auto positions = static_cast<std::int64_t>(layers + 1);
  std::vector<float> hidden;
  for (std::size_t position = 0; position <= layers; ++position) {
    hidden.insert(hidden.end(), {1, 2});
  }
  const auto add = [&](Role role) {
    built->tensor(role, "0", hidden);
    built->shape({1, positions, 2});
  };
  built->module("model.embed_tokens", "Embedding");
  built->tensor(Role::Input, "0", std::vector<float>(layers + 1, 7));
  built->shape({1, positions});
  hidden[0] *= embedded;
  hidden[1] *= embedded;
  add(Role::Output);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    built->module("model.layers." + std::to_string(layer) + ".self_attn", "LlamaAttention");
    add(Role::Input);
    float* const own = &hidden[2 * layer];
    own[2] = std::exchange(own[0], 1.0F);
    own[3] = std::exchange(own[1], 2.0F);
    add(Role::Output);
  }
  built->module("model.router", "Router");
  built->tensor(Role::Output, "0", std::vector<float>(7, embedded));
  built->module("lm_head", "Linear");
  add(Role::Input);
  std::vector<float> logits;
  for (std::size_t at = 0; at < hidden.size(); at += 2) {
    logits.insert(logits.end(), {hidden[at] / 10, hidden[at + 1] / 10, -hidden[at] / 10});
  }
  built->tensor(Role::Output, "0", logits);
  built->shape({1, positions, 3});
  return built;
}

std::optional<TokenOrigin> originInChain(std::size_t layers) {
  BuiltDump left;
  left.add(chainOf(layers, 1));
  BuiltDump right;
  right.add(chainOf(layers, 1.5F));
  const auto comparison = compareDumps(left, right, {});
  EXPECT_TRUE(comparison);
  return comparison->units[0].tokenOrigin;
}

TEST(TokenOriginTest, CallsBehindTheOneThatBroughtTheErrorAreNotLookedAtAgain) {
  const auto origin = originInChain(3);
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->index.position, 3);
  EXPECT_EQ(origin->position, 0);
  EXPECT_THAT(origin->hops, SizeIs(3));
  ASSERT_FALSE(origin->verdict.culprits.empty());
  EXPECT_EQ(origin->verdict.culprits.front().name, kEmbedding);
  EXPECT_EQ(origin->wholeTensors, 0U) << "the router, which has no positions, ran later";
}

TEST(TokenOriginTest, AnErrorIsFollowedThroughSoManyCallsAndNoFurther) {
  const auto followed = originInChain(64);
  ASSERT_TRUE(followed);
  EXPECT_TRUE(followed->isOwn());
  EXPECT_THAT(followed->hops, SizeIs(64));
  const auto lost = originInChain(65);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->notOwn, "its error came through more than 64 calls from earlier positions");
  EXPECT_EQ(lost->position, 65);
  EXPECT_THAT(lost->verdict.culprits, IsEmpty());
}

TEST(TokenOriginTest, TheTokensCulpritIsFollowedToTheRankThatSentIt) {
  BuiltDump left;
  BuiltDump right;
  const Factors sums{{2, 1.25F}, {3, 1.25F}};
  const auto add = [](BuiltDump& dump, std::int64_t rank, Network network) {
    network.hasRanks = true;
    dump.add(network.unit(), {.step = 0, .rank = rank});
  };
  add(left, 0, {});
  add(left, 1, {});
  add(right, 0, {.summed = sums});
  add(right, 1, {.attended = {{3, 1.5F}}, .widened = {{2, 1.5F}}, .summed = sums});
  const auto comparison = compareDumps(left, right, {});
  ASSERT_TRUE(comparison);
  const auto& whole = comparison->units[0].verdict.culprits;
  ASSERT_FALSE(whole.empty());
  ASSERT_TRUE(whole.front().remote);
  EXPECT_EQ(whole.front().remote->origin, kFirstAttention) << "of all tokens";
  const auto& origin = comparison->units[0].tokenOrigin;
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->position, 2);
  ASSERT_FALSE(origin->verdict.culprits.empty());
  const Culprit& culprit = origin->verdict.culprits.front();
  EXPECT_EQ(culprit.kind, CulpritKind::Received);
  ASSERT_TRUE(culprit.remote);
  EXPECT_EQ(culprit.remote->unitLabel, "step 0, rank 1");
  EXPECT_EQ(culprit.remote->origin, kMlp) << "of this token";
}

TEST(TokenOriginTest, TheReportHoldsItAsAFinding) {
  const report::Report report =
      toReport(compared({.attended = {{3, 1.5F}}, .widened = {{2, 1.5F}}}));
  const auto findings = report::readFindings(report);
  ASSERT_TRUE(findings);
  const auto found =
      std::find_if(findings->begin(), findings->end(), [](const report::Finding& finding) {
        return finding.rule == "token_culprit";
      });
  ASSERT_NE(found, findings->end());
  ASSERT_THAT(found->sites, SizeIs(1));
  EXPECT_EQ(found->sites[0].name, "model.layers.0.mlp");
  EXPECT_THAT(found->explanation.text(),
              HasSubstr("Where the error of token 2 starts, at position 2 of its network; "
                        "sureness high: "));
}

}  // namespace
}  // namespace ulp::analysis
