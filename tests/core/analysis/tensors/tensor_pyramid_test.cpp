#include "core/analysis/tensors/tensor_pyramid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/numerics/comparison/comparison.h"
#include "tests/core/analysis/tensors/tensor_pair_fixture.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using test::kFloatInfinity;
using test::kFloatNan;

TensorPlane planeOfPair(const TensorPair& pair,
                        const char* slice = "",
                        const PlaneAxes& axes = {}) {
  return makePlane(pair.shape(), parseSlice(slice, pair.shape()).value(), axes).value();
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

TEST(TensorQuantity, ComputesWhatItsNameSays) {
  const auto pair = test::floatPair({4}, {2, 0, 0, 1}, {3, 0, 1, kFloatInfinity});
  const auto value = [&pair](Quantity quantity, std::int64_t at) {
    double result = 0;
    std::uint8_t nonFinite = 0;
    QuantityReader(*pair, quantity).read(at, 1, {&result, 1}, {&nonFinite, 1});
    return std::pair(result, nonFinite != 0);
  };
  EXPECT_EQ(value(Quantity::Reference, 0), std::pair(2.0, false));
  EXPECT_EQ(value(Quantity::Variant, 0), std::pair(3.0, false));
  EXPECT_EQ(value(Quantity::Difference, 0), std::pair(1.0, false)) << "variant minus reference";
  EXPECT_EQ(value(Quantity::AbsoluteDifference, 0), std::pair(1.0, false));
  EXPECT_EQ(value(Quantity::RelativeDifference, 0), std::pair(0.5, false));
  EXPECT_EQ(value(Quantity::Ulp, 0), std::pair(std::ldexp(1.0, 22), false));
  EXPECT_EQ(value(Quantity::RelativeDifference, 1), std::pair(0.0, false));
  EXPECT_TRUE(std::isnan(value(Quantity::RelativeDifference, 2).first));
  EXPECT_FALSE(value(Quantity::RelativeDifference, 2).second);
  EXPECT_FALSE(value(Quantity::Reference, 3).second);
  for (const Quantity quantity : {Quantity::Variant, Quantity::Difference, Quantity::Ulp}) {
    EXPECT_TRUE(value(quantity, 3).second);
  }
}

TEST(UlpSpacing, IsThatOfTheMetrics) {
  for (const DType format : {DType::Float64,
                             DType::Float32,
                             DType::Float16,
                             DType::BFloat16,
                             DType::Float8E4M3FN,
                             DType::Float8E5M2,
                             DType::Int32}) {
    const UlpSpacing spacing(format);
    for (const double value : {0.0, -1.0, 3.5, 1e-3, -1e-7, 6e-8, 65504.0, 1e30, 5e-324, 1e-40}) {
      EXPECT_EQ(spacing.at(value), numerics::ulpOf(value, format))
          << toString(format) << ' ' << value;
    }
  }
}

TEST(TensorPyramid, KeepsMinimumMaximumAndMeanOfEveryTile) {
  const auto pair = test::floatPair({3, 5}, std::vector<float>(15), counting(15));
  const TensorPlane plane = planeOfPair(*pair);
  const auto grid = readTiles(*pair, plane, Quantity::Difference, {{0, 0, 3, 5}, {2, 2}}, {});
  ASSERT_TRUE(grid.has_value());
  ASSERT_EQ(grid->rows, 2);
  ASSERT_EQ(grid->columns, 3);
  EXPECT_EQ(grid->at(0, 0).minimum, 0);
  EXPECT_EQ(grid->at(0, 0).maximum, 6);
  EXPECT_EQ(grid->at(0, 0).mean, 3);
  EXPECT_EQ(grid->at(0, 0).values, 4U);
  EXPECT_EQ(grid->at(1, 2).minimum, 14);
  EXPECT_EQ(grid->at(1, 2).values, 1U);
}

TEST(TensorPyramid, IsTheSameWhicheverWayMemoryLies) {
  const auto pair = test::floatPair({6, 7}, counting(42), std::vector<float>(42));
  const TensorPlane rows = planeOfPair(*pair);
  const TensorPlane columns = planeOfPair(*pair, "", {.rows = 1, .columns = 0});
  const auto upright = readTiles(*pair, rows, Quantity::Reference, {{0, 0, 6, 7}, {2, 3}}, {});
  const auto turned = readTiles(*pair, columns, Quantity::Reference, {{0, 0, 7, 6}, {3, 2}}, {});
  ASSERT_EQ(upright->rows, turned->columns);
  for (std::int64_t row = 0; row < upright->rows; ++row) {
    for (std::int64_t column = 0; column < upright->columns; ++column) {
      EXPECT_EQ(upright->at(row, column).mean, turned->at(column, row).mean);
      EXPECT_EQ(upright->at(row, column).maximum, turned->at(column, row).maximum);
    }
  }
}

TEST(TensorPyramid, CarriesEveryNonFiniteElementToTheTop) {
  std::vector<float> values = counting(std::size_t{64} * 64);
  values[17] = kFloatNan;
  values[4000] = -kFloatInfinity;
  const auto pair = test::floatPair({64, 64}, std::vector<float>(std::size_t{64} * 64), values);
  const auto pyramid = buildPyramid(*pair, planeOfPair(*pair), Quantity::AbsoluteDifference, {});
  ASSERT_TRUE(pyramid.has_value());
  for (const TileGridPtr& level : pyramid->levels) {
    std::uint64_t nonFinite = 0;
    std::uint64_t counted = 0;
    for (const TileCell& cell : level->cells) {
      nonFinite += cell.nonFinite;
      counted += cell.values;
    }
    EXPECT_EQ(nonFinite, 2U);
    EXPECT_EQ(counted, 64U * 64U - 2U);
  }
  EXPECT_EQ(pyramid->levels.front()->rowsPerCell, 1);
  EXPECT_EQ(pyramid->levels.back()->cells.size(), 1U);
  EXPECT_EQ(pyramid->levels.back()->cells[0].maximum, 4095);
}

TEST(TensorPyramid, DrawsFoldedLinesUpToTheirEnd) {
  const auto pair = test::floatPair({100}, counting(100), counting(100));
  const TensorPlane plane = planeOfPair(*pair);
  const auto grid = readTiles(*pair, plane, Quantity::Reference, {{0, 0, 4, 32}, {1, 1}}, {});
  EXPECT_EQ(grid->at(3, 3).mean, 99);
  EXPECT_EQ(grid->at(3, 4).values, 0U);
  EXPECT_TRUE(std::isnan(grid->at(3, 4).mean));
}

TEST(TensorPyramid, UsesTilesWhereThereAreTooManyElements) {
  TensorPlane plane;
  plane.rows = 4096;
  plane.columns = 128256;
  EXPECT_EQ(finestTile(plane), (TileSize{8, 256}));
  plane.columns = 64;
  EXPECT_EQ(finestTile(plane), (TileSize{1, 1}));
  plane.rows = 128;
  plane.columns = 49152;
  EXPECT_EQ(finestTile(plane), (TileSize{1, 32})) << "a short side keeps its detail";
}

TEST(TensorPyramid, StopsWhenAsked) {
  const auto pair = test::floatPair({8, 8}, counting(64), counting(64));
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(
      buildPyramid(*pair, planeOfPair(*pair), Quantity::Ulp, source.get_token()).has_value());
  EXPECT_FALSE(
      readPreview(*pair, planeOfPair(*pair), Quantity::Ulp, 2, 2, source.get_token()).has_value());
}

TEST(TensorPreview, TakesOneElementOfEachCellAndSaysSo) {
  const auto pair = test::floatPair({8, 8}, counting(64), counting(64));
  const auto grid = readPreview(*pair, planeOfPair(*pair), Quantity::Reference, 4, 2, {});
  ASSERT_TRUE(grid.has_value());
  EXPECT_TRUE(grid->isPreview);
  EXPECT_EQ(grid->rows, 4);
  EXPECT_EQ(grid->columns, 2);
  EXPECT_EQ(grid->at(0, 0).mean, 8 + 2);
  EXPECT_EQ(grid->at(3, 1).values, 1U);
  EXPECT_FALSE(readPreview(*pair, planeOfPair(*pair), Quantity::Reference, 9, 9, {})->isPreview);
}

TEST(Progress, EndsAtOne) {
  const auto pair = test::floatPair({8, 8}, counting(64), counting(64));
  Progress progress;
  EXPECT_EQ(progress.fraction(), 0);
  (void)buildPyramid(*pair, planeOfPair(*pair), Quantity::Reference, {}, &progress);
  EXPECT_EQ(progress.fraction(), 1);
}

TEST(TensorPreview, TakesTheMiddleOfEveryCellHoweverMemoryLies) {
  const auto pair = test::floatPair({7, 9}, counting(63), counting(63));
  const TensorPlane upright = planeOfPair(*pair);
  const TensorPlane turned = planeOfPair(*pair, "", {.rows = 1, .columns = 0});
  // The last cells are of one row.
  const auto grid = readPreview(*pair, upright, Quantity::Reference, 3, 3, {});
  const auto other = readPreview(*pair, turned, Quantity::Reference, 3, 3, {});
  ASSERT_TRUE(grid && other);
  EXPECT_EQ(grid->rowsPerCell, 3);
  EXPECT_EQ(grid->columnsPerCell, 3);
  EXPECT_EQ(grid->rows, 3);
  EXPECT_EQ(grid->at(0, 0).mean, 1 * 9 + 1);
  EXPECT_EQ(grid->at(1, 2).mean, 4 * 9 + 7);
  EXPECT_EQ(grid->at(2, 0).mean, 6 * 9 + 1) << "of the one row that is there";
  for (std::int64_t row = 0; row < 3; ++row) {
    for (std::int64_t column = 0; column < 3; ++column) {
      EXPECT_EQ(other->at(column, row).mean, grid->at(row, column).mean);
    }
  }
  EXPECT_EQ(readPreview(*pair, upright, Quantity::Reference, 0, 0, {})->cells.size(), 1U);
}

TEST(TensorPyramid, ReadsPartsOfAPlaneAndWhatLiesBesideItNot) {
  const auto pair = test::floatPair({6, 7}, counting(42), counting(42));
  const TensorPlane plane = planeOfPair(*pair);
  const auto part = readTiles(*pair, plane, Quantity::Reference, {{4, 5, 10, 10}, {1, 1}}, {});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->firstRow, 4);
  EXPECT_EQ(part->firstColumn, 5);
  EXPECT_EQ(part->rows, 2);
  EXPECT_EQ(part->columns, 2);
  EXPECT_EQ(part->at(1, 1).mean, 41);
  const auto before = readTiles(*pair, plane, Quantity::Reference, {{-2, -3, 3, 4}, {1, 1}}, {});
  ASSERT_TRUE(before);
  EXPECT_EQ(before->rows, 1);
  EXPECT_EQ(before->columns, 1);
  EXPECT_EQ(before->at(0, 0).mean, 0);
}

