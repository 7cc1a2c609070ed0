#include "core/comparing/measure/token_logits.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/verdict/dump_findings.h"
#include "core/dumps/importers/importer.h"
#include "core/numerics/metrics/metric.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/data/shrinking_unit.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A network of one layer whose head puts out these logits, three of them for each token.
std::shared_ptr<BuiltUnit> networkOf(std::vector<float> logits, float hidden = 1) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("model.layers.0", "Layer");
  unit->tensor(Role::Input, "0", {1, 2});
  unit->tensor(Role::Output, "0", {hidden, 2});
  unit->module("lm_head", "Linear");
  unit->tensor(Role::Input, "0", {hidden, 2});
  const auto tokens = static_cast<std::int64_t>(logits.size() / 3);
  unit->tensor(Role::Output, "0", std::move(logits));
  unit->rows.back().shape = {1, tokens, 3};
  return unit;
}

UnitComparison comparedUnits(std::shared_ptr<BuiltUnit> baseline,
                             std::shared_ptr<BuiltUnit> candidate) {
  auto compared = compareUnits(std::move(baseline), std::move(candidate), {});
  EXPECT_TRUE(compared);
  return std::move(*compared);
}

TokenOutcomes judged(std::vector<float> baseline, std::vector<float> candidate) {
  auto tokens =
      judgeTokens(comparedUnits(networkOf(std::move(baseline)), networkOf(std::move(candidate))));
  EXPECT_TRUE(tokens);
  return std::move(*tokens);
}

TEST(TokenLogitsTest, KlCosineAndChoicesAreThoseOfTheDistributions) {
  // softmax(0, ln 2, ln 5) = (1, 2, 5) / 8 and softmax(0, ln 5, ln 2) = (1, 5, 2) / 8.
  const float two = std::log(2.0F);
  const float five = std::log(5.0F);
  const TokenOutcomes outcome = judged({0, two, five}, {0, five, two});
  ASSERT_THAT(outcome.tokens, SizeIs(1));
  const TokenOutcome& token = outcome.tokens[0];
  EXPECT_NEAR(token.kl, 3.0 / 8 * std::log(2.5), 1e-7);
  const double squares = std::log(2.0) * std::log(2.0) + std::log(5.0) * std::log(5.0);
  EXPECT_NEAR(token.cosine, 2 * std::log(2.0) * std::log(5.0) / squares, 1e-7);
  EXPECT_EQ(token.baselineChoice, 2U);
  EXPECT_EQ(token.candidateChoice, 1U);
  EXPECT_NEAR(token.margin, std::log(2.5), 1e-7);
  EXPECT_TRUE(token.isOff() && token.failsMsit() && token.isChoiceChanged());
  EXPECT_EQ(token.token, 0);
  EXPECT_FALSE(token.position) << "there is but one";
  EXPECT_EQ(token.site.name, "logits");
}

TEST(TokenLogitsTest, RoundingIsNoFailureWhateverTheScale) {
  for (const float scale : {0.01F, 1.0F, 4.0F}) {
    const std::vector<float> logits{scale, -2 * scale, 3 * scale};
    std::vector<float> rounded = logits;
    rounded[2] *= 1 + 0x1p-23F;
    EXPECT_FALSE(judged(logits, rounded).tokens[0].isOff()) << scale;
    std::vector<float> wrong = logits;
    wrong[2] *= 1.01F;
    EXPECT_TRUE(judged(logits, wrong).tokens[0].isOff()) << scale;
  }
  EXPECT_FALSE(judged({100, -200, 300}, {100, -200, 303}).tokens[0].isOff())
      << "where one token is certain, the logits hardly matter";
}

