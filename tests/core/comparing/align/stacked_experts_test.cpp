#include <array>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/align/alignment_passes.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/core/comparing/compared_units.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/small_matrices.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/sanitizers.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using test::compared;
using test::counted;
using test::Matrix;
using test::transposed;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kExperts = 2;
constexpr std::size_t kWidth = 3;
constexpr std::size_t kHidden = 2;
const std::string kList = "model.layers.0.mlp.experts";

Matrix gateOf(int expert) {
  return counted(kHidden, kWidth, expert + 1);
}
Matrix upOf(int expert) {
  return counted(kHidden, kWidth, expert + 5);
}
Matrix downOf(int expert) {
  return counted(kWidth, kHidden, expert + 8);
}

struct Names {
  std::string gate = "gate_proj";
  std::string up = "up_proj";
  std::string down = "down_proj";
};

std::shared_ptr<BuiltUnit> expertByExpert(bool isFile, const Names& names = {}) {
  auto unit = std::make_shared<BuiltUnit>();
  const auto add = [&](int expert, const std::string& name, const Matrix& weight) {
    const std::string path = kList + "." + std::to_string(expert) + "." + name;
    if (isFile) {
      unit->entry({.name = path + ".weight", .kind = EntryKind::Tensor});
      unit->matrix(Role::Value, "", weight, false);
    } else {
      unit->module(path, "Linear");
      unit->matrix(Role::Parameter, "weight", weight, false);
    }
  };
  for (int expert = 0; expert < kExperts; ++expert) {
    add(expert, names.gate, gateOf(expert));
    add(expert, names.up, upOf(expert));
    add(expert, names.down, downOf(expert));
  }
  return unit;
}

/// Gate and up of an expert in one.
Matrix gateAndUp(int expert) {
  Matrix both = gateOf(expert);
  const Matrix up = upOf(expert);
  both.insert(both.end(), up.begin(), up.end());
  return both;
}

struct Stacking {
  bool isFile = false;
  bool isTransposed = false;
  bool isRecorded = false;
  std::string gateUp = "gate_up_proj";
  std::string down = "down_proj";
};

std::shared_ptr<BuiltUnit> allInOne(const Stacking& how) {
  auto unit = std::make_shared<BuiltUnit>();
  if (!how.isFile) {
    unit->module(kList, "Experts");
  }
  const auto add = [&](const std::string& name, const auto& matrixOf) {
    Matrix all;
    std::vector<std::int64_t> shape{kExperts};
    for (int expert = 0; expert < kExperts; ++expert) {
      const Matrix one = how.isTransposed ? transposed(matrixOf(expert)) : matrixOf(expert);
      all.insert(all.end(), one.begin(), one.end());
      shape = {kExperts,
               static_cast<std::int64_t>(one.size()),
               static_cast<std::int64_t>(one.front().size())};
    }
    if (how.isFile) {
      unit->entry({.name = kList + "." + name, .kind = EntryKind::Tensor});
    }
    unit->matrix(
        how.isFile ? Role::Value : Role::Parameter, how.isFile ? "" : name, all, how.isRecorded);
    unit->shape(shape);
  };
  add(how.gateUp, gateAndUp);
  add(how.down, downOf);
  return unit;
}

void expectEqual(const UnitOutcome& outcome) {
  EXPECT_THAT(outcome.onlyBaseline, IsEmpty());
  EXPECT_THAT(outcome.onlyCandidate, IsEmpty());
  EXPECT_THAT(outcome.problems, IsEmpty());
  EXPECT_EQ(outcome.pairedRows, 3U * kExperts);
  EXPECT_EQ(outcome.equalRows, 3U * kExperts);
  EXPECT_THAT(textsOf(outcome.notes),
              Contains("2 tensors of all experts are compared expert by expert"));
}

TEST(StackedExpertsTest, EitherSideMayHoldThemInOne) {
  expectEqual(compared(expertByExpert(false), allInOne({})));
  expectEqual(compared(allInOne({}), expertByExpert(false)));
}

