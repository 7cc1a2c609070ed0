#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/origin/collective_call.h"
#include "core/comparing/verdict/dump_comparison.h"
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

/// One rank's part of a step: a product, the sum of all ranks' products, and what is made of it.
struct RankPart {
  double weight = 2;
  double sum = 10;  ///< what all_reduce gives to every rank

  [[nodiscard]] std::shared_ptr<BuiltUnit> unit() const {
    auto built = std::make_shared<BuiltUnit>();
    built->api("Functional.linear", 0);
    add(*built, Role::Input, "0", 1);
    add(*built, Role::Input, "1", weight);
    add(*built, Role::Output, "0", weight);
    built->api("Distributed.all_reduce", 0);
    add(*built, Role::Input, "0", weight);
    add(*built, Role::Output, "0", sum);
    built->api("Functional.silu", 0);
    add(*built, Role::Input, "0", sum);
    add(*built, Role::Output, "0", sum / 2);
    return built;
  }

  static void add(BuiltUnit& built, Role role, const std::string& index, double value) {
    built.recorded(role, index, {value, -value / 2, value / 4});
  }
};

Result<DumpComparison> compared(const std::vector<RankPart>& baseline,
                                const std::vector<RankPart>& candidate) {
  BuiltDump left;
  BuiltDump right;
  for (std::size_t rank = 0; rank < baseline.size(); ++rank) {
    const UnitAxes axes{.step = 0, .rank = static_cast<std::int64_t>(rank)};
    left.add(baseline[rank].unit(), axes);
    right.add(candidate[rank].unit(), axes);
  }
  return compareDumps(left, right, {});
}

TEST(RankOriginTest, WhatAllReduceBroughtIsFollowedToTheRankThatSentIt) {
  const auto comparison = compared({{.weight = 2}, {.weight = 8}},
                                   {{.weight = 2, .sum = 11}, {.weight = 9, .sum = 11}});
  ASSERT_TRUE(comparison) << comparison.error().message();
  ASSERT_THAT(comparison->units[0].verdict.culprits, SizeIs(1));
  const Culprit& here = comparison->units[0].verdict.culprits[0];
  EXPECT_EQ(here.kind, CulpritKind::Received);
  EXPECT_EQ(here.name, "Distributed.all_reduce.0.forward");
  EXPECT_EQ(here.sureness, Sureness::High);
  ASSERT_TRUE(here.remote);
  EXPECT_EQ(here.remote->unit, 1U);
  EXPECT_EQ(here.remote->unitLabel, "step 0, rank 1");
  EXPECT_EQ(here.remote->rowName, "Distributed.all_reduce.0.forward.input.0");
  EXPECT_NEAR(here.remote->error, 0.125, 1e-12);
  EXPECT_EQ(here.remote->origin, "Functional.linear.0.forward");
  EXPECT_EQ(here.remote->rowOfOrigin, "Functional.linear.0.forward.input.1");
  EXPECT_THAT(
      here.reason.text(),
      HasSubstr("received from step 0, rank 1, whose Distributed.all_reduce.0.forward.input.0 "
                "differs by 12.5 %"));
  EXPECT_THAT(
      here.reason.text(),
      HasSubstr("it starts on step 0, rank 1 at Functional.linear.0.forward: its parameter"));
  ASSERT_THAT(comparison->units[1].verdict.culprits, SizeIs(1));
  EXPECT_EQ(comparison->units[1].verdict.culprits[0].name, "Functional.linear.0.forward");
  EXPECT_EQ(comparison->earliest, 1U) << "the rank where it starts, not the first one";
  const report::Report report = toReport(*comparison);
  const auto findings = report::readFindings(report);
  ASSERT_TRUE(findings);
  EXPECT_THAT(findings->front().runs, testing::ElementsAre("step 0, rank 1"));
}

