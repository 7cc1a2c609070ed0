#include "core/numerics/rounding/quantize.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/numerics/rounding/quantize_kernels.h"
#include "core/numerics/scalar_formats.h"
#include "tests/core/numerics/rounding/rounding_oracle.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::numerics {
namespace {

using test::kFloatInfinity;
using test::kFloatNan;

std::vector<float> quantized(const std::vector<float>& in, const QuantizeOptions& options) {
  std::vector<float> out(in.size());
  quantize(in, out, options);
  return out;
}

float quantized(float value, NumberFormat format, Overflow overflow = Overflow::Propagate) {
  return quantized(std::vector<float>{value}, {format, {.overflow = overflow}}).front();
}

std::vector<NumberFormat> elementFormats() {
  return {NumberFormat::Tf32,
          NumberFormat::BFloat16,
          NumberFormat::Float16,
          NumberFormat::Float8E4M3FN,
          NumberFormat::Float8E5M2};
}

std::vector<float> randomPatterns(std::size_t count) {
  std::mt19937 random(7);
  std::vector<float> values(count);
  for (float& value : values) {
    value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  }
  return values;
}

/// Numbers as activations have them, some of them outliers.
std::vector<float> activations(std::size_t count, unsigned seed = 3) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) {
    value = normal(random) * (random() % 61 == 0 ? 300.0F : 1.0F);
  }
  return values;
}

void expectSame(float actual, double expected, const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << what << ": " << actual;
    return;
  }
  EXPECT_EQ(actual, expected) << what;
  EXPECT_EQ(std::signbit(actual), std::signbit(expected)) << what;
}

