#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/analysis/tensors/pair_statistics.h"
#include "core/analysis/tensors/tensor_pyramid.h"
#include "tests/core/analysis/tensors/far_elements.h"
#include "tests/core/analysis/tensors/tensor_pair_fixture.h"

/// Pairs whose elements are on another machine: what is read of them is what a pair of this machine
/// gives, and no more comes than that takes.
namespace ulp::analysis {
namespace {

constexpr std::int64_t kRows = 100;
constexpr std::int64_t kColumns = 5000;
constexpr std::size_t kCount = kRows * kColumns;

struct FarPair {
  std::shared_ptr<test::FarElements> elements;  ///< of the variant; the reference is here
  TensorPairPtr pair;
  TensorPairPtr near;
  TensorPlane plane;

  FarPair() {
    std::vector<float> a(kCount);
    std::iota(a.begin(), a.end(), 1.0F);
    std::vector<float> b = a;
    for (std::size_t i = 0; i < b.size(); i += 7) {
      b[i] += 0.5F * static_cast<float>(i % 11);
    }
    near = test::floatPair({kRows, kColumns}, a, b);
    elements = std::make_shared<test::FarElements>(b);
    auto made = std::make_shared<TensorPair>(*near);
    made->variant = {{elements->here().data(), DType::Float32, {kRows, kColumns}}, elements};
    made->variant.parts = elements;
    pair = std::move(made);
    plane = makePlane(pair->shape(), parseSlice("", pair->shape()).value()).value();
  }
};

void expectSame(const std::optional<TileGrid>& far, const std::optional<TileGrid>& near) {
  ASSERT_TRUE(far && near);
  ASSERT_EQ(far->cells.size(), near->cells.size());
  EXPECT_EQ(far->firstRow, near->firstRow);
  EXPECT_EQ(far->firstColumn, near->firstColumn);
  for (std::size_t i = 0; i < far->cells.size(); ++i) {
    ASSERT_EQ(far->cells[i].values, near->cells[i].values) << i;
    ASSERT_EQ(far->cells[i].maximum, near->cells[i].maximum) << i;
    ASSERT_EQ(far->cells[i].mean, near->cells[i].mean) << i;
  }
}

TEST(FarPair, AFirstPictureTakesItsElementsAlone) {
  const FarPair far;
  const auto quantity = Quantity::Variant;
  expectSame(readPreview(*far.pair, far.plane, quantity, 30, 50, {}),
             readPreview(*far.near, far.plane, quantity, 30, 50, {}));
  EXPECT_EQ(far.elements->picked, 25U * 50U);
  EXPECT_EQ(far.elements->brought, 0U);
  // A part of it, in cells that do not divide it.
  const TiledRect part{{20, 200, 73, 1009}, {10, 100}};
  const auto preview = readPreviewOf(*far.pair, far.plane, Quantity::Difference, part, {});
  ASSERT_TRUE(preview);
  EXPECT_EQ(preview->rows * preview->columns, 8 * 11);
  EXPECT_EQ(preview->at(7, 10).values, 1U);
  EXPECT_EQ(far.elements->picked, 25U * 50U + 88U);
}

TEST(FarPair, APartIsBroughtInBlocksOrPickedFromFarApart) {
  const FarPair far;
  const TiledRect wide{{10, 0, 20, kColumns}, {2, 50}};
  expectSame(readTiles(*far.pair, far.plane, Quantity::Difference, wide, {}),
             readTiles(*far.near, far.plane, Quantity::Difference, wide, {}));
  EXPECT_EQ(far.elements->picked, 0U);
  EXPECT_GE(far.elements->brought, 20U * kColumns);
  EXPECT_LE(far.elements->brought, 20U * kColumns + 2 * test::FarElements::kBlock);
  const std::size_t before = far.elements->brought;
  // A column touches a block for each element.
  const TiledRect column{{0, 3000, kRows, 1}, {1, 1}};
  expectSame(readTiles(*far.pair, far.plane, Quantity::Variant, column, {}),
             readTiles(*far.near, far.plane, Quantity::Variant, column, {}));
  EXPECT_LE(far.elements->brought + far.elements->picked,
            before + kRows * test::FarElements::kBlock);
}

TEST(FarPair, WhatTakesAllBringsAll) {
  const FarPair far;
  const auto pyramid = buildPyramid(*far.pair, far.plane, Quantity::Difference, {}, nullptr);
  const auto near = buildPyramid(*far.near, far.plane, Quantity::Difference, {}, nullptr);
  ASSERT_TRUE(pyramid && near);
  expectSame(*pyramid->levels.front(), *near->levels.front());
  const FarPair other;
  const auto statistics = computePairStatistics(*other.pair, {}, nullptr);
  ASSERT_TRUE(statistics);
  EXPECT_EQ((*statistics)->moments.maxAbsoluteDifference,
            (*computePairStatistics(*other.near, {}, nullptr))->moments.maxAbsoluteDifference);
  EXPECT_EQ(other.elements->brought, kCount);
}

TEST(FarPair, WhatDoesNotComeIsAnErrorAndNoNumber) {
  const FarPair far;
  EXPECT_TRUE(checkIntact(*far.pair));
  EXPECT_FALSE(isHere(*far.pair, 5));
  far.elements->isLost = true;
  EXPECT_FALSE(readPreview(*far.pair, far.plane, Quantity::Variant, 30, 50, {}));
  EXPECT_FALSE(readTiles(*far.pair, far.plane, Quantity::Variant, {{0, 0, 2, 2}, {1, 1}}, {}));
  EXPECT_FALSE(buildPyramid(*far.pair, far.plane, Quantity::Variant, {}, nullptr));
  const auto statistics = computePairStatistics(*far.pair, {}, nullptr);
  ASSERT_FALSE(statistics);
  EXPECT_EQ(statistics.error().message(), "the connection was lost");
  EXPECT_FALSE(checkIntact(*far.pair));
}

}  // namespace
}  // namespace ulp::analysis
