#include "core/comparing/match/mapping_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/match/entry_matching.h"
#include "tests/core/comparing/match/all_names.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::IsEmpty;

void backward(BuiltUnit& unit, const std::string& path) {
  unit.entry({.name = path + ".backward",
              .kind = EntryKind::Module,
              .pass = Pass::Backward,
              .module = path});
  unit.recorded(Role::InputGradient, "0", {1});
}

std::vector<std::string> textsOf(const std::vector<OpenName>& names) {
  std::vector<std::string> texts;
  for (const OpenName& name : names) {
    texts.push_back(name.name + " (" + std::string(toString(name.kind)) + ") " +
                    std::to_string(name.entries.size()));
  }
  return texts;
}

/// What pairOf() says pairs them.
UnitMatching matchedBy(const BuiltUnit& baseline,
                       const BuiltUnit& candidate,
                       const NamePair& pair) {
  const auto mapping = SiteMapping::make({}, {{pair.candidate, pair.baseline}});
  EXPECT_TRUE(mapping);
  return *matchUnits(baseline, candidate, *mapping);
}

TEST(MappingNames, AModuleIsOneNameInEveryPass) {
  BuiltUnit unit;
  unit.module("model.mlp");
  unit.recorded(Role::Output, "0", {1});
  unit.api("Functional.linear", 7, 0);
  unit.recorded(Role::Output, "0", {1});
  unit.entry({.name = "logits", .kind = EntryKind::Tensor});
  unit.recorded(Role::Value, "", {1});
  backward(unit, "model.mlp");
  unit.entry({.name = "model.mlp", .kind = EntryKind::Gradient, .module = "model.mlp"});
  unit.recorded(Role::ParameterGradient, "weight", {1});
  const auto names = allNames(unit);
  EXPECT_THAT(
      textsOf(names),
      ElementsAre("model.mlp (module) 3", "Functional.linear.7 (api) 1", "logits (tensor) 1"));
  EXPECT_THAT(names[0].entries, ElementsAre(0, 3, 4));
  EXPECT_EQ(names[1].module, "model.mlp");
  EXPECT_THAT(mappableNames(unit), ElementsAre("logits", "model.mlp"));
}

TEST(MappingNames, APairOfModulesPairsTheirCallsInEveryPass) {
  BuiltUnit baseline;
  baseline.module("model.layers.0.mlp");
  baseline.recorded(Role::Output, "0", {1});
  backward(baseline, "model.layers.0.mlp");
  BuiltUnit candidate;
  candidate.module("h.0.ffn");
  candidate.recorded(Role::Output, "0", {1});
  backward(candidate, "h.0.ffn");
  const auto pair = pairOf(baseline, allNames(baseline)[0], candidate, allNames(candidate)[0]);
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair, (NamePair{"h.0.ffn", "model.layers.0.mlp"}));
  EXPECT_EQ(matchedBy(baseline, candidate, *pair).entries.size(), 2U);
}

TEST(MappingNames, APairOfTensorsPairsThem) {
  BuiltUnit baseline;
  baseline.entry({.name = "hidden", .kind = EntryKind::Tensor});
  baseline.recorded(Role::Value, "", {1});
  BuiltUnit candidate;
  candidate.entry({.name = "residual", .kind = EntryKind::Saved});
  candidate.recorded(Role::Value, "", {1});
  const auto pair = pairOf(baseline, allNames(baseline)[0], candidate, allNames(candidate)[0]);
  ASSERT_TRUE(pair);
  EXPECT_EQ(matchedBy(baseline, candidate, *pair).rows.size(), 1U);
}

TEST(MappingNames, CallsOfAnApiArePairedByTheirOutput) {
  BuiltUnit baseline;
  baseline.module("a");
  baseline.recorded(Role::Output, "0", {1});
  baseline.api("Functional.linear", 3, 0);
  baseline.recorded(Role::Input, "0", {1});
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  candidate.module("a");
  candidate.recorded(Role::Output, "0", {1});
  candidate.api("Tensor.matmul", 5, 0);
  candidate.recorded(Role::Input, "0", {1});
  candidate.recorded(Role::Output, "0", {1});
  const auto pair = pairOf(baseline, allNames(baseline)[1], candidate, allNames(candidate)[1]);
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair, (NamePair{"Tensor.matmul.5", "Functional.linear.3"}));
  const UnitMatching matching = matchedBy(baseline, candidate, *pair);
  EXPECT_EQ(matching.rows.size(), 3U);
  EXPECT_THAT(matching.onlyBaselineEntries, IsEmpty());
}

TEST(MappingNames, AModuleAndATensorArePairedByWhatTheyHold) {
  BuiltUnit baseline;
  baseline.module("model.layers.0", "LlamaDecoderLayer");
  baseline.recorded(Role::Input, "0", {1});
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  candidate.entry({.name = "layer 0 out", .kind = EntryKind::Tensor});
  candidate.recorded(Role::Value, "", {1});
  const auto pair = pairOf(baseline, allNames(baseline)[0], candidate, allNames(candidate)[0]);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->baseline, "decoder.0") << "its output, not its input";
  const UnitMatching matching = matchedBy(baseline, candidate, *pair);
  ASSERT_EQ(matching.rows.size(), 1U);
  EXPECT_EQ(matching.rows[0].baseline, 1U);
}

TEST(MappingNames, ALaterCallOfTheSameModuleIsPairedBySite) {
  BuiltUnit baseline;
  baseline.entry(
      {.name = "m.1", .kind = EntryKind::Module, .module = "m", .operation = "M", .call = 1});
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  candidate.module("m");
  candidate.recorded(Role::Output, "0", {1});
  const auto pair = pairOf(baseline, allNames(baseline)[0], candidate, allNames(candidate)[0]);
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair, (NamePair{"m", "m#1"}));
}