TEST(Quantize, ElementsAreTheNearestByDefinition) {
  const std::vector<float> values = randomPatterns(200'000);
  for (const NumberFormat format : elementFormats()) {
    for (const Overflow overflow : {Overflow::Propagate, Overflow::Saturate}) {
      const std::vector<float> rounded = quantized(values, {format, {.overflow = overflow}});
      for (std::size_t i = 0; i < values.size(); ++i) {
        expectSame(rounded[i],
                   oracle::nearestEven(describe(format), values[i], overflow),
                   std::string(toString(format)) + " of " + std::to_string(values[i]));
      }
    }
  }
}

TEST(Quantize, NumbersOfTheFormatStayAndMiddlesGoToTheEvenOne) {
  for (std::uint32_t bits = 0; bits + 1 < kFloat8E4M3FN.overflowPattern(); ++bits) {
    const float lower = decode<kFloat8E4M3FN>(bits);
    const float upper = decode<kFloat8E4M3FN>(bits + 1);
    const float middle = (lower + upper) / 2;
    EXPECT_EQ(quantized(lower, NumberFormat::Float8E4M3FN), lower);
    EXPECT_EQ(quantized(middle, NumberFormat::Float8E4M3FN), bits % 2 == 0 ? lower : upper);
    EXPECT_EQ(quantized(std::nextafter(middle, 0.0F), NumberFormat::Float8E4M3FN), lower);
    EXPECT_EQ(quantized(-std::nextafter(middle, kFloatInfinity), NumberFormat::Float8E4M3FN),
              -upper);
  }
}

TEST(Quantize, EightBitsOverflowAsTheSpecificationSays) {
  // OCP OFP8 1.0, section 5.2: non-saturating and saturating conversion.
  using enum NumberFormat;
  EXPECT_EQ(quantized(464.0F, Float8E4M3FN), 448.0F);
  EXPECT_TRUE(std::isnan(quantized(464.1F, Float8E4M3FN)));
  EXPECT_TRUE(std::isnan(quantized(-kFloatInfinity, Float8E4M3FN)));
  EXPECT_EQ(quantized(464.1F, Float8E4M3FN, Overflow::Saturate), 448.0F);
  EXPECT_EQ(quantized(-kFloatInfinity, Float8E4M3FN, Overflow::Saturate), -448.0F);
  EXPECT_EQ(quantized(61439.9F, Float8E5M2), 57344.0F);
  EXPECT_EQ(quantized(61440.0F, Float8E5M2), kFloatInfinity);
  EXPECT_EQ(quantized(-1e30F, Float8E5M2, Overflow::Saturate), -57344.0F);
  EXPECT_EQ(quantized(kFloatInfinity, Float8E5M2, Overflow::Saturate), 57344.0F);
  EXPECT_TRUE(std::isnan(quantized(kFloatNan, Float8E5M2, Overflow::Saturate)));
  EXPECT_TRUE(std::isnan(quantized(kFloatNan, Float8E4M3FN, Overflow::Saturate)));
}

TEST(Quantize, SmallNumbersKeepTheirSignOnTheWayToZero) {
  for (const NumberFormat format : elementFormats()) {
    const FormatDescription& of = describe(format);
    const auto half = std::ldexp(1.0F, of.minExponent() - of.mantissaBits - 1);
    expectSame(quantized(-half, format), -0.0, std::string(toString(format)));
    EXPECT_EQ(quantized(std::nextafter(half, 1.0F), format), 2 * half) << toString(format);
  }
}

TEST(Quantize, ADoubleIsRoundedOnce) {
  // Through float32, this would first become a tie and then go down to the even neighbour.
  const std::vector<double> in{1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-11 + 0x1p-40, 0x1p-140 * 1.5};
  std::vector<double> out(in.size());
  quantize(in, out, {NumberFormat::BFloat16, {}});
  EXPECT_EQ(out[0], 1 + 0x1p-7);
  EXPECT_EQ(out[2], 0);
  quantize(in, out, {NumberFormat::Tf32, {}});
  EXPECT_EQ(out[1], 1 + 0x1p-10);
  quantize(in, out, {NumberFormat::Float32, {}});
  EXPECT_EQ(out[2], 0x1p-140 * 1.5);
  EXPECT_EQ(out[0], static_cast<double>(static_cast<float>(in[0])));
}

TEST(Quantize, WiderFormatsLeaveNumbersAsTheyAre) {
  const std::vector<float> values{1.0F / 3, kFloatInfinity, -0.0F, 0x1p-149F};
  for (const NumberFormat format : {NumberFormat::Float32, NumberFormat::Float64}) {
    EXPECT_EQ(quantized(values, {format, {}}), values);
  }
}

TEST(Quantize, MicroscalingFollowsTheSpecification) {
  for (const NumberFormat format : {NumberFormat::Mxfp8, NumberFormat::Mxfp4}) {
    const FormatDescription& description = describe(format);
    std::vector<float> values = activations(12'800);
    for (std::size_t i = 0; i < values.size(); ++i) {
      // Blocks of all magnitudes, also those whose scale ends at 2^-127.
      values[i] = std::ldexp(values[i], static_cast<int>(i / 32) - 200);
    }
    const std::vector<float> rounded = quantized(values, {format, {}});
    for (std::size_t begin = 0; begin < values.size(); begin += 32) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
      const std::vector<double> expected = oracle::microscaled(description, {first, first + 32});
      for (std::size_t i = 0; i < 32; ++i) {
        expectSame(rounded[begin + i], expected[i], std::string(description.name));
      }
    }
  }
}

TEST(Quantize, Mxfp4OfAnExampleBlock) {
  // Largest 7: scale 2^(floor(log2 7) - 2) = 1; elements 0, 0.5, 1, 1.5, 2, 3, 4, 6; ties to even.
  const std::vector<float> in{7, -5, 2.5F, 1.75F, 0.25F, 0.26F, -0.75F, 3.5F, 4.9F, 5.1F};
  const std::vector<float> expected{6, -4, 2, 2, 0, 0.5F, -1, 4, 4, 6};
  EXPECT_EQ(quantized(in, {NumberFormat::Mxfp4, {}}), expected);
  // Eight times as large: the scale is 8.
  std::vector<float> larger = in;
  std::vector<float> expectedLarger = expected;
  for (std::size_t i = 0; i < in.size(); ++i) {
    larger[i] *= 8;
    expectedLarger[i] *= 8;
  }
  EXPECT_EQ(quantized(larger, {NumberFormat::Mxfp4, {}}), expectedLarger);
}

TEST(Quantize, Mxfp8SaturatesAboveTheLargestElement) {
  // floor(log2 500) = 8 = the exponent of 448: the scale is 1, and 500 becomes 448.
  EXPECT_EQ(quantized(std::vector<float>{500, 1, 0.001F}, {NumberFormat::Mxfp8, {}}),
            (std::vector<float>{448, 1, 0.001953125F}));
  EXPECT_EQ(quantized(std::vector<float>{512, 1, 0.001F}, {NumberFormat::Mxfp8, {}}),
            (std::vector<float>{512, 1, 0}));
}

TEST(Quantize, Nvfp4OfAnExampleBlock) {
  // Tensor scale 1: largest 2688 = 6 * 448. The second block: 12 / 6 = 2 is an E4M3 number.
  std::vector<float> in(32, 0.0F);
  in[0] = 2688;
  in[1] = -1000;
  in[16] = 12;
  in[17] = -7;
  in[18] = 0.5F;
  in[19] = 2.9F;
  ASSERT_EQ(nvfp4TensorScale(largestFinite(in)), 1.0F);
  const std::vector<float> out = quantized(in, {NumberFormat::Nvfp4, {}});
  EXPECT_EQ(out[0], 2688);
  EXPECT_EQ(out[1], -448 * 2);  // 1000 / 448 = 2.23
  EXPECT_EQ(out[16], 12);
  EXPECT_EQ(out[17], -8);  // 3.5 is a tie between 3 and 4
  EXPECT_EQ(out[18], 0);   // 0.25 is a tie between 0 and 0.5
  EXPECT_EQ(out[19], 3);   // 1.45
}

TEST(Quantize, Nvfp4RoundsItsBlockScales) {
  // 6.5 / 6 = 1.083 lies between the E4M3 numbers 1 and 1.125, nearer to 1.125.
  const std::vector<float> out =
      quantized(std::vector<float>{6.5F, 1, -0.2F}, {NumberFormat::Nvfp4, {}});
  EXPECT_EQ(out, (std::vector<float>{6.75F, 1.125F, -0.0F}));
  // 6.3 / 6 = 1.05 goes down to 1, and 6.3 saturates.
  EXPECT_EQ(quantized(std::vector<float>{6.3F}, {NumberFormat::Nvfp4, {}}).front(), 6);
}

TEST(Quantize, Nvfp4BlockFarBelowTheTensorIsZero) {
  // The smallest E4M3 scale is 2^-9; half of it rounds to 0.
  const std::vector<float> out =
      quantized(std::vector<float>{6 * 0x1p-10F, -6 * 0x1p-11F}, {NumberFormat::Nvfp4, {}});
  expectSame(out[0], 0, "half of the smallest scale");
  expectSame(out[1], -0.0, "keeps the sign");
  const std::vector<float> zeros(40, 0.0F);
  const float scale = nvfp4TensorScale(largestFinite(zeros));
  EXPECT_GT(scale, 0);
  EXPECT_EQ(quantized(zeros, {.format = NumberFormat::Nvfp4, .tensorScale = scale}), zeros);
}

TEST(Quantize, ABlockWithoutAScaleIsNan) {
  for (const NumberFormat format :
       {NumberFormat::Mxfp8, NumberFormat::Mxfp4, NumberFormat::Nvfp4}) {
    for (const float culprit : {kFloatInfinity, -kFloatInfinity, kFloatNan}) {
      const auto block = static_cast<std::size_t>(describe(format).blockSize);
      std::vector<float> in(3 * block, 1.0F);
      in[block + 3] = culprit;
      const std::vector<float> out = quantized(in, {format, {}});
      for (std::size_t i = 0; i < in.size(); ++i) {
        EXPECT_EQ(std::isnan(out[i]), i / block == 1) << toString(format) << " " << i;
      }
      EXPECT_EQ(largestFinite(in), 1.0F);
    }
  }
}

TEST(Quantize, BlocksBeginAnewWithEachRow) {
  // Rows of 40: blocks of 32 and 8.
  std::vector<float> in = activations(200);
  const std::vector<float> together =
      quantized(in, {.format = NumberFormat::Mxfp4, .rowLength = 40});
  for (std::size_t row = 0; row < 5; ++row) {
    const auto begin = in.begin() + static_cast<std::ptrdiff_t>(row * 40);
    const std::vector<float> alone =
        quantized(std::vector<float>(begin, begin + 40), {NumberFormat::Mxfp4, {}});
    EXPECT_TRUE(std::equal(
        alone.begin(), alone.end(), together.begin() + static_cast<std::ptrdiff_t>(row * 40)));
  }
}

TEST(Quantize, WorksInPlace) {
  for (const FormatDescription& format : numberFormats()) {
    const QuantizeOptions options{
        format.format, {.mode = RoundingMode::Stochastic, .overflow = Overflow::Saturate}};
    std::vector<float> values = activations(1000);
    const std::vector<float> expected = quantized(values, options);
    quantize(values, values, options);
    EXPECT_EQ(values, expected) << format.name;
  }
}

template <class T>
void expectKernelsAgree(const std::vector<T>& values, const QuantizeOptions& options) {
  std::vector<T> expected(values.size());
  detail::quantizeWith(detail::portableQuantizeKernels(), values, expected, options);
  for (const detail::QuantizeKernels* kernels : detail::availableQuantizeKernels()) {
    SCOPED_TRACE(kernels->name);
    std::vector<T> actual(values.size());
    detail::quantizeWith(*kernels, values, actual, options);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool bothNan = std::isnan(actual[i]) && std::isnan(expected[i]);
      ASSERT_TRUE(bothNan || actual[i] == expected[i])
          << toString(options.format) << " of " << values[i];
      ASSERT_TRUE(bothNan || std::signbit(actual[i]) == std::signbit(expected[i])) << values[i];
    }
  }
}

TEST(Quantize, KernelsOfAllInstructionSetsAgree) {
  std::vector<float> values = randomPatterns(4096);
  const std::vector<float> ordinary = activations(4096);
  values.insert(values.end(), ordinary.begin(), ordinary.end());
  const std::vector<double> wide(values.begin(), values.end());
  for (const FormatDescription& format : numberFormats()) {
    for (const RoundingMode mode : {RoundingMode::NearestEven, RoundingMode::Stochastic}) {
      const QuantizeOptions options{
          .format = format.format, .rounding = {.mode = mode, .seed = 5}, .rowLength = 1000};
      expectKernelsAgree(values, options);
      expectKernelsAgree(wide, options);
    }
  }
}

}  // namespace
}  // namespace ulp::numerics