TEST(TokenLogitsTest, WhatIsAllowedFollowsTheCoarserFormat) {
  const auto token = judged({1, -2, 3}, {1, -2, 3}).tokens[0];
  const double spread = std::sqrt(((1 - 2.0 / 3) * (1 - 2.0 / 3) + (-2 - 2.0 / 3) * (-2 - 2.0 / 3) +
                                   (3 - 2.0 / 3) * (3 - 2.0 / 3)) /
                                  3);
  EXPECT_NEAR(token.spread, spread, 1e-12);
  const double allowed = 256 * 0x1p-24 * spread;
  EXPECT_DOUBLE_EQ(token.allowedKl, allowed * allowed / 2);
  EXPECT_DOUBLE_EQ(token.msitKl, 0.0001) << "0.005 is for bfloat16";
  EXPECT_EQ(token.kl, 0);
}

TEST(TokenLogitsTest, EveryPositionOfATensorIsAToken) {
  const TokenOutcomes outcome = judged({1, 2, 3, 4, 5, 6}, {1, 2, 3, 6, 5, 4});
  ASSERT_THAT(outcome.tokens, SizeIs(2));
  EXPECT_FALSE(outcome.tokens[0].isOff());
  EXPECT_TRUE(outcome.tokens[1].isOff());
  EXPECT_EQ(outcome.tokens[1].token, 1);
  EXPECT_EQ(outcome.tokens[1].position, 1U);
}

TEST(TokenLogitsTest, OfAFileThatBecameShorterThereAreNoTokens) {
  const auto candidate = std::make_shared<test::ShrinkingUnit>("lm_head");
  const auto baseline = std::make_shared<BuiltUnit>();
  baseline->module("lm_head");
  baseline->tensor(Role::Output,
                   "0",
                   std::vector<float>(static_cast<std::size_t>(candidate->rows[0].shape[0]), 0.5F));
  const auto compared = compareUnits(baseline, candidate, {});
  ASSERT_TRUE(compared);
  const auto tokens = judgeTokens(*compared);
  ASSERT_TRUE(tokens);
  EXPECT_THAT(tokens->tokens, IsEmpty());
  EXPECT_THAT(tokens->problems, ElementsAre(HasSubstr("the file became shorter")));
}

/// A head called once for each of these micro-batches of one token.
std::shared_ptr<BuiltUnit> accumulated(const std::vector<std::vector<float>>& batches) {
  auto unit = std::make_shared<BuiltUnit>();
  for (std::size_t call = 0; call < batches.size(); ++call) {
    unit->module("lm_head", "Linear");
    unit->entries.back().name = fmt::format("Module.lm_head.Linear.forward.{}", call);
    unit->entries.back().call = call;
    unit->tensor(Role::Output, "0", batches[call]);
    unit->shape({1, 1, 3});
  }
  return unit;
}

TEST(TokenLogitsTest, EveryCallOfTheHeadIsComparedWithItsPartner) {
  const UnitComparison compared =
      comparedUnits(accumulated({{1, 2, 3}, {4, 5, 6}}), accumulated({{1, 2, 3}, {4, 5, 3}}));
  const auto tokens = judgeTokens(compared);
  ASSERT_TRUE(tokens);
  ASSERT_THAT(tokens->tokens, SizeIs(2));
  EXPECT_EQ(tokens->tokens[0].kl, 0);
  EXPECT_EQ(tokens->tokens[0].call, "Module.lm_head.Linear.forward.0");
  EXPECT_EQ(tokens->tokens[1].site.name, "logits#1");
  EXPECT_EQ(tokens->tokens[1].call, "Module.lm_head.Linear.forward.1");
  EXPECT_EQ(tokens->tokens[1].candidateChoice, 1U) << "of 4, 5 and 3";
}