TEST(MappingNames, ANameThatARuleTakesAwayIsPairedWithItself) {
  BuiltUnit baseline;
  baseline.module("net.block");
  baseline.recorded(Role::Input, "0", {1});
  baseline.recorded(Role::Output, "0", {1});
  const auto names = allNames(baseline);
  const auto pair = pairOf(baseline, names[0], baseline, names[0]);
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair, (NamePair{"net.block", "net.block"}));
  const std::vector<RenameRule> rules{{"^net", "other"}};
  EXPECT_THAT(matchUnits(baseline, baseline, *SiteMapping::make(rules, {}))->rows, IsEmpty());
  const auto mapping = SiteMapping::make(rules, {{pair->candidate, pair->baseline}});
  EXPECT_EQ(matchUnits(baseline, baseline, *mapping)->rows.size(), 2U);
}

TEST(MappingNames, WhatHasNoPassOrNoTensorInCommonHasNoPair) {
  BuiltUnit baseline;
  baseline.module("a");
  baseline.recorded(Role::Output, "0", {1});
  BuiltUnit candidate;
  backward(candidate, "b");
  candidate.api("Tensor.add", 0);
  const auto names = allNames(candidate);
  EXPECT_EQ(pairOf(baseline, allNames(baseline)[0], candidate, names[0]), std::nullopt);
  EXPECT_EQ(pairOf(baseline, allNames(baseline)[0], candidate, names[1]), std::nullopt);
}

RenameRule ruleOf(const char* candidate, const char* baseline) {
  return generalised({candidate, baseline}).value_or(RenameRule{"none", ""});
}

std::string renamed(const RenameRule& rule, const char* name) {
  return *SiteMapping::make({rule}, {})->map(name);
}

TEST(MappingNames, AnotherBeginningIsOneRule) {
  EXPECT_EQ(ruleOf("transformer.h.3.attn.c_proj", "model.layers.3.attn.c_proj"),
            (RenameRule{R"(^transformer\.h\.)", "model.layers."}));
  EXPECT_EQ(ruleOf("module.model.norm", "model.norm"), (RenameRule{R"(^module\.)", ""}));
  EXPECT_EQ(ruleOf("layers.3.mlp", "model.layers.3.mlp"),
            (RenameRule{R"(^layers\.)", "model.layers."}));
}

TEST(MappingNames, NumbersAreWhatARuleIsFor) {
  const RenameRule rule = ruleOf("h.3.attn.c_proj", "model.layers.3.self_attn.o_proj");
  EXPECT_EQ(rule.match, R"(^h\.(\d+)\.attn\.c_proj(?=[.#\[]|$))");
  EXPECT_EQ(rule.replace, "model.layers.$1.self_attn.o_proj");
  EXPECT_EQ(renamed(rule, "h.11.attn.c_proj"), "model.layers.11.self_attn.o_proj");
  EXPECT_EQ(renamed(rule, "h.11.attn.c_proj[input]"), "model.layers.11.self_attn.o_proj[input]");
  EXPECT_EQ(renamed(rule, "h.11.attn.c_proj.inner"), "model.layers.11.self_attn.o_proj.inner");
  EXPECT_EQ(renamed(rule, "h.11.attn.c_projection"), "h.11.attn.c_projection");
  const RenameRule experts = ruleOf("blk.3.expert.12.up", "model.layers.3.mlp.experts.12.up_proj");
  EXPECT_EQ(renamed(experts, "blk.1.expert.40.up"), "model.layers.1.mlp.experts.40.up_proj");
  const RenameRule sameNumber = ruleOf("a.2.b.2.c", "x.2.y.2.z");
  EXPECT_EQ(renamed(sameNumber, "a.4.b.5.c"), "x.4.y.5.z");
}

TEST(MappingNames, APairWithNothingToGeneraliseIsNoRule) {
  EXPECT_EQ(generalised({"head", "lm_head"}), std::nullopt);
  EXPECT_EQ(generalised({"norm", "model.norm"}), std::nullopt) << "there is nothing before it";
  EXPECT_EQ(generalised({"h.3.attn", "model.layers.4.self"}), std::nullopt) << "which layer?";
  EXPECT_EQ(generalised({"h.3.e.5.x", "model.3.y"}), std::nullopt) << "which expert?";
  EXPECT_EQ(generalised({"a", "a"}), std::nullopt);
  EXPECT_EQ(generalised({"", "a"}), std::nullopt);
}

TEST(MappingNames, SpecialCharactersOfNamesAreMeantAsTheyAre) {
  const RenameRule rule = ruleOf("f(x).0.$1", "g+.0.a$b");
  EXPECT_EQ(renamed(rule, "f(x).7.$1"), "g+.7.a$b");
}

TEST(MappingNames, CountsWhatARuleDoes) {
  const std::vector<std::string> candidate{"h.0.a", "h.1.a", "h.2.a", "norm"};
  const std::vector<std::string> baseline{"layers.0.attn", "layers.1.attn", "norm"};
  const auto mapping =
      SiteMapping::make({{"^h", "layers"}, {"a$", "attn"}}, {{"h.1.a", "layers.1.attn"}});
  ASSERT_TRUE(mapping);
  const auto first = effectOf(*mapping, 0, candidate, baseline);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->matched, 2U) << "a name with a pair is not its business";
  EXPECT_EQ(first->met, 1U) << "layer 2 is nowhere in the baseline";
  const auto second = effectOf(*mapping, 1, candidate, baseline);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->matched, 2U);
  const auto all = effectsOf(*mapping, candidate, baseline);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ((*all)[0].matched, 2U);
  EXPECT_EQ((*all)[1].met, 1U);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = effectOf(*mapping, 0, candidate, baseline, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