TEST(TensorPyramid, LongLinesAreReadInBlocks) {
  const auto count = static_cast<std::int64_t>(2 * QuantityReader::kBlock + 5);
  const auto pair = test::floatPair({2, count},
                                    counting(static_cast<std::size_t>(2 * count)),
                                    counting(static_cast<std::size_t>(2 * count)));
  const auto grid =
      readTiles(*pair, planeOfPair(*pair), Quantity::Reference, {{0, 0, 2, count}, {1, 1000}}, {});
  ASSERT_TRUE(grid);
  for (std::int64_t column = 0; column < grid->columns; ++column) {
    const std::int64_t first = count + column * 1000;
    const std::int64_t last = std::min(first + 999, 2 * count - 1);
    EXPECT_EQ(grid->at(1, column).minimum, first);
    EXPECT_EQ(grid->at(1, column).maximum, last);
    EXPECT_EQ(grid->at(1, column).values, static_cast<std::uint64_t>(last - first + 1));
  }
}

TEST(TileCell, MeansAreThoseOfAllValues) {
  TileCell cell;
  cell.add(1, false);
  cell.add(4, false);
  cell.add(kFloatNan, false);
  cell.add(7, true);
  EXPECT_EQ(cell.values, 2U);
  EXPECT_EQ(cell.nonFinite, 1U);
  EXPECT_EQ(cell.mean, 2.5);
  TileCell three;
  three.add(TileCell());
  EXPECT_EQ(three.values, 0U);
  three.add(cell);
  three.add(-5, false);
  EXPECT_EQ(three.mean, 0);
  EXPECT_EQ(three.minimum, -5);
  EXPECT_EQ(three.maximum, 4);
  EXPECT_EQ(three.values, 3U);
}

TEST(Progress, CountsTheElementsOfTheFinestLevel) {
  const auto pair = test::floatPair({8, 9}, counting(72), counting(72));
  Progress progress;
  ASSERT_TRUE(buildPyramid(*pair, planeOfPair(*pair), Quantity::Reference, {}, &progress));
  EXPECT_EQ(progress.total, 72U);
  EXPECT_EQ(progress.done, 72U);
}

}  // namespace
}  // namespace ulp::analysis
