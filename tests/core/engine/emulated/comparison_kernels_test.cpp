#include "core/engine/cuda/comparison_kernels.cuh"

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/engine/emulated/kernel_comparison.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"

namespace ulp::engine::cuda {
namespace {

using numerics::Moments;
using numerics::TensorView;
using numerics::testing::expectIdenticalMoments;
using numerics::testing::OwnedTensor;
using numerics::testing::randomPair;
using testing::accumulateByKernels;
using testing::Turns;

void expectSameAsOnTheCpu(const TensorView& reference,
                          const TensorView& candidate,
                          std::uint64_t blocks = 2,
                          std::size_t worstCount = 8) {
  const auto expected = numerics::compare(reference, candidate, {.worstCount = worstCount});
  ASSERT_TRUE(expected.has_value());
  for (const Turns turns : {Turns::Ascending, Turns::Descending, Turns::Shuffled}) {
    Moments actual;
    accumulateByKernels(
        actual, reference, candidate, {static_cast<unsigned int>(blocks), worstCount, turns});
    expectIdenticalMoments(actual, *expected);
  }
}

constexpr DType kFormats[] = {DType::Float64, DType::Float32, DType::Float16, DType::BFloat16};

class ComparisonKernelsOf : public ::testing::TestWithParam<std::tuple<DType, DType>> {
 protected:
  /// Numbers of many magnitudes, ±0, subnormals, NaN and infinities of both formats.
  static void check(std::size_t count, bool special, std::uint64_t blocks = 2) {
    SCOPED_TRACE(count);
    const auto [reference, candidate] = GetParam();
    const auto values = randomPair(count, reference, candidate, special);
    const OwnedTensor r(reference, values.reference);
    const OwnedTensor v(candidate, values.candidate);
    expectSameAsOnTheCpu(r.view(), v.view(), blocks);
  }
};

TEST_P(ComparisonKernelsOf, GivesTheMomentsOfTheCpuBitForBit) {
  check(5 * kChunk + 777, true);
}

TEST_P(ComparisonKernelsOf, DoesNotDependOnTheNumberOfBlocks) {
  check(3 * kChunk, false, 1);
  check(3 * kChunk, false, 3);
}

TEST_P(ComparisonKernelsOf, TakesSizesAroundThoseOfItsParts) {
  for (const std::size_t part : {std::size_t{1},
                                 static_cast<std::size_t>(kLanes),
                                 numerics::detail::kStep,
                                 static_cast<std::size_t>(kRun),
                                 static_cast<std::size_t>(kChunk)}) {
    for (const std::size_t count : {part - 1, part, part + 1, 2 * part - 1}) {
      check(count, true);
    }
  }
}

TEST_P(ComparisonKernelsOf, TakesTensorsAtAnyAddress) {
  const auto [reference, candidate] = GetParam();
  const auto values = randomPair(kChunk + 4, reference, candidate, true);
  const OwnedTensor r(reference, values.reference);
  const OwnedTensor v(candidate, values.candidate);
  expectSameAsOnTheCpu(r.slice(1, kChunk + 3), v.slice(1, kChunk + 3), 2, 2);
}

INSTANTIATE_TEST_SUITE_P(AllPairs,
                         ComparisonKernelsOf,
                         ::testing::Combine(::testing::ValuesIn(kFormats),
                                            ::testing::ValuesIn(kFormats)),
                         [](const auto& one) {
                           return std::string(toString(std::get<0>(one.param))) + "_" +
                                  std::string(toString(std::get<1>(one.param)));
                         });

/// A pair of tensors of `count` times the same elements, but for a few.
struct Pair {
  std::vector<double> reference;
  std::vector<double> candidate;