TEST(StackedExpertsTest, ExpertsMayLieTheOtherWayRound) {
  expectEqual(compared(expertByExpert(false), allInOne({.isTransposed = true})));
}

TEST(StackedExpertsTest, CheckpointsHoldThemByName) {
  expectEqual(compared(expertByExpert(true), allInOne({.isFile = true})));
}

TEST(StackedExpertsTest, NamesOfOtherModelsAreKnown) {
  expectEqual(compared(expertByExpert(false, {"w1", "w3", "w2"}),
                       allInOne({.gateUp = "w13_weight", .down = "w2_weight"})));
}

TEST(StackedExpertsTest, NamesReadAsTheMappingSays) {
  auto other = std::make_shared<BuiltUnit>();
  other->module("net.0.moe.experts", "Experts");
  other->tensor(Role::Parameter, "down_proj", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  other->shape({kExperts, kWidth, kHidden});
  auto own = std::make_shared<BuiltUnit>();
  own->module(kList + ".1.down_proj", "Linear");
  own->tensor(Role::Parameter, "weight", {6, 7, 8, 9, 10, 11});
  own->shape({kWidth, kHidden});
  const UnitOutcome outcome =
      compared(own, other, "rules: [{match: '^net\\.0\\.moe', replace: model.layers.0.mlp}]\n");
  EXPECT_EQ(outcome.equalRows, 1U);
  EXPECT_THAT(outcome.onlyCandidate, SizeIs(1)) << "of expert 0 the baseline has nothing";
}

TEST(StackedExpertsTest, StatisticsOfAllDoNotTellThoseOfOne) {
  const UnitOutcome outcome = compared(expertByExpert(false), allInOne({.isRecorded = true}));
  EXPECT_THAT(outcome.onlyBaseline, SizeIs(6));
  ASSERT_THAT(outcome.onlyCandidate, SizeIs(2));
  EXPECT_THAT(outcome.reasons.candidate.at(outcome.onlyCandidate.front().name),
              HasSubstr("no elements were recorded"));
}

TEST(StackedExpertsTest, WhatDoesNotAddUpSaysWhy) {
  auto other = std::make_shared<BuiltUnit>();
  other->module(kList, "Experts");
  other->tensor(Role::Parameter, "down_proj", {0, 1, 2, 3, 4, 5, 6, 7});
  other->shape({kExperts, 2, 2});
  const UnitOutcome outcome = compared(expertByExpert(false), other);
  ASSERT_THAT(outcome.onlyCandidate, SizeIs(1));
  EXPECT_EQ(outcome.reasons.candidate.at(outcome.onlyCandidate.front().name),
            "[2, 2] of an expert is not made of [3, 2]");
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty()) << "nothing was taken apart";
}

/// Experts whose hidden size is the intermediate one: all matrices are square.
struct Square {
  bool hasGateUp = true;
  bool isTransposed = false;
};

std::shared_ptr<BuiltUnit> squareByExpert(const Square& how) {
  auto unit = std::make_shared<BuiltUnit>();
  for (int expert = 0; expert < kExperts; ++expert) {
    const auto add = [&](const std::string& name, int seed) {
      unit->module(kList + "." + std::to_string(expert) + "." + name, "Linear");
      unit->matrix(Role::Parameter, "weight", counted(3, 3, seed + expert), false);
    };
    if (how.hasGateUp) {
      add("gate_proj", 1);
      add("up_proj", 5);
    }
    add("down_proj", 8);
  }
  return unit;
}