TEST(TokenLogitsTest, ATokenIsJudgedOnceThoughTwoModulesHandItsLogitsOn) {
  const auto generated = [] {
    auto unit = accumulated({{1, 2, 3}});
    unit->module("logits", "CausalLMOutputWithPast");
    unit->entries.back().name = "logits.forward.0";
    unit->tensor(Role::Output, "next_token_logits", {1, 2, 3});
    unit->rows.back().name = "logits.forward.0.output.next_token_logits";
    unit->shape({1, 3});
    return unit;
  };
  const UnitComparison compared = comparedUnits(generated(), generated());
  const auto tokens = judgeTokens(compared);
  ASSERT_TRUE(tokens);
  ASSERT_THAT(tokens->tokens, SizeIs(1));
  EXPECT_EQ(tokens->tokens[0].call, "");
  EXPECT_EQ(tokens->tokens[0].candidateChoice, 2U);
}

TEST(TokenLogitsTest, CallsThatOneSideAloneHasChangeNoPair) {
  for (const bool isBaselineLonger : {false, true}) {
    auto one = accumulated({{1, 2, 3}});
    auto three = accumulated({{1, 2, 3}, {4, 5, 6}, {3, 2, 1}});
    const UnitComparison compared = isBaselineLonger
                                        ? comparedUnits(std::move(three), std::move(one))
                                        : comparedUnits(std::move(one), std::move(three));
    const auto tokens = judgeTokens(compared);
    ASSERT_TRUE(tokens);
    ASSERT_THAT(tokens->tokens, SizeIs(1));
    EXPECT_EQ(tokens->tokens[0].kl, 0);
    EXPECT_EQ(tokens->tokens[0].call, "") << "there is but one pair";
  }
}

TEST(TokenLogitsTest, HeadsOfOtherNamesArePairedCallByCall) {
  const auto tokensOf = [](const std::vector<std::vector<float>>& batches) {
    auto sglang = std::make_shared<BuiltUnit>();
    for (std::size_t call = 0; call < batches.size(); ++call) {
      const std::string name = fmt::format("pass{}.next_token_logits", call);
      sglang->entry({.name = name, .kind = dumps::EntryKind::Tensor});
      sglang->tensor(Role::Value, "", batches[call]);
      sglang->rows.back().name = name;
    }
    auto tokens =
        judgeTokens(comparedUnits(accumulated({{1, 2, 3}, {4, 5, 6}}), std::move(sglang)));
    EXPECT_TRUE(tokens);
    return tokens ? std::move(tokens->tokens) : std::vector<TokenOutcome>();
  };
  const auto all = tokensOf({{1, 2, 3}, {4, 5, 3}});
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_FALSE(all[0].isOff());
  EXPECT_TRUE(all[1].isOff());
  const auto last = tokensOf({{3, 2, 1}, {1, 2, 3}, {4, 5, 6}});
  ASSERT_THAT(last, SizeIs(1)) << "which of them belong together is not known";
  EXPECT_EQ(last[0].kl, 0);
}

TEST(TokenVerdictTest, AFailingTokenIsToldWithItsCall) {
  BuiltDump baseline;
  BuiltDump candidate;
  baseline.add(accumulated({{1, 2, 3}, {4, 5, 6}}));
  candidate.add(accumulated({{1, 2, 3}, {4, 5, 3}}));
  const auto compared = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(compared);
  EXPECT_THAT(tokenAnswer(*compared),
              HasSubstr("The first token whose logits fail is Module.lm_head.Linear.forward.1, "
                        "token 0: KL "));
}

/// A unit that counts how often each row is read.
class CountingUnit final : public dumps::DumpUnit {
 public:
  explicit CountingUnit(std::shared_ptr<const BuiltUnit> of) : m_of(std::move(of)) {
    entries = m_of->entries;
    rows = m_of->rows;
  }
  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    ++m_reads[row];
    return m_of->read(row);
  }
  [[nodiscard]] const std::map<std::size_t, int>& reads() const { return m_reads; }

 private:
  std::shared_ptr<const BuiltUnit> m_of;
  mutable std::map<std::size_t, int> m_reads;
};