TEST(RankOriginTest, ACommunicationWhoseInputsAllAgreeMadeItItself) {
  const auto comparison = compared({{.weight = 2}, {.weight = 8}},
                                   {{.weight = 2, .sum = 11}, {.weight = 8, .sum = 11}});
  ASSERT_TRUE(comparison);
  for (const UnitOutcome& unit : comparison->units) {
    ASSERT_THAT(unit.verdict.culprits, SizeIs(1));
    EXPECT_EQ(unit.verdict.culprits[0].kind, CulpritKind::Operation);
    EXPECT_FALSE(unit.verdict.culprits[0].remote);
    EXPECT_THAT(unit.verdict.culprits[0].reason.text(),
                HasSubstr("what the other ranks put in accounts for none of it"));
  }
  EXPECT_EQ(comparison->earliest, 0U);
}

/// A rank whose token has a culprit of its own, with what its communications read.
UnitOutcome tokenOutcome(std::int64_t rank, std::size_t culprit, double errorOfSecond) {
  UnitOutcome unit;
  unit.run.axes = UnitAxes{.step = 0, .rank = rank};
  TokenOrigin& origin = unit.tokenOrigin.emplace();
  Culprit& own = origin.verdict.culprits.emplace_back();
  own.entry = culprit;
  own.reason = "puts out an error";
  for (std::size_t call : {0U, 1U}) {
    CollectiveOutcome& collective = origin.collectives.emplace_back();
    collective.entry = call;
    collective.key = "allreduce||" + std::to_string(call);
  }
  origin.collectives[1].inputError = errorOfSecond;
  origin.collectives[1].isInputDifferent = errorOfSecond > 0;
  return unit;
}

TEST(RankOriginTest, ThatACommunicationMadeItItselfIsSaidOnce) {
  // The first rank has its error from the second one, where a communication made it.
  std::vector<UnitOutcome> units{tokenOutcome(0, 1, 0), tokenOutcome(1, 0, 0.5)};
  followRanks(units);
  EXPECT_EQ(units[0].tokenOrigin->verdict.culprits[0].kind, CulpritKind::Received);
  EXPECT_EQ(units[1].tokenOrigin->verdict.culprits[0].reason.text(),
            "puts out an error; what the other ranks put in accounts for none of it, so that the "
            "communication itself, or the order in which it adds, made the error");
}

TEST(CollectivesOfTest, ACallThatTheCandidateLacksCountsAmongThoseBefore) {
  const auto build = [](bool isLogging) {
    auto unit = std::make_shared<BuiltUnit>();
    std::uint64_t call = 0;
    if (isLogging) {
      const std::size_t log = unit->module("log", "Log");
      unit->api("Distributed.all_reduce", call++, log);
      RankPart::add(*unit, Role::Input, "0", 1);
    }
    const std::size_t model = unit->module("model", "Model");
    unit->api("Distributed.all_reduce", call, model);
    RankPart::add(*unit, Role::Input, "0", 2);
    return unit;
  };
  const auto units = compareUnits(build(true), build(false), {});
  ASSERT_TRUE(units);
  const std::vector<CollectiveOutcome> outcomes = collectivesOf(*units);
  ASSERT_THAT(outcomes, SizeIs(1));
  EXPECT_EQ(outcomes[0].key, "allreduce||1") << "as on ranks of which both sides have both calls";
}

TEST(RankOriginTest, AlikeRanksHaveNoCulprit) {
  const auto comparison = compared({{.weight = 2}, {.weight = 8}}, {{.weight = 2}, {.weight = 8}});
  ASSERT_TRUE(comparison);
  EXPECT_FALSE(comparison->earliest);
}

