#include "core/analysis/depth/noise_band.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

using numerics::Better;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(NoiseBand, TheFloorIsTheWorstOfAllRepeatsAtEachPlace) {
  const std::vector<std::vector<double>> repeats{{1, 5, 2}, {3, 4, 2}};
  EXPECT_EQ(noiseFloor(repeats, Better::Lower), (std::vector<double>{3, 5, 2}));
  EXPECT_EQ(noiseFloor(repeats, Better::Higher), (std::vector<double>{1, 4, 2}));
}

TEST(NoiseBand, WhatIsNotANumberSaysNothing) {
  const std::vector<std::vector<double>> repeats{{kNaN, kInfinity, kNaN}, {2, 1, kNaN}};
  const std::vector<double> floor = noiseFloor(repeats, Better::Lower);
  EXPECT_EQ(floor[0], 2);
  EXPECT_EQ(floor[1], 1);
  EXPECT_TRUE(std::isnan(floor[2]));
}

TEST(NoiseBand, WithoutRepeatsNothingIsKnown) {
  EXPECT_TRUE(noiseFloor({}, Better::Lower).empty());
  EXPECT_FALSE(isWithinNoise(0, kNaN, Better::Lower));
  EXPECT_FALSE(isWithinNoise(kNaN, 1, Better::Lower));
}

TEST(NoiseBand, AsBadAsTheNoiseIsStillNoise) {
  EXPECT_TRUE(isWithinNoise(1, 1, Better::Lower));
  EXPECT_TRUE(isWithinNoise(0.5, 1, Better::Lower));
  EXPECT_FALSE(isWithinNoise(1.5, 1, Better::Lower));
  EXPECT_FALSE(isWithinNoise(kInfinity, 1, Better::Lower));
  EXPECT_TRUE(isWithinNoise(0.999, 0.99, Better::Higher));
  EXPECT_FALSE(isWithinNoise(0.98, 0.99, Better::Higher));
}

}  // namespace
}  // namespace ulp::analysis
