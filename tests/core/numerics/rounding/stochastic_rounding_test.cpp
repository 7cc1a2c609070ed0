#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/numerics/rounding/counter_random.h"
#include "core/numerics/rounding/quantize.h"
#include "tests/core/numerics/rounding/rounding_oracle.h"

namespace ulp::numerics {
namespace {

constexpr std::size_t kDraws = 200'000;

Rounding stochastic(std::uint64_t seed = 11) {
  return {.mode = RoundingMode::Stochastic, .seed = seed};
}

std::vector<float> draws(float value, NumberFormat format) {
  const std::vector<float> in(kDraws, value);
  std::vector<float> out(kDraws);
  quantize(in, out, {format, stochastic()});
  return out;
}

/// Only the two neighbours appear, the upper one as often as the value's place between them says,
/// within five standard deviations.
template <class T>
void expectUnbiased(const std::vector<T>& drawn, double value, double quantum) {
  const double lower = std::floor(value / quantum) * quantum;
  const double share = (value - lower) / quantum;
  std::size_t up = 0;
  for (const T number : drawn) {
    ASSERT_TRUE(number == lower || number == lower + quantum) << value << " became " << number;
    up += number == lower ? 0 : 1;
  }
  const double sigma = std::sqrt(share * (1 - share) / static_cast<double>(drawn.size()));
  EXPECT_NEAR(static_cast<double>(up) / static_cast<double>(drawn.size()), share, 5 * sigma)
      << value;
}

TEST(StochasticRounding, IsUnbiasedBetweenTheTwoNeighbours) {
  for (const FormatDescription& format : numberFormats()) {
    if (format.isBlockScaled() || format.mantissaBits >= 23) {
      continue;
    }
    SCOPED_TRACE(format.name);
    for (const float value : {1.01F, -1.37F, 100.3F, -0.7501F}) {
      const double quantum = oracle::spacing(format, std::abs(value));
      expectUnbiased(draws(value, format.format), value, quantum);
    }
  }
}

TEST(StochasticRounding, IsUnbiasedAmongSubnormalNumbers) {
  for (const NumberFormat format : {NumberFormat::Float16,
                                    NumberFormat::BFloat16,
                                    NumberFormat::Tf32,
                                    NumberFormat::Float8E4M3FN,
                                    NumberFormat::Float8E5M2}) {
    SCOPED_TRACE(toString(format));
    const FormatDescription& of = describe(format);
    const double quantum = std::ldexp(1.0, of.minExponent() - of.mantissaBits);
    for (const double quanta : {0.1, 0.5, 0.9, 2.25}) {
      const auto value = static_cast<float>(quanta * quantum);
      expectUnbiased(draws(value, format), value, quantum);
    }
  }
}

TEST(StochasticRounding, IsUnbiasedForDoubles) {
  const std::vector<double> in(kDraws, 1 + 0x1p-24 * 0.3);
  std::vector<double> out(kDraws);
  quantize(in, out, {NumberFormat::Float32, stochastic()});
  expectUnbiased(out, in.front(), 0x1p-23);
}

TEST(StochasticRounding, OfBlocksRoundsTheElementsAlone) {
  // The largest of each block, 4, is a power of two and stays; 2.2 lies between two elements.
  std::vector<float> in(kDraws, 2.2F);
  for (std::size_t i = 0; i < in.size(); i += 32) {
    in[i] = 4;
  }
  for (const NumberFormat format : {NumberFormat::Mxfp4, NumberFormat::Mxfp8}) {
    std::vector<float> out(in.size());
    quantize(in, out, {format, stochastic()});
    std::vector<float> drawn;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i % 32 != 0) {
        drawn.push_back(out[i]);
      } else {
        EXPECT_EQ(out[i], 4);
      }
    }
    expectUnbiased(drawn, 2.2F, oracle::spacing(describe(format), 2.2));
  }
}

TEST(StochasticRounding, LeavesNumbersOfTheFormatAlone) {
  for (const float value : {0.0F, -0.0F, 1.0F, -448.0F, 0x1p-9F, 0.0625F}) {
    for (const float drawn : draws(value, NumberFormat::Float8E4M3FN)) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(drawn), std::bit_cast<std::uint32_t>(value));
    }
  }
}

TEST(StochasticRounding, OverflowsBeyondTheLargestNumberOnly) {
  // 449 lies between 448 and the 480 that e4m3fn does not have.
  std::size_t overflown = 0;
  for (const float drawn : draws(449.0F, NumberFormat::Float8E4M3FN)) {
    ASSERT_TRUE(drawn == 448.0F || std::isnan(drawn));
    overflown += std::isnan(drawn) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(overflown), kDraws / 32.0, 5 * std::sqrt(kDraws / 32.0));
}

TEST(StochasticRounding, DependsOnThePlaceInTheTensorAlone) {
  std::vector<float> in(5000);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = std::sin(static_cast<float>(i));
  }
  for (const FormatDescription& format : numberFormats()) {
    std::vector<float> whole(in.size());
    quantize(in, whole, {.format = format.format, .rounding = stochastic(), .rowLength = 100});
    std::vector<float> parts(in.size());
    for (const std::size_t begin : {3000U, 0U, 1000U, 200U}) {
      const std::size_t end = begin == 0 ? 200 : begin == 200 ? 1000 : begin == 1000 ? 3000 : 5000;
      quantize(std::span<const float>(in).subspan(begin, end - begin),
               std::span(parts).subspan(begin, end - begin),
               {.format = format.format,
                .rounding = stochastic(),
                .rowLength = 100,
                .firstIndex = begin});
    }
    EXPECT_EQ(parts, whole) << format.name;
  }
}

TEST(StochasticRounding, DiffersBetweenSeedsAndStreams) {
  const std::vector<float> in(1000, 1.3F);
  std::set<std::vector<float>> seen;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    for (const std::uint64_t stream : {0U, 1U, 2U}) {
      std::vector<float> out(in.size());
      Rounding rounding = stochastic(seed);
      rounding.stream = stream;
      quantize(in, out, {NumberFormat::Float8E5M2, rounding});
      seen.insert(out);
    }
  }
  EXPECT_EQ(seen.size(), 9U);
}

TEST(CounterRandom, IsSplitMix64) {
  // The first outputs of the published generator from state 1234567.
  EXPECT_EQ(randomBits(1234567, 0), 6457827717110365317U);
  EXPECT_EQ(randomBits(1234567, 1), 3203168211198807973U);
  EXPECT_EQ(randomBits(1234567, 2), 9817491932198370423U);
}

}  // namespace
}  // namespace ulp::numerics
