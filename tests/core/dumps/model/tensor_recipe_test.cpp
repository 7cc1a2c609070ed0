#include "core/dumps/model/tensor_recipe.h"

#include <array>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/model/unit_edit.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/elements_of.h"

namespace ulp::dumps {
namespace {

using test::BuiltUnit;
using test::elementsOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Kind = TensorRecipe::Kind;

/// A unit with one tensor of that shape, elements 0, 1, 2 …
DumpUnitPtr counting(std::vector<std::int64_t> shape, float first = 0, std::int64_t rank = 0) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("m");
  std::vector<float> values(elementCount(shape));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = first + static_cast<float>(i);
  }
  unit->tensor(Role::Output, "0", std::move(values));
  unit->shape(std::move(shape));
  unit->axes.rank = rank;
  return unit;
}

TEST(TensorRecipeTest, RowsOfAMatrixAreShownWhereTheyAre) {
  const DumpUnitPtr unit = counting({4, 2});
  const auto whole = unit->read(0);
  const auto part = makeTensor(sliceOf(rowRecipe(unit, 0), 0, {{1, 2}}));
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_THAT(part->view.shape, ElementsAre(2, 2));
  EXPECT_THAT(elementsOf(*part), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(part->view.data, static_cast<const float*>(whole->view.data) + 2);
}

TEST(TensorRecipeTest, ColumnsAndSeveralRunsAreCopied) {
  const DumpUnitPtr unit = counting({2, 4});
  const auto columns = makeTensor(sliceOf(rowRecipe(unit, 0), -1, {{0, 1}, {3, 1}}));
  ASSERT_TRUE(columns) << columns.error().message();
  EXPECT_THAT(columns->view.shape, ElementsAre(2, 2));
  EXPECT_THAT(elementsOf(*columns), ElementsAre(0, 3, 4, 7));
}

TEST(TensorRecipeTest, RowsAndColumnsAreExchanged) {
  const auto matrix = makeTensor(transposeOf(rowRecipe(counting({2, 3}), 0)));
  ASSERT_TRUE(matrix) << matrix.error().message();
  EXPECT_THAT(matrix->view.shape, ElementsAre(3, 2));
  EXPECT_THAT(elementsOf(*matrix), ElementsAre(0, 3, 1, 4, 2, 5));
  const auto several = makeTensor(transposeOf(rowRecipe(counting({2, 1, 2}), 0)));
  ASSERT_TRUE(several) << several.error().message();
  EXPECT_THAT(several->view.shape, ElementsAre(2, 2, 1));
  EXPECT_THAT(elementsOf(*several), ElementsAre(0, 1, 2, 3));
  const auto inFront = makeTensor(transposeOf(rowRecipe(counting({2, 3, 2}), 0), 0));
  ASSERT_TRUE(inFront) << inFront.error().message();
  EXPECT_THAT(inFront->view.shape, ElementsAre(3, 2, 2));
  EXPECT_THAT(elementsOf(*inFront), ElementsAre(0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11));
  const auto wide = makeTensor(transposeOf(rowRecipe(counting({40, 70}), 0)));
  ASSERT_TRUE(wide) << wide.error().message();
  // Row 69 and column 39 of what was row 39 and column 69.
  EXPECT_EQ(elementsOf(*wide).back(), 39 * 70 + 69);
  EXPECT_EQ(elementsOf(*wide)[65 * 40 + 3], 3 * 70 + 65);
}

TEST(TensorRecipeTest, AVectorIsNotTransposed) {
  const auto made = makeTensor(transposeOf(rowRecipe(counting({3}), 0)));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("its shape [3] is not the one that was recorded"));
}

TEST(TensorRecipeTest, ARunOutsideOfTheTensorIsRefusedWithItsName) {
  const auto made = makeTensor(sliceOf(rowRecipe(counting({2, 4}), 0), 1, {{3, 2}}));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message(),
            "rank 0: 'Module.m.Module.forward.0.output.0': its shape [2, 4] is not the one that "
            "was recorded");
}