std::shared_ptr<BuiltUnit> squareInOne(const Square& how) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module(kList, "Experts");
  const auto add = [&](const std::string& name, const std::vector<int>& seeds) {
    Matrix all;
    const auto rows = static_cast<std::int64_t>(3 * seeds.size());
    for (int expert = 0; expert < kExperts; ++expert) {
      Matrix one;
      for (const int seed : seeds) {
        const Matrix part = counted(3, 3, seed + expert);
        one.insert(one.end(), part.begin(), part.end());
      }
      one = how.isTransposed ? transposed(one) : one;
      all.insert(all.end(), one.begin(), one.end());
    }
    unit->matrix(Role::Parameter, name, all, false);
    unit->shape({kExperts, how.isTransposed ? 3 : rows, how.isTransposed ? rows : 3});
  };
  // Before what tells its way round.
  add("down_proj", {8});
  if (how.hasGateUp) {
    add("gate_up_proj", {1, 5});
  }
  return unit;
}

TEST(StackedExpertsTest, SquareExpertsLieAsTheirGateAndUpDo) {
  for (const bool isTransposed : {false, true}) {
    expectEqual(compared(squareByExpert({}), squareInOne({.isTransposed = isTransposed})));
    expectEqual(compared(squareInOne({.isTransposed = isTransposed}), squareByExpert({})));
  }
}

TEST(StackedExpertsTest, ALoneSquareTensorLiesAsItsElementsAgree) {
  for (const bool isTransposed : {false, true}) {
    const Square how{.hasGateUp = false, .isTransposed = isTransposed};
    EXPECT_EQ(compared(squareByExpert(how), squareInOne(how)).equalRows, 2U);
  }
}

/// Gate and up that are half as long as they are wide are a square together.
TEST(StackedExpertsTest, GateAndUpThatAreSquareTogetherLieAsTheirElementsAgree) {
  for (const bool isTransposed : {false, true}) {
    auto own = std::make_shared<BuiltUnit>();
    Matrix both;
    for (const auto& [name, seed] : {std::pair("gate_proj", 1), std::pair("up_proj", 5)}) {
      const Matrix part = counted(2, 4, seed);
      own->module(kList + ".0." + name, "Linear");
      own->matrix(Role::Parameter, "weight", part, false);
      both.insert(both.end(), part.begin(), part.end());
    }
    auto other = std::make_shared<BuiltUnit>();
    other->module(kList, "Experts");
    other->matrix(Role::Parameter, "gate_up_proj", isTransposed ? transposed(both) : both, false);
    other->shape({1, 4, 4});
    EXPECT_EQ(compared(own, other).equalRows, 2U) << isTransposed;
  }
}

TEST(StackedExpertsTest, WithoutElementsOfOneExpertASquareTensorIsListed) {
  const Square how{.hasGateUp = false};
  auto own = std::make_shared<BuiltUnit>();
  own->module(kList + ".0.down_proj", "Linear");
  own->matrix(Role::Parameter, "weight", counted(3, 3, 8), true);
  const UnitOutcome outcome = compared(own, squareInOne(how));
  ASSERT_THAT(outcome.onlyCandidate, SizeIs(1));
  EXPECT_EQ(outcome.reasons.candidate.at(outcome.onlyCandidate.front().name),
            "square: which way round cannot be told");
}

TEST(StackedExpertsTest, TransposedNoneLeavesTheWayRound) {
  const Square how{.hasGateUp = false, .isTransposed = true};
  EXPECT_EQ(compared(squareByExpert(how), squareInOne(how), "transposed: none\n").equalRows, 0U);
  const UnitOutcome oblong =
      compared(expertByExpert(false), allInOne({.isTransposed = true}), "transposed: none\n");
  EXPECT_THAT(oblong.onlyCandidate, SizeIs(2));
}

TEST(StackedExpertsTest, ShapesOfDamagedDumpsAreNotCountedThrough) {
  for (const std::int64_t experts : {std::int64_t{9'000'000'000'000'000'000}, std::int64_t{-1}}) {
    const auto other = allInOne({});
    for (auto& row : other->rows) {
      row.shape.front() = experts;
    }
    UnitSides units{expertByExpert(false), other};
    ASSERT_TRUE(splitExperts(units, {SiteMapping()}));
    EXPECT_EQ(units.candidate, other);
  }
}

