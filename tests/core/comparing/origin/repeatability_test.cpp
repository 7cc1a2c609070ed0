#include "core/comparing/origin/repeatability.h"

#include <cmath>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/verdict/dump_findings.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string titleOf(std::string_view operation, Pass pass) {
  const auto* known = nondeterministic(operation, pass);
  return known == nullptr ? "" : std::string(known->title);
}

TEST(NondeterministicOperationsTest, FunctionsMethodsAndModulesMeet) {
  EXPECT_EQ(plainOperation("Tensor.scatter_add_"), "scatteradd");
  EXPECT_EQ(plainOperation("Tensor.__getitem__"), "getitem");
  EXPECT_EQ(plainOperation("MaxPool3d"), "maxpool3d");
  EXPECT_EQ(plainOperation(""), "");
  EXPECT_EQ(titleOf("Torch.scatter_add", Pass::Forward),
            titleOf("Tensor.scatter_add_", Pass::Forward));
  EXPECT_EQ(titleOf("Functional.max_pool3d", Pass::Backward), titleOf("MaxPool3d", Pass::Backward));
}

TEST(NondeterministicOperationsTest, SomeAreSoInTheirBackwardPassAlone) {
  EXPECT_EQ(titleOf("Functional.embedding", Pass::Forward), "");
  EXPECT_EQ(titleOf("Functional.embedding", Pass::Backward), "embedding, backward");
  EXPECT_EQ(titleOf("Embedding", Pass::ParameterGradient), "embedding, backward");
  EXPECT_EQ(titleOf("Functional.scaled_dot_product_attention", Pass::Forward), "");
  EXPECT_EQ(titleOf("Functional.scaled_dot_product_attention", Pass::Backward),
            "fused attention, backward");
  EXPECT_EQ(titleOf("LlamaAttention", Pass::Backward), "fused attention, backward");
}

TEST(NondeterministicOperationsTest, EachHasItsOwnRemedy) {
  const auto remedyOf = [](std::string_view operation, Pass pass) {
    const auto* known = nondeterministic(operation, pass);
    return known == nullptr ? "" : std::string(known->remedy);
  };
  EXPECT_THAT(remedyOf("Tensor.index_add_", Pass::Forward),
              HasSubstr("torch.use_deterministic_algorithms(True)"));
  EXPECT_THAT(remedyOf("Functional.linear", Pass::Forward),
              HasSubstr("CUBLAS_WORKSPACE_CONFIG=:4096:8"));
  EXPECT_THAT(remedyOf("Torch.bmm", Pass::Backward), HasSubstr("CUBLAS_WORKSPACE_CONFIG"));
  EXPECT_THAT(remedyOf("Conv2d", Pass::Forward), HasSubstr("cudnn.deterministic"));
  EXPECT_THAT(remedyOf("Distributed.all_reduce", Pass::Forward), HasSubstr("NCCL_ALGO"));
  EXPECT_THAT(remedyOf("Distributed.reduce_scatter_tensor", Pass::Forward), HasSubstr("NCCL_ALGO"));
  EXPECT_THAT(remedyOf("Functional.dropout", Pass::Forward), HasSubstr("torch.manual_seed"));
  EXPECT_THAT(remedyOf("Torch.cumsum", Pass::Forward), HasSubstr("on the CPU"));
}

TEST(NondeterministicOperationsTest, WhatIsDeterministicIsNoSuspect) {
  for (const char* operation :
       {"Tensor.__add__", "Functional.silu", "Torch.rsqrt", "LlamaRMSNorm", "", "Tensor.mean"}) {
    EXPECT_EQ(titleOf(operation, Pass::Forward), "") << operation;
  }
  EXPECT_EQ(titleOf("LlamaRotaryEmbedding", Pass::Backward), "")
      << "a table of angles, no table of tokens";
}

/// What a step of two layers puts out, as checksums: a letter a tensor.
struct Sums {
  std::string embedded = "e";
  std::string weight = "w";
  std::string projected = "p";
  std::string gradient = "g";
  std::string tableGradient = "t";
};