TEST(TensorRecipeTest, ShardsStandBehindOneAnotherAlongAnyDimension) {
  const auto joined = [](std::int64_t dim) {
    return makeTensor(recipeOf(
        Kind::Concat, {rowRecipe(counting({2, 2}), 0), rowRecipe(counting({2, 2}, 10), 0)}, dim));
  };
  const auto rows = joined(0);
  ASSERT_TRUE(rows) << rows.error().message();
  EXPECT_THAT(rows->view.shape, ElementsAre(4, 2));
  EXPECT_THAT(elementsOf(*rows), ElementsAre(0, 1, 2, 3, 10, 11, 12, 13));
  const auto columns = joined(-1);
  ASSERT_TRUE(columns) << columns.error().message();
  EXPECT_THAT(columns->view.shape, ElementsAre(2, 4));
  EXPECT_THAT(elementsOf(*columns), ElementsAre(0, 1, 10, 11, 2, 3, 12, 13));
}

/// A unit that counts how often its only tensor is read.
class ReadingCounter final : public DumpUnit {
 public:
  explicit ReadingCounter(DumpUnitPtr of) : m_of(std::move(of)) {
    axes = m_of->axes;
    entries = m_of->entries;
    rows = m_of->rows;
  }
  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    ++m_count;
    return m_of->read(row);
  }
  [[nodiscard]] int count() const { return m_count; }

 private:
  DumpUnitPtr m_of;
  mutable int m_count = 0;
};

using Counters = std::vector<std::shared_ptr<ReadingCounter>>;

/// Three shards, the elements of each from a hundred of its own.
Counters shardsOf(const std::vector<std::int64_t>& shape) {
  Counters shards;
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    shards.push_back(
        std::make_shared<ReadingCounter>(counting(shape, 100 * static_cast<float>(rank), rank)));
  }
  return shards;
}

/// A derived unit whose only tensor is the shards along `dim`.
DumpUnitPtr mergedOf(const Counters& shards, std::int64_t dim) {
  std::vector<TensorRecipe> parts;
  for (const auto& shard : shards) {
    parts.push_back(rowRecipe(shard, 0));
  }
  auto unit = std::make_shared<DerivedUnit>(UnitAxes{});
  unit->addEntry(shards.front()->entries.front());
  unit->addRow(shards.front()->rows.front(), recipeOf(Kind::Concat, std::move(parts), dim));
  return unit;
}

std::vector<int> countsOf(const Counters& shards) {
  std::vector<int> counts;
  for (const auto& shard : shards) {
    counts.push_back(shard->count());
  }
  return counts;
}

TEST(TensorRecipeTest, ASliceReadsOnlyTheShardsThatItLiesIn) {
  const Counters shards = shardsOf({2, 2});
  const DumpUnitPtr merged = mergedOf(shards, 0);
  const auto inOne = makeTensor(sliceOf(rowRecipe(merged, 0), 0, {{3, 1}}));
  ASSERT_TRUE(inOne) << inOne.error().message();
  EXPECT_THAT(inOne->view.shape, ElementsAre(1, 2));
  EXPECT_THAT(elementsOf(*inOne), ElementsAre(102, 103));
  EXPECT_THAT(countsOf(shards), ElementsAre(0, 1, 0));
  const auto across = makeTensor(sliceOf(rowRecipe(merged, 0), -2, {{3, 2}}));
  ASSERT_TRUE(across) << across.error().message();
  EXPECT_THAT(elementsOf(*across), ElementsAre(102, 103, 200, 201));
  EXPECT_THAT(countsOf(shards), ElementsAre(0, 2, 1));
  const auto runs = makeTensor(sliceOf(rowRecipe(merged, 0), 0, {{5, 1}, {0, 1}}));
  ASSERT_TRUE(runs) << runs.error().message();
  EXPECT_THAT(elementsOf(*runs), ElementsAre(202, 203, 0, 1));
  EXPECT_THAT(countsOf(shards), ElementsAre(1, 2, 2));
}

