#include "core/numerics/comparison/row_errors.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/numerics/comparison/comparison.h"
#include "core/numerics/scalar_formats.h"

namespace ulp::numerics {
namespace {

constexpr float kHuge = std::numeric_limits<float>::infinity();

TensorView rowsView(const std::vector<float>& values, std::vector<std::int64_t> shape) {
  return {.data = values.data(), .dtype = DType::Float32, .shape = std::move(shape)};
}

TEST(RowErrors, AreThoseOfTheLastDimension) {
  const std::vector<float> reference{1, 2, 3, 4, 0, 0};
  const std::vector<float> candidate{1, 2, 5, 3, 0, 2};
  const auto errors = rowErrors(rowsView(reference, {1, 3, 2}), rowsView(candidate, {1, 3, 2}));
  ASSERT_TRUE(errors) << errors.error().message();
  ASSERT_EQ(errors->size(), 3U);
  EXPECT_EQ(errors->at(0).squaredDifference, 0);
  EXPECT_EQ(errors->at(0).squaredReference, 5);
  EXPECT_EQ(errors->at(1).squaredDifference, 5);
  EXPECT_EQ(errors->at(1).squaredReference, 25);
  EXPECT_EQ(errors->at(2).squaredDifference, 4);
  EXPECT_EQ(errors->at(2).squaredReference, 0);
  EXPECT_EQ(errors->at(2).compared, 2U);
}

TEST(RowErrors, WhatIsNoNumberIsCountedAndLeftOut) {
  const float nan = std::nanf("");
  const std::vector<float> reference{1, 2, nan, kHuge, 1, 1};
  const std::vector<float> candidate{1, nan, 3, kHuge, -kHuge, nan};
  const auto errors = rowErrors(rowsView(reference, {2, 3}), rowsView(candidate, {2, 3}));
  ASSERT_TRUE(errors);
  EXPECT_EQ(errors->at(0).compared, 1U);
  EXPECT_EQ(errors->at(0).nonFinite, 1U) << "of the candidate";
  EXPECT_EQ(errors->at(0).squaredReference, 1);
  EXPECT_EQ(errors->at(1).compared, 0U);
  EXPECT_EQ(errors->at(1).nonFinite, 3U);
  EXPECT_EQ(errors->at(1).squaredDifference, 0);
}

/// Rows of any width, two types: what the fused comparison of each row says.
TEST(RowErrors, AgreeWithTheComparisonOfEachRow) {
  std::mt19937 generator(7);
  std::normal_distribution<float> normal;
  for (const std::int64_t width : {1, 7, 8, 9, 100}) {
    const std::int64_t rows = 5;
    std::vector<float> reference;
    std::vector<std::uint16_t> candidate;
    for (std::int64_t i = 0; i < rows * width; ++i) {
      reference.push_back(normal(generator));
      candidate.push_back(encodeBFloat16(reference.back()));
    }
    const TensorView left = rowsView(reference, {rows, width});
    const TensorView right{
        .data = candidate.data(), .dtype = DType::BFloat16, .shape = {rows, width}};
    const auto errors = rowErrors(left, right);
    ASSERT_TRUE(errors);
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto whole = compare(
          {.data = reference.data() + row * width, .dtype = DType::Float32, .shape = {width}},
          {.data = candidate.data() + row * width, .dtype = DType::BFloat16, .shape = {width}});
      ASSERT_TRUE(whole);
      const RowError& error = errors->at(static_cast<std::size_t>(row));
      EXPECT_EQ(error.compared, whole->compared);
      EXPECT_NEAR(error.squaredDifference,
                  whole->sumSquaredDifference,
                  1e-14 * whole->sumSquaredDifference);
      EXPECT_NEAR(
          error.squaredReference, whole->sumSquaredReference, 1e-14 * whole->sumSquaredReference);
    }
  }
}

TEST(RowErrors, ShapesThatDifferAreRefused) {
  const std::vector<float> values(6);
  EXPECT_EQ(rowErrors(rowsView(values, {2, 3}), rowsView(values, {3, 2})).error().code(),
            ErrorCode::InvalidArgument);
  EXPECT_FALSE(rowErrors(rowsView(values, {}), rowsView(values, {})));
  EXPECT_FALSE(rowErrors(rowsView(values, {6, 0}), rowsView(values, {6, 0})));
}

}  // namespace
}  // namespace ulp::numerics