std::shared_ptr<BuiltUnit> unitOfSums(const Sums& sums) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->api("Functional.embedding", 0);
  unit->checksum(Role::Input, "0", "ids");
  unit->checksum(Role::Output, "0", sums.embedded);
  unit->api("Functional.linear", 0);
  unit->checksum(Role::Input, "0", sums.embedded);
  unit->checksum(Role::Input, "1", sums.weight);
  unit->checksum(Role::Output, "0", sums.projected);
  unit->entry({.name = "Functional.linear.0.backward",
               .kind = EntryKind::Api,
               .pass = Pass::Backward,
               .operation = "Functional.linear"});
  unit->checksum(Role::OutputGradient, "0", "loss");
  unit->checksum(Role::InputGradient, "0", sums.gradient);
  unit->entry({.name = "Functional.embedding.0.backward",
               .kind = EntryKind::Api,
               .pass = Pass::Backward,
               .operation = "Functional.embedding"});
  unit->checksum(Role::OutputGradient, "0", sums.gradient);
  unit->checksum(Role::InputGradient, "0", sums.tableGradient);
  return unit;
}

UnitComparison comparedWith(const Sums& candidate) {
  auto compared =
      compareUnits(unitOfSums({}), unitOfSums(candidate), {.checksums = {"crc32", "crc32"}});
  EXPECT_TRUE(compared);
  return std::move(*compared);
}

TEST(RepeatabilityTest, RunsThatAreEqualHaveNoFirstDifference) {
  const Repeatability judged = judgeRepeatability(comparedWith({}));
  EXPECT_FALSE(judged.first);
  EXPECT_THAT(judged.suspects, IsEmpty());
  EXPECT_THAT(findingsOf(judged, "step 0"), IsEmpty());
}

TEST(RepeatabilityTest, TheOperationThatPartsIsTheNearestSuspect) {
  const Repeatability judged = judgeRepeatability(comparedWith({.tableGradient = "T"}));
  ASSERT_TRUE(judged.first);
  EXPECT_TRUE(judged.isRepeat);
  EXPECT_EQ(judged.first->name, "Functional.embedding.0.backward");
  EXPECT_EQ(judged.first->kind, CulpritKind::Operation);
  EXPECT_EQ(judged.first->equalBefore, 8U);
  EXPECT_TRUE(std::isnan(judged.first->error)) << "checksums do not say how much";
  ASSERT_THAT(judged.suspects, SizeIs(2));
  EXPECT_EQ(judged.suspects[0].title, "embedding, backward");
  EXPECT_EQ(judged.suspects[0].distance, 0U);
  EXPECT_FALSE(judged.suspects[0].isCleared);
  EXPECT_EQ(judged.suspects[0].remedy, "torch.use_deterministic_algorithms(True)");
  EXPECT_EQ(judged.suspects[1].title, "matrix products");
  EXPECT_EQ(judged.suspects[1].name, "Functional.linear.0.backward");
  EXPECT_EQ(judged.suspects[1].calls, 2U);
  EXPECT_EQ(judged.suspects[1].distance, 1U);
  EXPECT_TRUE(judged.suspects[1].isCleared) << "all that it put out is equal";
}

TEST(RepeatabilityTest, WhatRunsLaterIsNoSuspect) {
  const Repeatability judged =
      judgeRepeatability(comparedWith({.projected = "P", .gradient = "G", .tableGradient = "T"}));
  ASSERT_TRUE(judged.first);
  EXPECT_EQ(judged.first->rowName, "Functional.linear.0.forward.output.0");
  ASSERT_THAT(judged.suspects, SizeIs(1));
  EXPECT_EQ(judged.suspects[0].title, "matrix products");
  EXPECT_EQ(judged.suspects[0].calls, 1U);
}

TEST(RepeatabilityTest, AnotherParameterIsNoMatterOfDeterminism) {
  const Repeatability judged = judgeRepeatability(comparedWith({.weight = "W", .projected = "P"}));
  ASSERT_TRUE(judged.first);
  EXPECT_EQ(judged.first->kind, CulpritKind::Source);
  EXPECT_EQ(judged.first->rowName, "Functional.linear.0.forward.input.1");
  EXPECT_THAT(judged.suspects, IsEmpty());
  EXPECT_THAT(findingsOf(judged, "step 0"), IsEmpty());
}