TEST(StackedExpertsTest, NoneLeavesThemAsTheyAre) {
  const UnitOutcome outcome = compared(expertByExpert(false), allInOne({}), "fused: none\n");
  EXPECT_THAT(outcome.onlyCandidate, SizeIs(2));
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
}

TEST(StackedExpertsTest, PiecesAreNamedByExpertAndPartInTheirOrder) {
  UnitSides units{expertByExpert(false), allInOne({})};
  ASSERT_TRUE(splitExperts(units, {SiteMapping()}));
  std::vector<std::string> modules;
  std::vector<std::string> rows;
  for (const dumps::DumpEntry& entry : units.candidate->entries) {
    for (const std::size_t row : entry.rows()) {
      modules.push_back(entry.module);
      rows.push_back(units.candidate->rows[row].name);
      EXPECT_EQ(units.candidate->rows[row].index, "weight");
    }
  }
  EXPECT_THAT(modules,
              testing::ElementsAre(kList + ".0.gate_proj",
                                   kList + ".0.up_proj",
                                   kList + ".1.gate_proj",
                                   kList + ".1.up_proj",
                                   kList + ".0.down_proj",
                                   kList + ".1.down_proj"));
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_THAT(rows[1], testing::EndsWith("[0.up_proj]"));
  EXPECT_THAT(rows[2], testing::EndsWith("[1.gate_proj]"));
  EXPECT_THAT(units.candidate->rows[2].shape, testing::ElementsAre(1, kHidden, kWidth));
}

TEST(StackedExpertsTest, ACallWithinTheExpertsStaysWithThePieceThatItBelongsTo) {
  auto other = allInOne({});
  other->api("Functional.silu", 0, 0);
  other->tensor(Role::Output, "0", {1});
  UnitSides units{expertByExpert(false), other};
  ASSERT_TRUE(splitExperts(units, {SiteMapping()}));
  const dumps::DumpEntry& call = units.candidate->entries.back();
  EXPECT_EQ(call.operation, "Functional.silu");
  ASSERT_LT(call.parent, units.candidate->entries.size());
  EXPECT_EQ(units.candidate->entries[call.parent].module, kList + ".0.gate_proj")
      << "the first piece of the call that enclosed it";
}

/// Of each list the expert's tensor was looked for among all that its call has.
TEST(StackedExpertsTest, AnExpertOfManyTensorsTakesATimeThatGrowsWithTheirNumber) {
  constexpr int kRows = 100'000;
  const auto one = std::make_shared<BuiltUnit>();
  one->module(kList + ".0.down_proj", "Linear");
  for (int i = 0; i < kRows; ++i) {
    one->recorded(Role::Parameter, std::to_string(i), {1, 2});
  }
  const auto other = std::make_shared<BuiltUnit>();
  other->module(kList, "Experts");
  for (int i = 0; i < kRows; ++i) {
    other->recorded(Role::Parameter, "down_proj", {1, 2});
    other->shape({1, 2});
  }
  UnitSides units{one, other};
  const double before = test::processSeconds();
  ASSERT_TRUE(splitExperts(units, {SiteMapping()}));
  EXPECT_EQ(units.candidate, other);
  EXPECT_LT(test::processSeconds() - before, 8 * test::sanitizerFactor())
      << "minutes where it grows with the square";
}

TEST(StackedExpertsTest, AsManyExpertsAsAnyModelHasAreCountedThrough) {
  for (const std::int64_t experts : {65'536, 65'537}) {
    const auto other = allInOne({});
    for (auto& row : other->rows) {
      row.shape.front() = experts;
    }
    UnitSides units{expertByExpert(false), other};
    ASSERT_TRUE(splitExperts(units, {SiteMapping()}));
    EXPECT_EQ(units.candidate == other, experts > 65'536) << experts;
  }
}

}  // namespace
}  // namespace ulp::analysis