TEST(TokenLogitsTest, LogitsAreReadOnceForTheirElementsAndOnceForTheirDistributions) {
  const auto baseline = std::make_shared<CountingUnit>(networkOf({1, 2, 3, 4, 5, 6}));
  const auto candidate = std::make_shared<CountingUnit>(networkOf({1, 2, 3, 6, 5, 4}));
  const auto compared = compareUnits(baseline, candidate, {.threads = 1});
  ASSERT_TRUE(compared);
  const auto tokens = judgeTokens(*compared);
  ASSERT_TRUE(tokens);
  ASSERT_THAT(tokens->tokens, SizeIs(2));
  EXPECT_EQ(baseline->reads(), (std::map<std::size_t, int>{{0, 1}, {1, 1}, {2, 1}, {3, 2}}));
  EXPECT_EQ(candidate->reads(), baseline->reads());
  // The metrics of the row are of the same distributions.
  const auto metrics = numerics::builtinMetrics();
  const auto& row = compared->comparisons.back();
  EXPECT_EQ(row.metrics[*metrics.indexOf("kl.max")], tokens->tokens[1].kl);
  EXPECT_EQ(row.metrics[*metrics.indexOf("kl.mean")], tokens->tokens[1].kl / 2);
  EXPECT_EQ(row.metrics[*metrics.indexOf("top1_agreement")], 0.5);
}

TEST(TokenLogitsTest, TheLastLogitsAloneAreComparedWithTheLastPosition) {
  const TokenOutcomes outcome = judged({9, 9, 9, 4, 5, 6}, {4, 5, 6});
  ASSERT_THAT(outcome.tokens, SizeIs(1));
  EXPECT_EQ(outcome.tokens[0].kl, 0);
  EXPECT_THAT(outcome.problems, IsEmpty());
}

TEST(TokenLogitsTest, LogitsThatMakeNoDistributionFail) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const TokenOutcomes outcome = judged({1, 2, 3}, {1, nan, 3});
  ASSERT_THAT(outcome.tokens, SizeIs(1));
  EXPECT_FALSE(outcome.tokens[0].isFinite);
  EXPECT_TRUE(outcome.tokens[0].isOff() && outcome.tokens[0].failsMsit());
  EXPECT_TRUE(std::isnan(outcome.tokens[0].kl));
  const float out = -std::numeric_limits<float>::infinity();
  const TokenOutcome masked = judged({1, out, 3}, {1, out, 3}).tokens[0];
  EXPECT_TRUE(masked.isFinite) << "what is never drawn may be ruled out";
  EXPECT_EQ(masked.kl, 0);
  EXPECT_NEAR(masked.spread, 1, 1e-12);
}

TEST(TokenLogitsTest, LogitsThatCannotBeComparedAreAProblem) {
  const TokenOutcomes shapes = judged({1, 2, 3, 1, 2, 3, 1, 2, 3}, {1, 2, 3, 1, 2, 3});
  EXPECT_THAT(shapes.tokens, IsEmpty());
  EXPECT_THAT(shapes.problems,
              ElementsAre(HasSubstr("logits of float32 [1, 3, 3] and float32 [1, 2, 3]")));
  const auto baseline = networkOf({1, 2, 3});
  baseline->loseFile(3);
  const auto lost = judgeTokens(comparedUnits(baseline, networkOf({1, 2, 3})));
  ASSERT_TRUE(lost);
  EXPECT_THAT(lost->problems, ElementsAre(HasSubstr("file.pt: no such file")));
}