TEST(TensorRecipeTest, ASliceAcrossShardsIsTakenOfEachWithoutTheWhole) {
  const Counters shards = shardsOf({2, 2});
  const DumpUnitPtr merged = mergedOf(shards, 1);
  const auto expert = makeTensor(sliceOf(rowRecipe(merged, 0), 0, {{1, 1}}));
  ASSERT_TRUE(expert) << expert.error().message();
  EXPECT_THAT(expert->view.shape, ElementsAre(1, 6));
  EXPECT_THAT(elementsOf(*expert), ElementsAre(2, 3, 102, 103, 202, 203));
  // A slice of a slice, along a later dimension: the second half of an expert.
  const auto half = makeTensor(sliceOf(sliceOf(rowRecipe(merged, 0), 0, {{1, 1}}), 1, {{3, 3}}));
  ASSERT_TRUE(half) << half.error().message();
  EXPECT_THAT(elementsOf(*half), ElementsAre(103, 202, 203));
  const auto other = makeTensor(sliceOf(sliceOf(rowRecipe(merged, 0), 1, {{3, 3}}), 0, {{1, 1}}));
  ASSERT_TRUE(other) << other.error().message();
  EXPECT_THAT(other->view.shape, ElementsAre(1, 3));
  EXPECT_THAT(elementsOf(*other), ElementsAre(103, 202, 203));
}

TEST(TensorRecipeTest, ARunBehindTheLastShardIsRefused) {
  const auto made = makeTensor(sliceOf(rowRecipe(mergedOf(shardsOf({2, 2}), 0), 0), 0, {{5, 2}}));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(),
              HasSubstr("its shape [6, 2] is not the one that was recorded"));
}

TEST(TensorRecipeTest, ShardsOfDifferentShapesAreRefused) {
  const auto made = makeTensor(recipeOf(
      Kind::Concat, {rowRecipe(counting({2, 2}), 0), rowRecipe(counting({3, 2}, 0, 1), 0)}, 1));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("rank 1"));
  EXPECT_THAT(made.error().message(), HasSubstr("is float32 [3, 2] where"));
}

TEST(TensorRecipeTest, ElementsGetAnotherShapeWhereTheyFillIt) {
  const DumpUnitPtr unit = counting({6});
  const auto made = makeTensor(reshapeOf(rowRecipe(unit, 0), {2, 3}));
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_THAT(made->view.shape, ElementsAre(2, 3));
  EXPECT_EQ(made->view.data, unit->read(0)->view.data);
  const auto part = makeTensor(sliceOf(reshapeOf(rowRecipe(unit, 0), {2, 3}), 0, {{1, 1}}));
  EXPECT_THAT(elementsOf(*part), ElementsAre(3, 4, 5));
  EXPECT_FALSE(makeTensor(reshapeOf(rowRecipe(unit, 0), {2, 2})));
}

TEST(TensorRecipeTest, PartialSumsAreAddedAndMeansDivided) {
  const std::vector<TensorRecipe> parts{rowRecipe(counting({3}), 0),
                                        rowRecipe(counting({3}, 10), 0)};
  EXPECT_THAT(elementsOf(*makeTensor(recipeOf(Kind::Sum, parts))), ElementsAre(10, 12, 14));
  EXPECT_THAT(elementsOf(*makeTensor(recipeOf(Kind::Mean, parts))), ElementsAre(5, 6, 7));
  EXPECT_THAT(elementsOf(*makeTensor(sumOf(parts, 4))), ElementsAre(2.5, 3, 3.5));
  EXPECT_THAT(elementsOf(*makeTensor(sumOf({parts[1]}, 2))), ElementsAre(5, 5.5, 6));
}

TEST(TensorRecipeTest, LongTensorsAreAddedToTheirEnd) {
  const auto sum = makeTensor(
      recipeOf(Kind::Sum, {rowRecipe(counting({5000}), 0), rowRecipe(counting({5000}, 1), 0)}));
  ASSERT_TRUE(sum) << sum.error().message();
  const std::vector<double> elements = elementsOf(*sum);
  ASSERT_EQ(elements.size(), 5000U);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    ASSERT_EQ(elements[i], 2 * static_cast<double>(i) + 1);
  }
}