  Pair(std::size_t count, double r, double v) : reference(count, r), candidate(count, v) {}
  void check(DType format, std::size_t worstCount = 8) const {
    const OwnedTensor r(format, reference);
    const OwnedTensor v(format, candidate);
    expectSameAsOnTheCpu(r.view(), v.view(), 2, worstCount);
  }
};

TEST(ComparisonKernels, AddsToWhatCameBefore) {
  const auto values = randomPair(3 * kChunk + 50, DType::Float32, DType::Float16, true);
  const OwnedTensor r(DType::Float32, values.reference);
  const OwnedTensor v(DType::Float16, values.candidate);
  const auto expected = numerics::compare(r.view(), v.view());
  ASSERT_TRUE(expected.has_value());
  Moments total;
  for (const auto& [first, count] :
       {std::pair{std::size_t{0}, std::size_t{2 * kChunk}},
        std::pair{std::size_t{2 * kChunk}, std::size_t{kChunk + 50}}}) {
    accumulateByKernels(total, r.slice(first, count), v.slice(first, count), {});
  }
  expectIdenticalMoments(total, *expected);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMax = std::numeric_limits<double>::max();

TEST(ComparisonKernels, KeepsTheFirstOfEqualDifferences) {
  Pair pair(3 * kChunk, 1, 1.5);
  pair.candidate[2 * kChunk + 5] = 2;
  pair.candidate[kChunk + 9] = 2;
  pair.check(DType::BFloat16);
  pair.check(DType::Float64);
}

TEST(ComparisonKernels, FindsMoreWorstElementsThanThereAreChunks) {
  Pair pair(2 * kChunk, 1, 1);
  for (std::size_t i = 0; i < 40; ++i) {
    pair.candidate[i * 700] = 1 + static_cast<double>(i % 7) / 8;
  }
  pair.check(DType::Float32, 30);
  pair.check(DType::Float32, 100);
  pair.check(DType::Float32, 0);
}

TEST(ComparisonKernels, ComparesNothingOfTensorsWithoutNumbers) {
  Pair(kChunk + 3, std::nan(""), std::nan("")).check(DType::Float16);
  Pair(kChunk + 3, std::nan(""), kInfinity).check(DType::Float32);
  Pair(kChunk + 3, -kInfinity, -kInfinity).check(DType::BFloat16);
}

TEST(ComparisonKernels, SeesInfinitiesAfterAnInfiniteDifference) {
  Pair pair(kChunk, -kMax, kMax);
  pair.candidate[400] = kInfinity;
  pair.candidate[9000] = -kInfinity;
  pair.check(DType::Float64);
}

TEST(ComparisonKernels, FindsTheLargestRelativeDifferenceAmongSubnormalProducts) {
  Pair pair(kChunk, 0x1p-1060, 1.25 * 0x1p-1060);
  pair.reference[600] = 0x1p-1060 + 0x1p-1074;
  pair.candidate[600] = 1.2500001 * (0x1p-1060 + 0x1p-1074);
  pair.reference[700] = 3 * 0x1p-1074;
  pair.candidate[700] = 4 * 0x1p-1074;
  pair.check(DType::Float64);
}

TEST(ComparisonKernels, TakesEveryBinOfTheHistogram) {
  Pair pair(2 * numerics::kHistogramBins, 0, 0);
  for (std::size_t bin = 0; bin < numerics::kHistogramBins; ++bin) {
    pair.candidate[2 * bin] = numerics::binLowerEdge(bin);
    pair.candidate[2 * bin + 1] = std::nextafter(numerics::binLowerEdge(bin + 1), 0);
  }
  pair.check(DType::Float64);
  Pair ends(kChunk, 0, 0x1p-1074);
  ends.candidate[3] = 0x1p-500;
  ends.candidate[4] = 0x1p200;
  ends.candidate[5] = 0x1p1023;
  ends.check(DType::Float64);
}

TEST(ComparisonKernels, FollowsDifferencesThatGrowAndShrink) {
  constexpr std::size_t kCount = 7 * kChunk;
  std::vector<double> reference(kCount);
  std::vector<double> candidate(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    // Thirty octaves up and down again, a tenth of the pairs equal.
    const auto chunk = static_cast<int>(i / kChunk);
    const int octave = chunk < 4 ? -10 * chunk : -10 * (6 - chunk);
    reference[i] = 1 + 0.001 * static_cast<double>(i % 97);
    candidate[i] = i % 10 == 0 ? reference[i]
                               : reference[i] + std::ldexp(static_cast<double>(i % 1013), octave);
  }
  const OwnedTensor r(DType::Float64, reference);
  const OwnedTensor v(DType::Float64, candidate);
  expectSameAsOnTheCpu(r.view(), v.view(), 1, 2);
  expectSameAsOnTheCpu(r.view(), v.view(), 2, 1);
}

TEST(ComparisonKernels, FindsNoWorstElementWhereNothingDiffers) {
  Pair(kChunk + 5, 1, 1).check(DType::Float32, 2);
}

TEST(ComparisonKernels, FindsWorstElementsOfDifferentFormats) {
  std::vector<double> reference(2 * kChunk, 1.0);
  std::vector<double> candidate = reference;
  for (std::size_t i = 0; i < 40; ++i) {
    candidate[i * 700] = 1 + static_cast<double>(i % 7) / 8;
  }
  const OwnedTensor r(DType::BFloat16, reference);
  const OwnedTensor v(DType::Float32, candidate);
  expectSameAsOnTheCpu(r.view(), v.view(), 2, 30);
}

}  // namespace
}  // namespace ulp::engine::cuda
