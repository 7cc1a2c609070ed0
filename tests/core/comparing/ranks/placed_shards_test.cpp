#include "core/comparing/ranks/placed_shards.h"

#include <gtest/gtest.h>

#include "core/numerics/tensor_view.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Placement;
using test::BuiltUnit;
using Kind = dumps::Placement::Kind;

constexpr std::int64_t kPlacedColumns = 2;

/// A part of rows of two columns that count up from `first`, on a rank at `coordinate`.
PlacedShard placedPart(std::vector<Placement::Axis> axes, float first, std::int64_t rows) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("up");
  std::vector<float> values;
  for (std::int64_t i = 0; i < rows * kPlacedColumns; ++i) {
    values.push_back(first + static_cast<float>(i));
  }
  unit->tensor(dumps::Role::ParameterGradient, "weight", values);
  unit->shape({rows, kPlacedColumns});
  unit->rows.back().statistics = {.max = values.empty() ? 0 : values.back(), .min = first};
  unit->rows.back().placement =
      std::make_shared<Placement>(Placement{.axes = std::move(axes), .shape = {4, kPlacedColumns}});
  return {unit->rows.back(), dumps::rowRecipe(unit, 0)};
}

Placement::Axis along(Kind kind, std::int64_t coordinate, std::int64_t dim = 0) {
  return {.kind = kind, .dim = dim, .size = 2, .coordinate = coordinate};
}

std::vector<double> elementsOf(const PlacedShard& part) {
  const auto tensor = dumps::makeTensor(part.recipe);
  EXPECT_TRUE(tensor) << tensor.error().message();
  std::vector<double> values;
  for (std::size_t i = 0; tensor && i < tensor->view.count(); ++i) {
    values.push_back(numerics::elementAt(tensor->view, i));
  }
  return values;
}

using Parts = std::vector<PlacedShard>;
using Values = std::vector<double>;