TEST(RepeatabilityTest, AnotherProgramIsNoRepetition) {
  const auto candidate = unitOfSums({.projected = "P"});
  candidate->api("Functional.silu", 0);
  candidate->checksum(Role::Output, "0", "s");
  const auto compared = compareUnits(unitOfSums({}), candidate, {.checksums = {"crc32", "crc32"}});
  ASSERT_TRUE(compared);
  const Repeatability judged = judgeRepeatability(*compared);
  EXPECT_TRUE(judged.first);
  EXPECT_FALSE(judged.isRepeat);
  EXPECT_THAT(judged.suspects, IsEmpty());
}

TEST(RepeatabilityTest, CallsInsideAModuleThatStandsBeforeThemComeFirst) {
  const auto build = [](double value) {
    auto unit = std::make_shared<BuiltUnit>();
    const std::size_t module = unit->module("model.layers.0", "Layer");
    unit->recorded(Role::Input, "0", {1, 2});
    unit->recorded(Role::Output, "0", {value, 2});
    unit->api("Torch.cumsum", 0, module);
    unit->recorded(Role::Input, "0", {1, 2});
    unit->recorded(Role::Output, "0", {value, 2});
    return unit;
  };
  const auto compared = compareUnits(build(3), build(3.5), {});
  ASSERT_TRUE(compared);
  const Repeatability judged = judgeRepeatability(*compared);
  ASSERT_TRUE(judged.first);
  EXPECT_EQ(judged.first->name, "Torch.cumsum.0.forward");
  ASSERT_THAT(judged.suspects, SizeIs(1));
  EXPECT_EQ(judged.suspects[0].title, "cumsum");
}

TEST(RepeatabilityTest, ACallBetweenRecordedOnesMayHaveMadeIt) {
  const auto build = [](double value) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->api("Tensor.index_add_", 0);
    unit->recorded(Role::Input, "0", {1, 2});
    unit->recorded(Role::Output, "0", {3, 2});
    unit->api("Functional.silu", 0);
    unit->recorded(Role::Input, "0", {3, 2});
    unit->recorded(Role::Output, "0", {value, 2});
    return unit;
  };
  const auto compared = compareUnits(build(3), build(3.5), {});
  ASSERT_TRUE(compared);
  const Repeatability judged = judgeRepeatability(*compared);
  ASSERT_THAT(judged.suspects, SizeIs(1)) << "silu is none, index_add ran before";
  EXPECT_TRUE(judged.suspects[0].isCleared);
  EXPECT_EQ(judged.suspects[0].distance, 1U);
}

TEST(RepeatabilityTest, WhatACallReadsIsASourceWhereNothingBeforeItPutThatOut) {
  const auto kindWith = [](const std::string& read, bool isMadeBefore) {
    const auto build = [&](const std::string& other) {
      auto unit = std::make_shared<BuiltUnit>();
      unit->api("Functional.silu", 0);
      unit->checksum(Role::Input, "0", "x");
      unit->checksum(Role::Output, "0", isMadeBefore ? read : "y");
      unit->api("Functional.gelu", 0);
      unit->checksum(Role::Input, "0", other);
      unit->checksum(Role::Output, "0", "z");
      return unit;
    };
    const auto compared =
        compareUnits(build(read), build("other"), {.checksums = {"crc32", "crc32"}});
    EXPECT_TRUE(compared);
    const Repeatability judged = judgeRepeatability(*compared);
    EXPECT_TRUE(judged.first);
    return judged.first->kind;
  };
  EXPECT_EQ(kindWith("a", true), CulpritKind::Gap);
  EXPECT_EQ(kindWith("a", false), CulpritKind::Source);
}

TEST(RepeatabilityTest, TheFindingNamesTheTensorAndItsSuspects) {
  const auto findings = findingsOf(judgeRepeatability(comparedWith({.tableGradient = "T"})), "run");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].rule, "repeatability");
  EXPECT_THAT(findings[0].runs, ElementsAre("run"));
  EXPECT_THAT(findings[0].title.text(),
              HasSubstr("Functional.embedding.0.backward.input_gradient.0"));
  EXPECT_THAT(findings[0].explanation.text(),
              HasSubstr("embedding, backward (Functional.embedding.0.backward, here)"));
  EXPECT_THAT(findings[0].explanation.text(),
              HasSubstr("matrix products (Functional.linear.0.backward, 1 call before, 2 calls, "
                        "what it put out agrees)"));
}

}  // namespace

}  // namespace ulp::analysis