TEST(TokenLogitsTest, OtherToolsCallThemOtherwise) {
  const auto sglang = std::make_shared<BuiltUnit>();
  sglang->entry({.name = "next_token_logits", .kind = dumps::EntryKind::Tensor});
  sglang->tensor(Role::Value, "", {1, 2, 3});
  sglang->rows.back().name = "non_intrusive__logits_processor.output.next_token_logits";
  sglang->rows.back().shape = {1, 3};
  const auto atb = std::make_shared<BuiltUnit>();
  atb->entry({.name = "14_LmHead/0_LinearOperation",
              .kind = dumps::EntryKind::Api,
              .module = "14_LmHead",
              .operation = "LinearOperation"});
  atb->tensor(Role::Output, "0", {7, 7, 7});
  atb->entry({.name = "14_LmHead",
              .kind = dumps::EntryKind::Module,
              .module = "14_LmHead",
              .operation = "LmHead"});
  atb->tensor(Role::Output, "0", {1, 2, 3});
  for (const auto& candidate : {sglang, atb}) {
    const auto tokens = judgeTokens(comparedUnits(networkOf({1, 2, 3}), candidate));
    ASSERT_TRUE(tokens);
    ASSERT_THAT(tokens->tokens, SizeIs(1)) << candidate->entries[0].name;
    EXPECT_EQ(tokens->tokens[0].kl, 0);
  }
}

TEST(TokenLogitsTest, FilesOfVectorsNameTheirSampleAndToken) {
  const auto build = [](float last) {
    auto unit = std::make_shared<BuiltUnit>();
    for (const char* name :
         {"logits_dev.jsonl_7_1", "logits_cpp_12_3", "logits_dev.jsonl_7_0", "weights_1_2"}) {
      unit->entry({.name = name, .kind = dumps::EntryKind::Tensor});
      unit->tensor(Role::Value, "", {1, 2, last});
      unit->rows.back().name = name;
    }
    return unit;
  };
  const auto tokens = judgeTokens(comparedUnits(build(3), build(4)));
  ASSERT_TRUE(tokens);
  ASSERT_THAT(tokens->tokens, SizeIs(3)) << "weights are no logits";
  EXPECT_EQ(tokens->tokens[0].sequence, "7");
  EXPECT_EQ(tokens->tokens[0].token, 0);
  EXPECT_EQ(tokens->tokens[1].token, 1);
  EXPECT_EQ(tokens->tokens[2].sequence, "cpp/12");
  EXPECT_EQ(tokens->tokens[2].token, 3);
}

/// Two ranks, three tokens; the second rank's second token is wrong from its layer on.
DumpComparison comparedTokens() {
  BuiltDump baseline;
  BuiltDump candidate;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    for (std::int64_t token = 0; token < 3; ++token) {
      const bool isWrong = rank == 1 && token > 0;
      const UnitAxes axes{.step = {}, .rank = rank, .token = token};
      baseline.add(networkOf({1, 2, 3}), axes);
      candidate.add(isWrong ? networkOf({3, 2, 1}, 4) : networkOf({1, 2, 3}), axes);
    }
  }
  auto compared = compareDumps(baseline, candidate, {});
  EXPECT_TRUE(compared);
  return std::move(*compared);
}

TEST(TokenVerdictTest, TheFirstTokenOfAllRanksIsNamedWithItsNetworksCulprit) {
  const DumpComparison compared = comparedTokens();
  const auto order = tokensInOrder(compared.units);
  ASSERT_THAT(order, SizeIs(6));
  EXPECT_EQ(compared.units[order[1].unit].label, "rank 1, token 0") << "tokens before ranks";
  const auto first = firstTokenOff(compared.units);
  ASSERT_TRUE(first);
  EXPECT_EQ(compared.units[first->unit].label, "rank 1, token 1");
  EXPECT_EQ(firstChoiceChanged(compared.units), first);
  const std::string answer = tokenAnswer(compared);
  EXPECT_THAT(answer, HasSubstr("The first token whose logits fail is token 1, rank 1: KL "));
  EXPECT_THAT(answer, HasSubstr("the chosen token changes from 2 to 0"));
  EXPECT_THAT(
      answer,
      HasSubstr("In its network the error starts at Module.model.layers.0.Layer.forward.0"));
  EXPECT_EQ(compared.earliest, first->unit) << "the earliest token is the earliest unit";
}

