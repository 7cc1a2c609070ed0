#include "core/engine/cuda/pair_accumulator.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/numerics/comparison/comparison.h"

namespace ulp::engine::cuda {
namespace {

struct HostResult {
  PairAccumulator total;
  std::vector<std::uint64_t> histogram = std::vector<std::uint64_t>(numerics::kHistogramBins);
};

/// What the kernel does, one "thread" after the other.
template <class T>
HostResult accumulateOnHost(const std::vector<T>& reference,
                            const std::vector<T>& candidate,
                            DType dtype) {
  constexpr std::size_t kStrands = 128;
  HostResult result;
  const UlpGrid grid = ulpGridOf(dtype);
  for (std::size_t strand = 0; strand < kStrands; ++strand) {
    PairAccumulator own;
    for (std::size_t i = strand; i < reference.size(); i += kStrands) {
      const int bin = own.add(reference[i], candidate[i], i, grid);
      if (bin >= 0) {
        ++result.histogram[static_cast<std::size_t>(bin)];
      }
    }
    result.total.combine(own);
  }
  return result;
}

template <class T>
void plantOddities(std::vector<T>& values, std::size_t offset) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> oddities{Limits::quiet_NaN(),
                                Limits::infinity(),
                                -Limits::infinity(),
                                T{0},
                                -T{0},
                                Limits::denorm_min(),
                                Limits::min(),
                                Limits::max() / 4};
  for (std::size_t i = 0; i < oddities.size(); ++i) {
    values[offset + 37 * i] = oddities[i];
  }
}

template <class T>
void expectSameAsOnTheCpu(DType dtype) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 3);
  std::vector<T> reference(100'003);
  std::vector<T> candidate(reference.size());
  for (std::size_t i = 0; i < reference.size(); ++i) {
    reference[i] = static_cast<T>(normal(random));
    candidate[i] = static_cast<T>(reference[i] * (1 + normal(random) * 1e-3));
  }
  plantOddities(reference, 11);
  plantOddities(candidate, 48);
  const auto size = static_cast<std::int64_t>(reference.size());
  const auto expected =
      numerics::compare({reference.data(), dtype, {size}}, {candidate.data(), dtype, {size}});
  ASSERT_TRUE(expected.has_value());
  const HostResult actual = accumulateOnHost(reference, candidate, dtype);

  EXPECT_EQ(actual.total.compared, expected->compared);
  EXPECT_EQ(actual.total.equal, expected->equal);
  EXPECT_EQ(actual.total.maxAbsolute, expected->maxAbsoluteDifference);
  EXPECT_EQ(actual.total.maxRelative, expected->maxRelativeDifference);
  EXPECT_EQ(actual.total.maxUlp, expected->maxUlp);
  EXPECT_EQ(actual.total.maxPosition, expected->worst.at(0).flat);
  EXPECT_EQ(actual.histogram, expected->differenceHistogram);
  EXPECT_EQ(actual.total.nonFinite[0][0], expected->reference.nan);
  EXPECT_EQ(actual.total.nonFinite[0][2], expected->reference.negativeInfinity);
  EXPECT_EQ(actual.total.nonFinite[1][1], expected->candidate.positiveInfinity);
  const auto near = [](double a, double b) {
    return a == b || std::abs(a - b) <= 1e-12 * std::abs(b);
  };
  EXPECT_PRED2(near, actual.total.squaredReference, expected->sumSquaredReference);
  EXPECT_PRED2(near, actual.total.product, expected->sumProduct);
  EXPECT_PRED2(near, actual.total.squaredDifference, expected->sumSquaredDifference);
  EXPECT_PRED2(near, actual.total.absoluteDifference, expected->sumAbsoluteDifference);
  EXPECT_PRED2(near, actual.total.ulp, expected->sumUlp);
}

TEST(PairAccumulator, AgreesWithTheCpuOnFloat32) {
  expectSameAsOnTheCpu<float>(DType::Float32);
}

TEST(PairAccumulator, AgreesWithTheCpuOnFloat64) {
  expectSameAsOnTheCpu<double>(DType::Float64);
}

TEST(PairAccumulator, KeepsTheLowerPositionOfEqualDifferences) {
  PairAccumulator early;
  early.add(1, 2, 5, {});
  PairAccumulator late;
  late.add(1, 2, 9, {});
  late.combine(early);
  EXPECT_EQ(late.maxPosition, 5U);
}

}  // namespace
}  // namespace ulp::engine::cuda