TEST(TensorRecipeTest, ReplicasThatDifferAreNamedWithRankAndCount) {
  const std::vector<TensorRecipe> equal{rowRecipe(counting({3}), 0),
                                        rowRecipe(counting({3}, 0, 1), 0)};
  EXPECT_THAT(elementsOf(*makeTensor(recipeOf(Kind::Same, equal))), ElementsAre(0, 1, 2));
  const auto made = makeTensor(
      recipeOf(Kind::Same, {rowRecipe(counting({3}), 0), rowRecipe(counting({3}, 1, 1), 0)}));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(),
              HasSubstr("rank 1: 'Module.m.Module.forward.0.output.0': 3 of 3 elements differ "
                        "from those of rank 0"));
}

TEST(StatisticsTogetherTest, AreThoseOfAllElements) {
  BuiltUnit unit;
  unit.module("m");
  unit.recorded(Role::Output, "0", {3, -4, 1});
  unit.recorded(Role::Output, "1", {12});
  unit.recorded(Role::Output, "2", {3, -4, 1, 12});
  const std::array<Statistics, 2> parts{unit.rows[0].statistics, unit.rows[1].statistics};
  const Statistics whole = together(parts, std::array<std::uint64_t, 2>{3, 1});
  const Statistics& expected = unit.rows[2].statistics;
  EXPECT_EQ(whole.max, expected.max);
  EXPECT_EQ(whole.min, expected.min);
  EXPECT_DOUBLE_EQ(*whole.mean, *expected.mean);
  EXPECT_DOUBLE_EQ(*whole.norm, *expected.norm);
}

TEST(StatisticsTogetherTest, NanStaysAndWhatIsNotKnownOfAPartIsNotKnownOfTheWhole) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::array<Statistics, 2> parts{Statistics{.max = 1, .min = nan, .mean = 0},
                                        Statistics{.max = nan, .min = 2}};
  const Statistics whole = together(parts, std::array<std::uint64_t, 2>{1, 1});
  EXPECT_TRUE(std::isnan(*whole.max));
  EXPECT_TRUE(std::isnan(*whole.min));
  EXPECT_FALSE(whole.mean);
  EXPECT_FALSE(whole.norm);
}

TEST(UnitEditTest, EnclosedCallsFollowTheirPartOfTheEnclosingCall) {
  auto built = std::make_shared<BuiltUnit>();
  const std::size_t module = built->module("qkv");
  built->tensor(Role::Output, "0", {1, 2});
  built->api("Functional.linear", 0, module);
  built->tensor(Role::Output, "0", {1, 2});
  UnitEdit edit{DumpUnitPtr(built)};
  for (std::size_t piece = 0; piece < 2; ++piece) {
    for (const std::size_t entry : {std::size_t{0}, std::size_t{1}}) {
      NewEntry part{.head = built->entries[entry], .of = {entry}, .piece = piece};
      part.head.name += "[" + std::to_string(piece) + "]";
      part.rows.emplace_back(built->rows[entry],
                             sliceOf(rowRecipe(built, entry), 0, {{static_cast<int>(piece), 1}}));
      edit.putBefore(entry, std::move(part));
    }
  }
  edit.remove(0);
  edit.remove(1);
  const DumpUnitPtr result = std::move(edit).build();
  ASSERT_EQ(result->entries.size(), 4U);
  EXPECT_EQ(result->entries[3].name, "Functional.linear.0.forward[1]");
  EXPECT_EQ(result->entries[3].parent, 1U);
  EXPECT_EQ(result->entries[2].parent, 0U);
  EXPECT_THAT(elementsOf(*result->read(3)), ElementsAre(2));
}

TEST(UnitEditTest, WithoutChangesTheUnitItselfComesBack) {
  const DumpUnitPtr unit = counting({2});
  EXPECT_EQ(UnitEdit(unit).build(), unit);
}

}  // namespace
}  // namespace ulp::dumps