/// A pipeline: rank 0 sends to 1, which sends to 2; the call in front of each may be wrong.
std::shared_ptr<BuiltUnit> stageUnit(std::int64_t rank, double received, double made) {
  auto unit = std::make_shared<BuiltUnit>();
  if (rank > 0) {
    unit->api("Distributed.recv", 0);
    unit->recorded(Role::Input, "0", {static_cast<double>(rank) * 77, made});
    unit->value(Role::Input, "src", std::to_string(rank - 1));
    unit->recorded(Role::Output, "0", {received, 1});
  }
  unit->api("Functional.linear", 0);
  unit->recorded(Role::Input, "0", {received, 1});
  unit->recorded(Role::Output, "0", {made, 1});
  if (rank < 2) {
    unit->api("Distributed.send", 0);
    unit->recorded(Role::Input, "0", {made, 1});
    unit->value(Role::Input, "1", std::to_string(rank + 1));
  }
  return unit;
}

TEST(RankOriginTest, SendAndRecvAreFollowedThroughSeveralRanks) {
  BuiltDump baseline;
  BuiltDump candidate;
  const double good[]{2, 4, 8, 16};
  const double bad[]{2, 5, 10, 20};
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const UnitAxes axes{.step = 3, .rank = rank};
    baseline.add(stageUnit(rank, good[at], good[at + 1]), axes);
    candidate.add(stageUnit(rank, bad[at], bad[at + 1]), axes);
  }
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  ASSERT_THAT(comparison->units[2].verdict.culprits, SizeIs(1));
  const Culprit& last = comparison->units[2].verdict.culprits[0];
  EXPECT_EQ(last.kind, CulpritKind::Received);
  EXPECT_EQ(last.name, "Distributed.recv.0.forward");
  EXPECT_THAT(last.reason.text(), HasSubstr("received from step 3, rank 1"));
  ASSERT_TRUE(last.remote);
  EXPECT_EQ(last.remote->unit, 0U) << "where it starts, two ranks away";
  EXPECT_EQ(last.remote->origin, "Functional.linear.0.forward");
  EXPECT_EQ(comparison->earliest, 0U);
}

TEST(RankOriginTest, TheEarliestStepComesFirst) {
  BuiltDump baseline;
  BuiltDump candidate;
  for (std::int64_t step = 0; step < 3; ++step) {
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      const bool isWrong = step > 0 && (rank == 1 || step == 2);
      const UnitAxes axes{.step = step, .rank = rank};
      baseline.add(RankPart{}.unit(), axes);
      candidate.add(RankPart{.weight = isWrong ? 3.0 : 2.0}.unit(), axes);
    }
  }
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison);
  ASSERT_TRUE(comparison->earliest);
  EXPECT_EQ(comparison->units[*comparison->earliest].label, "step 1, rank 1");
}

/// Gradients that ranks add up while they go backward.
std::shared_ptr<BuiltUnit> gradientUnit(double gradient) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->api("Functional.linear", 0);
  unit->recorded(Role::Input, "0", {1, 2});
  unit->recorded(Role::Output, "0", {3, 4});
  unit->entry({.name = "Functional.linear.0.backward",
               .kind = dumps::EntryKind::Api,
               .pass = Pass::Backward,
               .operation = "Functional.linear"});
  unit->recorded(Role::OutputGradient, "0", {1, 1});
  unit->recorded(Role::InputGradient, "0", {gradient, 1});
  unit->api("Distributed.all_reduce", 0);
  unit->recorded(Role::Input, "0", {gradient * 2, 1});
  unit->recorded(Role::Output, "0", {gradient * 4, 1});
  return unit;
}

TEST(RankOriginTest, CommunicationAmongBackwardCallsIsJudgedAmongThem) {
  BuiltDump baseline;
  BuiltDump candidate;
  baseline.add(gradientUnit(5));
  candidate.add(gradientUnit(9));
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison);
  ASSERT_THAT(comparison->units[0].verdict.culprits, SizeIs(1));
  EXPECT_EQ(comparison->units[0].verdict.culprits[0].name, "Functional.linear.0.backward");
}

