#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/numerics/comparison/comparison.h"

namespace ulp::numerics {
namespace {

TEST(UlpOf, IsTheDistanceToTheNextNumberOfTheFormat) {
  for (const float value : {1.0F, 1.5F, 1.9999999F, 2.0F, 3e38F, 1e-30F, 0x1p-126F, 0x1p-127F}) {
    const float next = std::nextafter(value, std::numeric_limits<float>::infinity());
    if (std::isfinite(next)) {
      EXPECT_EQ(ulpOf(value, DType::Float32), static_cast<double>(next) - value) << value;
    }
    EXPECT_EQ(ulpOf(-value, DType::Float32), ulpOf(value, DType::Float32)) << value;
  }
  for (const double value : {1.0, 1e300, 1e-320, 0x1p-1022}) {
    EXPECT_EQ(ulpOf(value, DType::Float64),
              std::nextafter(value, std::numeric_limits<double>::infinity()) - value)
        << value;
  }
}

TEST(UlpOf, IsTheSubnormalSpacingBelowTheSmallestNormal) {
  EXPECT_EQ(ulpOf(0, DType::Float64), 0x1p-1074);
  EXPECT_EQ(ulpOf(0, DType::Float32), 0x1p-149);
  EXPECT_EQ(ulpOf(0, DType::BFloat16), 0x1p-133);
  EXPECT_EQ(ulpOf(0, DType::Float16), 0x1p-24);
  EXPECT_EQ(ulpOf(0x1p-15, DType::Float16), 0x1p-24);
  EXPECT_EQ(ulpOf(0, DType::Float8E4M3FN), 0x1p-9);
  EXPECT_EQ(ulpOf(0, DType::Float8E5M2), 0x1p-16);
}

TEST(UlpOf, FollowsTheExponentBeyondTheRangeOfTheFormat) {
  EXPECT_EQ(ulpOf(1, DType::BFloat16), 0x1p-7);
  EXPECT_EQ(ulpOf(1, DType::Float8E4M3FN), 0x1p-3);
  EXPECT_EQ(ulpOf(0x1p20, DType::Float16), 0x1p10);
}

TEST(UlpOf, IsOneForIntegers) {
  EXPECT_EQ(ulpOf(0, DType::Int8), 1);
  EXPECT_EQ(ulpOf(1e9, DType::Int64), 1);
}

TEST(UlpOf, IsUndefinedWhereTheValueIsNotFinite) {
  EXPECT_TRUE(std::isnan(ulpOf(std::numeric_limits<double>::infinity(), DType::Float32)));
  EXPECT_TRUE(std::isnan(ulpOf(std::nan(""), DType::Float32)));
}

TEST(UlpFormat, IsTheCoarserOfTheTwo) {
  EXPECT_EQ(ulpFormat(DType::Float32, DType::BFloat16), DType::BFloat16);
  EXPECT_EQ(ulpFormat(DType::BFloat16, DType::Float32), DType::BFloat16);
  EXPECT_EQ(ulpFormat(DType::Float16, DType::BFloat16), DType::BFloat16);
  EXPECT_EQ(ulpFormat(DType::Float64, DType::Float32), DType::Float32);
  EXPECT_EQ(ulpFormat(DType::Float8E4M3FN, DType::Float8E5M2), DType::Float8E5M2);
  EXPECT_EQ(ulpFormat(DType::Float32, DType::Float32), DType::Float32);
  EXPECT_EQ(ulpFormat(DType::Int64, DType::Float64), DType::Float64);
}

TEST(BinLowerEdge, CutsAnOctaveIntoEighths) {
  EXPECT_EQ(binLowerEdge(0), 0);
  EXPECT_EQ(binLowerEdge(1), 0x1p-160);
  EXPECT_EQ(binLowerEdge(1 + 8 * 160), 1);
  EXPECT_EQ(binLowerEdge(1 + 8 * 160 + 3), 1.375);
  EXPECT_EQ(binLowerEdge(1 + 8 * 161), 2);
  EXPECT_EQ(binLowerEdge(kHistogramBins), 0x1p160);
}

}  // namespace
}  // namespace ulp::numerics
