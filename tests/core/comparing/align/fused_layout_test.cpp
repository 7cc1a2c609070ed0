#include "core/comparing/align/fused_layout.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using Shape = std::vector<std::int64_t>;

TEST(FindCutTest, TheDimensionIsTheOneThatAddsUp) {
  const Shape whole{3, 16};
  const std::vector<Shape> parts{{3, 8}, {3, 4}, {3, 4}};
  const auto cut = findCut(whole, parts, std::nullopt, true);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->dim, 1U);
  EXPECT_THAT(cut->sizes, ElementsAre(8, 4, 4));
  EXPECT_FALSE(findCut(whole, parts, 0, true)) << "only the wanted one is looked at";
  EXPECT_TRUE(findCut(whole, parts, -1, true));
  EXPECT_FALSE(findCut(whole, parts, 2, true)) << "there is no such dimension";
}

TEST(FindCutTest, DimensionsOfSizeOneInFrontDoNotMatter) {
  EXPECT_TRUE(findCut(Shape{1, 3, 6}, std::vector<Shape>{{3, 4}, {3, 2}}, std::nullopt, false));
  EXPECT_TRUE(findCut(Shape{3, 6}, std::vector<Shape>{{1, 3, 4}, {1, 3, 2}}, std::nullopt, false));
}

TEST(FindCutTest, OtherSizesAreNoParts) {
  EXPECT_FALSE(findCut(Shape{3, 6}, std::vector<Shape>{{3, 4}, {3, 1}}, std::nullopt, false));
  EXPECT_FALSE(findCut(Shape{3, 6}, std::vector<Shape>{{2, 4}, {2, 2}}, std::nullopt, false));
  EXPECT_FALSE(findCut(Shape{0, 0}, std::vector<Shape>{{0, 0}, {0, 0}}, std::nullopt, false));
  EXPECT_FALSE(findCut(Shape{}, std::vector<Shape>{{}, {}}, std::nullopt, false));
}

TEST(FusedLayoutTest, EveryGroupHasAPieceOfEachPart) {
  const FusedCut cut{.dim = 0, .sizes = {4, 2, 2}};
  EXPECT_THAT(possibleGroups(cut), ElementsAre(1, 2));
  EXPECT_THAT(runsOf(cut, 1, 1), ElementsAre(dumps::Run{4, 2}));
  EXPECT_THAT(runsOf(cut, 0, 2), ElementsAre(dumps::Run{0, 2}, dumps::Run{4, 2}));
  EXPECT_THAT(runsOf(cut, 2, 2), ElementsAre(dumps::Run{3, 1}, dumps::Run{7, 1}));
}

TEST(FusedLayoutTest, TheErrorTellsTheLayout) {
  // Two rows: q q k, q q k.
  const std::array<float, 12> whole{1, 2, 5, 3, 4, 6, 11, 12, 15, 13, 14, 16};
  const std::array<float, 8> q{1, 2, 3, 4, 11, 12, 13, 14};
  const std::array<float, 4> k{5, 6, 15, 16};
  const std::array<numerics::TensorView, 2> parts{
      numerics::TensorView{q.data(), DType::Float32, {2, 4}},
      numerics::TensorView{k.data(), DType::Float32, {2, 2}}};
  const FusedCut cut{.dim = 1, .sizes = {4, 2}};
  const std::vector<std::int64_t> groups = possibleGroups(cut);
  const auto errors = layoutErrors({whole.data(), DType::Float32, {2, 6}}, parts, cut, groups);
  ASSERT_THAT(groups, ElementsAre(1, 2));
  // Each row as one group: 5 - 3, 3 - 4 of q, 4 - 5, 6 - 6 of k.
  EXPECT_THAT(errors, ElementsAre(2 * (4 + 1 + 1), 0));
  EXPECT_EQ(bestGroups(groups, errors), 2);
  EXPECT_EQ(bestGroups(groups, std::array<double, 2>{1, 0.5}), 1) << "not clearly better";
  EXPECT_EQ(bestGroups(groups, std::array<double, 2>{0, 0}), 1);
}

TEST(FusedLayoutTest, UpTo1024GroupsAreTried) {
  const auto groups = possibleGroups({.dim = 0, .sizes = {1025 * 1024, 2 * 1025 * 1024}});
  EXPECT_EQ(groups.front(), 1);
  EXPECT_EQ(groups.back(), 1024) << "and not 1025, which divides both as well";
  EXPECT_THAT(possibleGroups({.dim = 0, .sizes = {6, 4}}), ElementsAre(1, 2));
}

TEST(FusedLayoutTest, OfManyLinesSixteenAreLookedAt) {
  // 32 rows of two parts of one column each: every other row is a sample.
  const FusedCut cut{.dim = 1, .sizes = {1, 1}};
  const auto errorAt = [&](std::size_t row) {
    std::array<float, 64> whole{};
    const std::array<float, 32> part{};
    whole[2 * row + 1] = 3;
    const numerics::TensorView own{part.data(), DType::Float32, {32, 1}};
    return layoutErrors({whole.data(), DType::Float32, {32, 2}},
                        std::array{own, own},
                        cut,
                        std::array<std::int64_t, 1>{1})
        .front();
  };
  for (std::size_t row = 0; row < 32; ++row) {
    EXPECT_EQ(errorAt(row), row % 2 == 0 ? 9 : 0) << row;
  }
}

TEST(FindCutTest, PartsMayBeOneWide) {
  const auto cut = findCut(Shape{3, 3}, std::vector<Shape>{{3, 1}, {3, 2}}, std::nullopt, true);
  ASSERT_TRUE(cut);
  EXPECT_THAT(cut->sizes, ElementsAre(1, 2));
}

}  // namespace
}  // namespace ulp::analysis