TEST(PlacedShards, PartsAreOneBehindTheOtherWhateverTheOrderOfTheRanks) {
  const Parts parts{placedPart({along(Kind::Shard, 1)}, 6, 1),
                    placedPart({along(Kind::Shard, 0)}, 0, 3)};
  ASSERT_TRUE(arePlacedShards(parts));
  const PlacedWhole whole = wholeOf(parts);
  EXPECT_EQ(whole.problem.text(), "");
  EXPECT_EQ(whole.whole.row.shape, (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(whole.whole.row.statistics.max, 7);
  EXPECT_EQ(elementsOf(whole.whole), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(PlacedShards, ARankMayHaveNoneOfIt) {
  const PlacedWhole whole = wholeOf(
      {placedPart({along(Kind::Shard, 0)}, 0, 4), placedPart({along(Kind::Shard, 1)}, 0, 0)});
  EXPECT_EQ(whole.problem.text(), "");
  EXPECT_EQ(whole.whole.row.statistics.max, 7);
  EXPECT_EQ(elementsOf(whole.whole).size(), 8U);
}

TEST(PlacedShards, FlatPartsGetTheShapeOfTheWhole) {
  const auto flat = [](int coordinate, float first, std::int64_t elements) {
    PlacedShard part = placedPart({along(Kind::Shard, coordinate)}, first, elements / 2);
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("up");
    std::vector<float> values(static_cast<std::size_t>(elements), first);
    unit->tensor(dumps::Role::ParameterGradient, "weight", values);
    part.row.shape = {elements};
    part.recipe = dumps::rowRecipe(unit, 0);
    return part;
  };
  const PlacedWhole whole = wholeOf({flat(0, 1, 5), flat(1, 2, 3)});
  EXPECT_EQ(whole.problem.text(), "");
  EXPECT_EQ(whole.whole.row.shape, (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(elementsOf(whole.whole), (Values{1, 1, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(dumps::makeTensor(whole.whole.recipe)->view.shape, (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(wholeOf({flat(0, 1, 5), flat(1, 2, 2)}).problem.text(), "[7] instead of [4, 2]");
}

TEST(PlacedShards, SummandsAreSummedUp) {
  const PlacedWhole sum =
      wholeOf({placedPart({along(Kind::Sum, 0)}, 0, 4), placedPart({along(Kind::Sum, 1)}, 10, 4)});
  EXPECT_EQ(elementsOf(sum.whole), (Values{10, 12, 14, 16, 18, 20, 22, 24}));
  EXPECT_TRUE(sum.whole.row.statistics.isEmpty());
  const PlacedWhole mean = wholeOf(
      {placedPart({along(Kind::Mean, 0)}, 0, 4), placedPart({along(Kind::Mean, 1)}, 10, 4)});
  EXPECT_EQ(elementsOf(mean.whole), (Values{5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(PlacedShards, OnAMeshOfTwoDimensionsTheLastOneIsTheInner) {
  Parts parts;
  for (const int rank : {0, 1, 2, 3}) {
    parts.push_back(placedPart({along(Kind::Shard, rank / 2), along(Kind::Shard, rank % 2)},
                               static_cast<float>(2 * rank),
                               1));
  }
  EXPECT_EQ(elementsOf(wholeOf(parts).whole), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  // FSDP over tensor-parallel ranks cuts what these have.
  parts.clear();
  for (const int rank : {0, 1, 2, 3}) {
    Placement::Axis data = along(Kind::Shard, rank / 2);
    data.isInnermost = true;
    parts.push_back(placedPart(
        {data, along(Kind::Shard, rank % 2)}, static_cast<float>(rank % 2 * 4 + rank / 2 * 2), 1));
  }
  EXPECT_EQ(elementsOf(wholeOf(parts).whole), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(wholeOf({parts[0], parts[1]}).problem.text(),
            "it is cut along two dimensions of the mesh; name all its ranks in one group");
}

TEST(PlacedShards, ReplicasAmongThemAreComparedWhenTheyAreRead) {
  const auto partOf = [](int replica, int shard, float first) {
    return placedPart({along(Kind::Replicated, replica), along(Kind::Shard, shard)}, first, 2);
  };
  const PlacedWhole same =
      wholeOf({partOf(0, 0, 0), partOf(0, 1, 4), partOf(1, 0, 0), partOf(1, 1, 4)});
  EXPECT_EQ(elementsOf(same.whole), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  ASSERT_NE(same.whole.row.replicas, nullptr);
  EXPECT_EQ(same.whole.row.replicas->difference().text(), "");
  const PlacedWhole other =
      wholeOf({partOf(0, 0, 0), partOf(0, 1, 4), partOf(1, 0, 0), partOf(1, 1, 5)});
  EXPECT_FALSE(dumps::makeTensor(other.whole.recipe));
  EXPECT_NE(other.whole.row.replicas->difference().text(), "");
}

TEST(PlacedShards, WhatCannotBePutTogetherIsSaid) {
  EXPECT_EQ(wholeOf({placedPart({along(Kind::Shard, 0)}, 0, 2),
                     placedPart({along(Kind::Shard, 1)}, 4, 1)})
                .problem.text(),
            "[3, 2] instead of [4, 2]");
  Placement::Axis ofThree = along(Kind::Shard, 0);
  ofThree.size = 3;
  Placement::Axis second = ofThree;
  second.coordinate = 1;
  EXPECT_EQ(wholeOf({placedPart({ofThree}, 0, 2), placedPart({second}, 4, 2)}).problem.text(),
            "2 of its 3 parts are there");
  EXPECT_EQ(wholeOf({placedPart({along(Kind::Unknown, 0)}, 0, 4),
                     placedPart({along(Kind::Unknown, 1)}, 4, 4)})
                .problem.text(),
            "its parts are joined in a way that is not known");
  EXPECT_EQ(wholeOf({placedPart({along(Kind::Shard, 0, 2)}, 0, 4),
                     placedPart({along(Kind::Shard, 1, 2)}, 4, 4)})
                .problem.text(),
            "no dimension 2 in [4, 2]");
}

TEST(PlacedShards, ReplicasAloneAndRowsWithoutAPlaceAreNone) {
  const std::vector<PlacedShard> replicas{placedPart({along(Kind::Replicated, 0)}, 0, 4),
                                          placedPart({along(Kind::Replicated, 1)}, 0, 4)};
  EXPECT_FALSE(arePlacedShards(replicas));
  EXPECT_TRUE(arePlacedReplicas(replicas));
  EXPECT_FALSE(arePlacedReplicas({replicas.front(), replicas.front()})) << "of the same place";
  EXPECT_FALSE(arePlacedReplicas(
      {placedPart({along(Kind::Shard, 0)}, 0, 2), placedPart({along(Kind::Shard, 1)}, 2, 2)}));
  PlacedShard without = placedPart({along(Kind::Shard, 1)}, 0, 2);
  without.row.placement = nullptr;
  EXPECT_FALSE(arePlacedShards({placedPart({along(Kind::Shard, 0)}, 0, 2), without}));
  EXPECT_FALSE(arePlacedShards({}));
}

TEST(PlacedShards, RowsOneBehindTheOtherLieAmongOtherRanksAsBefore) {
  const auto part = [](std::int64_t rows, Placement::Kind kind, std::int64_t dim) {
    return std::make_shared<const Placement>(Placement{
        .axes = {{.kind = kind, .dim = dim, .size = 2, .coordinate = 1}}, .shape = {rows, 8}});
  };
  const auto columns = placementBehind({part(2, Kind::Shard, 1), part(3, Kind::Shard, 1)}, 0);
  ASSERT_NE(columns, nullptr);
  EXPECT_THAT(columns->shape, testing::ElementsAre(5, 8));
  EXPECT_EQ(columns->axes[0].kind, Kind::Shard);
  EXPECT_EQ(columns->axes[0].coordinate, 1);
  const auto rows = placementBehind({part(2, Kind::Shard, 0), part(2, Kind::Shard, 0)}, 0);
  ASSERT_NE(rows, nullptr);
  EXPECT_EQ(rows->axes[0].kind, Kind::Unknown) << "its pieces alternate with those of other ranks";
  EXPECT_EQ(placementBehind({part(2, Kind::Sum, 0), nullptr}, 0), nullptr);
  EXPECT_EQ(placementBehind({part(2, Kind::Sum, 0)}, 2), nullptr);
}

}  // namespace
}  // namespace ulp::analysis
