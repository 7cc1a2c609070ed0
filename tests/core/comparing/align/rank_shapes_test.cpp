#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/ranks/merged_shards.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// A module's output, [rows, columns], elements from `first` on.
struct Piece {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> values{};
};

std::shared_ptr<BuiltUnit> callOf(const Piece& piece, Role role = Role::Output) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->api("Tensor.__mul__", 0);
  unit->tensor(role, "1", piece.values);
  unit->shape({piece.rows, piece.columns});
  float sum = 0;
  for (const float value : piece.values) {
    sum += value;
  }
  unit->rows.back().statistics = {.max = sum, .min = sum, .mean = sum, .norm = sum};
  return unit;
}

void addGradient(BuiltUnit& unit, const Piece& piece) {
  unit.entry({.name = "Tensor.__mul__.0.backward",
              .kind = dumps::EntryKind::Api,
              .pass = Pass::Backward,
              .operation = "Tensor.__mul__"});
  unit.tensor(Role::InputGradient, "1", piece.values);
  unit.shape({piece.rows, piece.columns});
}

UnitOutcome comparedWith(const std::shared_ptr<BuiltUnit>& whole,
                         const std::vector<std::shared_ptr<BuiltUnit>>& ranks,
                         const RankLayout& layout) {
  BuiltDump one;
  one.path = "one";
  one.add(whole, {.step = 0});
  auto several = std::make_shared<BuiltDump>();
  several->path = "several";
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    several->add(ranks[rank], {.step = 0, .rank = static_cast<std::int64_t>(rank)});
  }
  DumpRules rules;
  rules.candidateRanks = layout;
  const auto merged = mergeShards(several, rules, false);
  EXPECT_TRUE(merged) << merged.error().message();
  auto comparison = compareDumps(one, **merged, {});
  EXPECT_TRUE(comparison) << comparison.error().message();
  return std::move(comparison->units.front());
}

TEST(RankShapes, PartsAlongTheDimensionWhoseSizesAddUpAreTheWhole) {
  const UnitOutcome outcome = comparedWith(callOf({2, 3, {0, 1, 2, 3, 4, 5}}),
                                           {callOf({2, 1, {0, 3}}), callOf({2, 2, {1, 2, 4, 5}})},
                                           {.tensor = {{0, 1}}});
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_EQ(outcome.equalRows, 1U);
  EXPECT_THAT(outcome.replicas, IsEmpty());
  EXPECT_THAT(textsOf(outcome.notes),
              Contains(HasSubstr("1 tensors of several ranks are put together as the shapes of "
                                 "the other side say: Tensor.__mul__.0.forward.output.1")));
  // Sequence first.
  const UnitOutcome other = comparedWith(callOf({2, 2, {0, 1, 2, 3}}),
                                         {callOf({2, 1, {0, 2}}), callOf({2, 1, {1, 3}})},
                                         {.data = {{0, 1}}});
  EXPECT_EQ(other.equalRows, 1U);
}

TEST(RankShapes, WhatAllRanksReadAlikeIsOneAndItsGradientASum) {
  const Piece table{2, 2, {1, 2, 3, 4}};
  const auto whole = callOf(table, Role::Input);
  addGradient(*whole, {2, 2, {4, 6, 8, 10}});
  const auto first = callOf(table, Role::Input);
  addGradient(*first, {2, 2, {1, 2, 3, 4}});
  const auto second = callOf(table, Role::Input);
  addGradient(*second, {2, 2, {7, 10, 13, 16}});
  const UnitOutcome outcome =
      comparedWith(whole, {first, second}, {.data = {{0, 1}}, .gradientDivisor = 2});
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_EQ(outcome.equalRows, 2U);
  // Of statistics alone.
  const auto recorded = [&table] {
    auto unit = std::make_shared<BuiltUnit>();
    unit->api("Tensor.__mul__", 0);
    unit->recorded(Role::Input, "1", {table.values.begin(), table.values.end()});
    unit->shape({2, 2});
    return unit;
  };
  EXPECT_EQ(comparedWith(recorded(), {recorded(), recorded()}, {.data = {{0, 1}}}).equalRows, 1U);
}

TEST(RankShapes, WhatAllRanksOfBothSidesReadAlikeIsOneOnBoth) {
  const auto rankOf = [](float first) {
    auto unit = callOf({2, 2, {1, 2, 3, 4}}, Role::Input);
    addGradient(*unit, {2, 2, {first, 2, 3, 4}});
    return unit;
  };
  const auto several = [&](const std::vector<float>& firsts) {
    auto dump = std::make_shared<BuiltDump>();
    for (const float first : firsts) {
      dump->add(rankOf(first), {.step = 0, .rank = static_cast<std::int64_t>(dump->units.size())});
    }
    return dump;
  };
  DumpRules rules;
  rules.baselineRanks = RankLayout{.data = {{0, 1}}, .gradientDivisor = 2};
  rules.candidateRanks = RankLayout{.data = {{0, 1, 2, 3}}, .gradientDivisor = 4};
  const auto two = mergeShards(several({1, 3}), rules, true);
  const auto four = mergeShards(several({2, 2, 1, 3}), rules, false);
  ASSERT_TRUE(two && four);
  const auto comparison = compareDumps(**two, **four, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  EXPECT_THAT(comparison->units.front().shapesDiffer, IsEmpty());
  EXPECT_EQ(comparison->units.front().equalRows, 2U);
}

TEST(RankShapes, CountsOfAShareOfTheBatchAreNotCompared) {
  const auto counting = [](const std::string& tokens, double value) {
    auto unit = callOf({1, 1, {1}});
    unit->value(Role::Input, "2", tokens);
    unit->recorded(Role::Output, "3", {value});
    unit->shape({});
    unit->rows.back().dtype = "torch.int64";
    return unit;
  };
  const RankLayout layout{.data = {{0, 1}}};
  const UnitOutcome outcome =
      comparedWith(counting("36", 36), {counting("18", 18), counting("18", 18)}, layout);
  EXPECT_THAT(outcome.verdict.culprits, IsEmpty());
  EXPECT_THAT(textsOf(outcome.notes),
              Contains(HasSubstr("2 numbers count what a rank has of the batch, and are not "
                                 "compared: Tensor.__mul__.0.forward.input.2; ")));
  const UnitOutcome other =
      comparedWith(counting("35", 36), {counting("18", 18), counting("18", 18)}, layout);
  EXPECT_EQ(other.verdict.culprits.size(), 1U);
}

TEST(RankShapes, WhatDiffersAmongRanksOrDoesNotAddUpStays) {
  const UnitOutcome other =
      comparedWith(callOf({1, 2, {1, 2}}, Role::Input),
                   {callOf({1, 2, {1, 2}}, Role::Input), callOf({1, 2, {1, 3}}, Role::Input)},
                   {.data = {{0, 1}}});
  ASSERT_EQ(other.shapesDiffer.size(), 1U);
  EXPECT_EQ(other.shapesDiffer[0].name, "Tensor.__mul__.0.forward.input.1");
  EXPECT_THAT(textsOf(other.notes), IsEmpty());
  const UnitOutcome odd = comparedWith(callOf({2, 4, {0, 1, 2, 3, 4, 5, 6, 7}}),
                                       {callOf({2, 1, {0, 4}}), callOf({2, 1, {1, 5}})},
                                       {.tensor = {{0, 1}}});
  ASSERT_EQ(odd.shapesDiffer.size(), 1U);
  EXPECT_EQ(odd.shapesDiffer[0].name, "Tensor.__mul__.0.forward.output.1");
}

}  // namespace
}  // namespace ulp::analysis