TEST(CollectiveCallTest, CallsOfDistributedAreToldFromThoseOfTensors) {
  const auto isOne = [](const std::string& operation) {
    return isCollective({.name = {}, .kind = dumps::EntryKind::Api, .operation = operation});
  };
  for (const char* operation : {"Distributed.all_reduce",
                                "Distributed.all_gather_into_tensor",
                                "Distributed._reduce_scatter_base",
                                "MintDistributed.isend",
                                "Distributed.gather"}) {
    EXPECT_TRUE(isOne(operation)) << operation;
  }
  for (const char* operation : {"Torch.gather", "Tensor.scatter", "Torch.sum", "Distributed"}) {
    EXPECT_FALSE(isOne(operation)) << operation;
  }
}

TEST(CollectiveCallTest, MemoryThatACallFillsIsNoInput) {
  BuiltUnit unit;
  unit.axes.rank = 1;
  const auto isFilledAt = [&](const std::string& operation, const std::string& index) {
    const std::size_t entry = unit.api(operation, 0);
    unit.recorded(Role::Input, index, {1, 2});
    return isFilled(unit, entry, unit.rows.size() - 1);
  };
  EXPECT_TRUE(isFilledAt("Distributed.all_gather_into_tensor", "0"));
  EXPECT_FALSE(isFilledAt("Distributed.all_gather_into_tensor", "1"));
  EXPECT_TRUE(isFilledAt("Distributed.all_gather", "0.3"));
  EXPECT_TRUE(isFilledAt("Distributed.all_gather", "tensor_list.1"));
  EXPECT_FALSE(isFilledAt("Distributed.all_reduce", "0"));
  EXPECT_TRUE(isFilledAt("Distributed.irecv", "tensor"));
  EXPECT_TRUE(isFilledAt("Tensor.copy_", "0"));
  EXPECT_FALSE(isFilledAt("Tensor.copy_", "1"));
  EXPECT_FALSE(isFilledAt("Tensor.add_", "0"));
  for (const auto& [source, isFilledThere] : {std::pair{"0", true}, std::pair{"1", false}}) {
    const std::size_t entry = unit.api("Distributed.broadcast", 0);
    unit.recorded(Role::Input, "0", {1, 2});
    unit.value(Role::Input, "src", source);
    EXPECT_EQ(isFilled(unit, entry, unit.rows.size() - 2), isFilledThere) << source;
  }
}

TEST(CollectiveCallTest, MemoryThatNobodyWroteIsNobodysError) {
  const auto build = [](double leftover) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->api("Torch.empty", 0);
    unit->recorded(Role::Output, "0", {leftover, 1});
    unit->api("Distributed.all_gather_into_tensor", 0);
    unit->recorded(Role::Input, "0", {leftover, 1});
    unit->recorded(Role::Input, "1", {3, 4});
    unit->recorded(Role::Output, "0", {3, 4});
    return unit;
  };
  BuiltDump baseline;
  baseline.add(build(7));
  BuiltDump candidate;
  candidate.add(build(-1e9));
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison);
  EXPECT_THAT(comparison->units[0].verdict.culprits, IsEmpty());
}

TEST(CollectiveCallTest, CallsOfOneGroupAreCountedApart) {
  const auto build = [](bool hasOther) {
    auto unit = std::make_shared<BuiltUnit>();
    if (hasOther) {
      unit->api("Distributed.all_reduce", 0);
      unit->recorded(Role::Input, "0", {1, 2});
      unit->value(Role::Input, "group", "[0, 2]");
    }
    unit->api("Distributed.all_reduce", hasOther ? 1 : 0);
    unit->recorded(Role::Input, "0", {1, 2});
    unit->value(Role::Input, "group", "[0, 1]");
    const auto compared = compareUnits(unit, unit, {});
    EXPECT_TRUE(compared);
    return collectivesOf(*compared).back().key;
  };
  EXPECT_EQ(build(true), build(false));
}

}  // namespace
}  // namespace ulp::analysis
