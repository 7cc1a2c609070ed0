#include "core/analysis/tensors/pair_statistics.h"

#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "core/numerics/scalar_formats.h"
#include "tests/core/analysis/tensors/tensor_pair_fixture.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using test::kFloatInfinity;
using test::kFloatNan;

TEST(PairStatistics, AgreesWithTheComparisonToTheLastBit) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> reference(700'001);
  std::vector<float> variant(reference.size());
  for (std::size_t i = 0; i < reference.size(); ++i) {
    reference[i] = normal(random);
    variant[i] = reference[i] + normal(random) * 1e-3F;
  }
  reference[12345] = kFloatNan;
  variant[600'000] = -kFloatInfinity;
  const auto pair = test::floatPair({700'001}, reference, variant);
  Progress progress;
  const auto statistics = computePairStatistics(*pair, {}, &progress).value();
  const auto whole =
      numerics::compare(pair->reference.view, pair->variant.view, {.worstCount = kWorstElements})
          .value();
  EXPECT_EQ(statistics->moments.sumSquaredDifference, whole.sumSquaredDifference);
  EXPECT_EQ(statistics->moments.compared, 699'999U);
  ASSERT_EQ(statistics->moments.worst.size(), kWorstElements);
  EXPECT_EQ(statistics->moments.worst[7].flat, whole.worst[7].flat);
  EXPECT_EQ(statistics->reference.nonFinite.nan, 1U);
  EXPECT_EQ(statistics->variant.nonFinite.negativeInfinity, 1U);
  EXPECT_EQ(statistics->reference.finite(), 700'000U);
  EXPECT_EQ(statistics->difference.finite(), 699'999U);
  EXPECT_EQ(progress.fraction(), 1);
  const auto& counts = statistics->density.counts;
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 699'999U);
}

TEST(PairStatistics, PutsEqualPairsOnTheDiagonal) {
  const std::vector<float> values{-1000, -1, -0.01F, 0, 0.01F, 1, 1000};
  const auto pair = test::floatPair({7}, values, values);
  const DensityGrid density = computePairStatistics(*pair, {}).value()->density;
  std::uint64_t onDiagonal = 0;
  for (int i = 0; i < DensityGrid::kSide; ++i) {
    onDiagonal += density.at(i, i);
  }
  EXPECT_EQ(onDiagonal, 7U);
  EXPECT_NEAR(density.valueAt(density.position(3.5)), 3.5, 1e-9);
  EXPECT_GT(density.position(1), 0.1);
  EXPECT_EQ(density.position(0), 0);
}

TEST(PairStatistics, HasNoPairsWhereNothingIsFinite) {
  const auto pair = test::floatPair({2}, {kFloatNan, kFloatInfinity}, {1, 2});
  const auto statistics = computePairStatistics(*pair, {}).value();
  EXPECT_EQ(statistics->moments.compared, 0U);
  EXPECT_TRUE(statistics->density.counts.empty());
  EXPECT_TRUE(statistics->moments.worst.empty());
}

TEST(PairStatistics, StopsWhenAsked) {
  const auto pair = test::floatPair({2}, {1, 2}, {1, 2});
  std::stop_source source;
  source.request_stop();
  const auto statistics = computePairStatistics(*pair, source.get_token());
  ASSERT_FALSE(statistics.has_value());
  EXPECT_EQ(statistics.error().code(), ErrorCode::Cancelled);
}

TEST(ValueBins, CountByExponent) {
  ValueBins bins;
  for (const double value : {1.0, 1.5, -1.999, 2.0, 0.25, 0.0, -0.0, 1e-310}) {
    bins.add(value);
  }
  bins.add(std::nan(""));
  EXPECT_EQ(bins.ofExponent(0), 3U);
  EXPECT_EQ(bins.ofExponent(1), 1U);
  EXPECT_EQ(bins.ofExponent(-2), 1U);
  EXPECT_EQ(bins.zeros, 2U);
  EXPECT_EQ(bins.finite(), 8U);
  EXPECT_EQ(bins.exponents().high, 1);
  EXPECT_EQ(bins.exponents().low, -1023);
  EXPECT_TRUE(ValueBins().exponents().isEmpty());
}

TEST(ValueBins, AddUpThoseOfOtherThreads) {
  ValueBins all;
  for (const double value : {1.0, 0.0, std::nan("")}) {
    all.add(value);
  }
  ValueBins other;
  for (const double value : {1.5, 1.0, -8.0, 0.0, 0.0, std::nan("")}) {
    other.add(value);
  }
  other.add(test::kFloatInfinity);
  other.add(test::kFloatInfinity);
  other.add(-test::kFloatInfinity);
  all.add(other);
  EXPECT_EQ(all.ofExponent(0), 3U);
  EXPECT_EQ(all.ofExponent(3), 1U);
  EXPECT_EQ(all.zeros, 3U);
  EXPECT_EQ(all.nonFinite.nan, 2U);
  EXPECT_EQ(all.nonFinite.positiveInfinity, 2U);
  EXPECT_EQ(all.nonFinite.negativeInfinity, 1U);
  EXPECT_EQ(all.finite(), 7U);
}

TEST(FormatCounter, AddsUpWhatOtherThreadsCounted) {
  // Each in a bin in which float16 rounds some values away and keeps others.
  const std::vector<double> values{65519.99, 65520.0, 0x1p-25, 0x1.1p-25, 0x1.ffp-15, 0x1.fffp-15};
  const auto fits = [&](bool isApart) {
    ValueBins bins;
    FormatCounter counter;
    FormatCounter other;
    for (std::size_t i = 0; i < values.size(); ++i) {
      bins.add(values[i]);
      (isApart && i % 2 == 0 ? other : counter).add(values[i]);
    }
    counter.add(other);
    return counter.fits(bins);
  };
  const auto apart = fits(true);
  const auto together = fits(false);
  for (std::size_t format = 0; format < apart.size(); ++format) {
    EXPECT_EQ(apart[format].overflow, together[format].overflow) << format;
    EXPECT_EQ(apart[format].underflow, together[format].underflow) << format;
    EXPECT_EQ(apart[format].subnormal, together[format].subnormal) << format;
  }
  EXPECT_EQ(apart[0].overflow, 1U);
  EXPECT_EQ(apart[0].underflow, 1U);
}

TEST(FormatCounter, CountsAsRoundingWould) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-30, 20);
  ValueBins bins;
  FormatCounter counter;
  std::array<FormatFit, kNarrowFormats.size()> expected{};
  const auto count = [&](double value) {
    bins.add(value);
    counter.add(value);
    const auto note =
        [&](std::size_t format, std::uint32_t code, std::uint32_t least, std::uint32_t top) {
          expected[format].overflow += code >= top ? 1 : 0;
          expected[format].underflow += code == 0 ? 1 : 0;
          expected[format].subnormal += code != 0 && code < least ? 1 : 0;
        };
    const double magnitude = std::abs(value);
    note(0, numerics::encodeFloat16(magnitude), 1U << 10, numerics::kFloat16.overflowPattern());
    note(1, numerics::encodeBFloat16(magnitude), 1U << 7, numerics::kBFloat16.overflowPattern());
    note(2,
         numerics::encodeFloat8E4M3FN(magnitude),
         1U << 3,
         numerics::kFloat8E4M3FN.overflowPattern());
    note(
        3, numerics::encodeFloat8E5M2(magnitude), 1U << 2, numerics::kFloat8E5M2.overflowPattern());
  };
  for (int i = 0; i < 20'000; ++i) {
    count((i % 2 == 0 ? 1 : -1) * std::exp2(exponent(random)));
  }
  for (const double edge : {65504.0,
                            65519.99,
                            65520.0,
                            464.0,
                            464.1,
                            448.0,
                            57344.0,
                            61440.0,
                            0x1p-25,
                            0x1.1p-25,
                            0x1p-10,
                            3.5e38}) {
    count(edge);
  }
  const auto fits = counter.fits(bins);
  for (std::size_t format = 0; format < fits.size(); ++format) {
    EXPECT_EQ(fits[format].format, kNarrowFormats[format]);
    EXPECT_EQ(fits[format].overflow, expected[format].overflow) << format;
    EXPECT_EQ(fits[format].underflow, expected[format].underflow) << format;
    EXPECT_EQ(fits[format].subnormal, expected[format].subnormal) << format;
  }
  EXPECT_GT(fits[2].overflow, 0U);
}

TEST(FormatRange, IsThatOfTheFormats) {
  EXPECT_EQ(rangeOf(DType::Float16).highest, 15);
  EXPECT_EQ(rangeOf(DType::Float16).lowestNormal, -14);
  EXPECT_EQ(rangeOf(DType::Float16).lowestSubnormal, -24);
  EXPECT_EQ(rangeOf(DType::BFloat16).highest, 127);
  EXPECT_EQ(rangeOf(DType::Float8E4M3FN).highest, 8);
  EXPECT_EQ(rangeOf(DType::Float8E4M3FN).lowestNormal, -6);
  EXPECT_EQ(rangeOf(DType::Float8E5M2).lowestSubnormal, -16);
}

TEST(PairStatistics, AxesAreLinearUpToTheLowerQuartile) {
  const auto density = [](const std::vector<float>& reference, const std::vector<float>& variant) {
    const auto count = static_cast<std::int64_t>(reference.size());
    return computePairStatistics(*test::floatPair({count}, reference, variant), {})
        .value()
        ->density;
  };
  // Four places an octave: 16, 20, 24, 28.
  const DensityGrid five = density({1, -2, 4, 8, 16}, {1, 1, 1, 1, 1});
  EXPECT_EQ(five.linear, 2);
  EXPECT_EQ(five.limit, 20);
  EXPECT_EQ(density({1, -2, 4, 8}, {0, 0, 0, -24}).linear, 1);
  EXPECT_EQ(density({1, -2, 4, 8}, {0, 0, 0, -24}).limit, 28);
  EXPECT_EQ(density({0, 0, 0, 0, 8}, {0, 0, 0, 0, 0}).linear, 8) << "zeros are left out";
  const DensityGrid zeros = density({0, 0}, {0, 0});
  EXPECT_EQ(zeros.limit, 0);
  EXPECT_EQ(zeros.position(3), 0);
  EXPECT_EQ(zeros.valueAt(0.5), 0);
  EXPECT_DOUBLE_EQ(five.position(20), 1);
  EXPECT_DOUBLE_EQ(five.position(-20), -1);
  EXPECT_DOUBLE_EQ(five.valueAt(1), 20);
}

TEST(PairStatistics, ProgressCountsEveryElementThreeTimes) {
  const auto pair = test::floatPair({3}, {1, 2, 3}, {1, 2, 3});
  Progress progress;
  ASSERT_TRUE(computePairStatistics(*pair, {}, &progress));
  EXPECT_EQ(progress.total, 9U);
  EXPECT_EQ(progress.done, 9U);
}

}  // namespace
}  // namespace ulp::analysis