TEST(TokenVerdictTest, WithoutLogitsThereIsNoAnswer) {
  BuiltDump dump;
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("a");
  unit->tensor(Role::Output, "0", {1, 2});
  dump.add(unit);
  const auto compared = compareDumps(dump, dump, {});
  ASSERT_TRUE(compared);
  EXPECT_EQ(tokenAnswer(*compared), "");
}

TEST(TokenVerdictTest, EqualTokensAreSaidToBe) {
  BuiltDump dump;
  dump.add(networkOf({1, 2, 3, 4, 5, 6}));
  const auto compared = compareDumps(dump, dump, {});
  ASSERT_TRUE(compared);
  EXPECT_FALSE(firstTokenOff(compared->units));
  EXPECT_EQ(tokenAnswer(*compared),
            "Rounding accounts for the logits of every token, and the same tokens are chosen");
}

TEST(TokenVerdictTest, MsitsLastLogitsAreFoundWhateverTheirNames) {
  const auto golden = dumps::openDump(test::msprobeCase("msit_logits") / "golden");
  const auto mine = dumps::openDump(test::msprobeCase("msit_logits") / "my");
  ASSERT_TRUE(golden && mine);
  const auto compared = compareDumps(**golden, **mine, {});
  ASSERT_TRUE(compared) << compared.error().message();
  const auto order = tokensInOrder(compared->units);
  ASSERT_THAT(order, SizeIs(3));
  // kl_divergence and cosine_similarity of msit's own report, which computes in float32.
  const double kl[]{1.043081283569336e-07, 0.002014126628637314, 0.0035996995866298676};
  const double cosine[]{0.999999698, 0.9038788419, 0.8700913018};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TokenOutcome& token = compared->units[order[i].unit].tokens[order[i].token];
    EXPECT_EQ(token.token, static_cast<std::int64_t>(i));
    EXPECT_NEAR(token.kl, kl[i], 5e-7);
    EXPECT_NEAR(token.cosine, cosine[i], 1e-8);
    EXPECT_EQ(token.isOff(), i > 0) << "float16 accounts for the first one";
  }
  EXPECT_EQ(firstTokenOff(compared->units), order[1]);
}

TEST(TokenVerdictTest, MsitsLogitsOfADataSetAreJudgedFileByFile) {
  const auto golden = dumps::openDump(test::msprobeCase("msit_logitscmp") / "golden");
  const auto mine = dumps::openDump(test::msprobeCase("msit_logitscmp") / "my");
  ASSERT_TRUE(golden && mine);
  const auto compared = compareDumps(**golden, **mine, {});
  ASSERT_TRUE(compared) << compared.error().message();
  std::vector<std::string> failing;
  std::vector<std::string> failingMsit;
  const auto order = tokensInOrder(compared->units);
  for (const TokenPlace& place : order) {
    const TokenOutcome& token = compared->units[0].tokens[place.token];
    const std::string name = describe(compared->units[0], token);
    if (token.isOff()) {
      failing.push_back(name);
    }
    if (token.failsMsit()) {
      failingMsit.push_back(name);
    }
  }
  EXPECT_THAT(order, SizeIs(6));
  EXPECT_THAT(failing,
              ElementsAre("sample 9, token 0", "sample 1352, token 2", "sample cpp/12, token 3"))
      << "the tool itself lets the first of them pass, whose cosine is 0.67: within one ulp";
  EXPECT_THAT(failingMsit,
              ElementsAre("sample 9, token 0", "sample 1352, token 2", "sample cpp/12, token 3"));
  EXPECT_THAT(compared->units[0].problems, testing::Contains(HasSubstr("logits_dev_5_0")));
  EXPECT_THAT(tokenAnswer(*compared), HasSubstr("Of its network nothing was recorded"));
}

}  // namespace
}  // namespace ulp::analysis
