#include "core/numerics/scalar_formats.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"

namespace ulp::numerics {
namespace {

using test::kInfinity;

/// Value of a pattern by the definition of the format.
double valueOf(const ScalarFormat& format, std::uint32_t bits) {
  const int exponent =
      static_cast<int>(bits >> format.mantissaBits) & ((1 << format.exponentBits) - 1);
  const double mantissa = bits & ((1U << format.mantissaBits) - 1);
  const double sign = (bits & format.signMask()) != 0 ? -1 : 1;
  const bool top = exponent == (1 << format.exponentBits) - 1;
  if (top && format.hasInfinity) {
    return mantissa == 0 ? sign * kInfinity : std::nan("");
  }
  if (top && mantissa == (1U << format.mantissaBits) - 1) {
    return std::nan("");
  }
  const double unit = std::ldexp(1.0, -format.mantissaBits);
  return exponent == 0 ? sign * std::ldexp(mantissa * unit, format.minExponent())
                       : sign * std::ldexp(1 + mantissa * unit, exponent - format.bias());
}

template <ScalarFormat kFormat>
void expectDecodesEveryPattern() {
  for (std::uint32_t bits = 0; bits < 2 * kFormat.signMask(); ++bits) {
    const double expected = valueOf(kFormat, bits);
    const double actual = decode<kFormat>(bits);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(actual)) << bits;
      EXPECT_EQ(encode<kFormat>(actual) & kFormat.nanPattern(), kFormat.nanPattern()) << bits;
    } else {
      EXPECT_EQ(actual, expected) << bits;
      EXPECT_EQ(std::signbit(actual), std::signbit(expected)) << bits;
      EXPECT_EQ(encode<kFormat>(actual), bits) << bits;
    }
  }
}

/// Halfway between two neighbours goes to the even one, anything else to the nearer one.
template <ScalarFormat kFormat>
void expectRoundsToNearestEven() {
  for (std::uint32_t bits = 0; bits + 1 < kFormat.overflowPattern(); ++bits) {
    const double lower = valueOf(kFormat, bits);
    const double upper = valueOf(kFormat, bits + 1);
    const double middle = (lower + upper) / 2;
    const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    EXPECT_EQ(encode<kFormat>(middle), even) << bits;
    EXPECT_EQ(encode<kFormat>(-middle), even | kFormat.signMask()) << bits;
    EXPECT_EQ(encode<kFormat>(std::nextafter(middle, 0)), bits) << bits;
    EXPECT_EQ(encode<kFormat>(std::nextafter(middle, kInfinity)), bits + 1) << bits;
  }
}

TEST(ScalarFormats, DecodeEveryPattern) {
  expectDecodesEveryPattern<kFloat16>();
  expectDecodesEveryPattern<kBFloat16>();
  expectDecodesEveryPattern<kFloat8E4M3FN>();
  expectDecodesEveryPattern<kFloat8E5M2>();
}

TEST(ScalarFormats, RoundToNearestEven) {
  expectRoundsToNearestEven<kFloat16>();
  expectRoundsToNearestEven<kBFloat16>();
  expectRoundsToNearestEven<kFloat8E4M3FN>();
  expectRoundsToNearestEven<kFloat8E5M2>();
}

TEST(ScalarFormats, OverflowFromTheMiddleBeyondTheLargestNumber) {
  EXPECT_EQ(encodeFloat16(65519.99), 0x7BFF);
  EXPECT_EQ(encodeFloat16(65520), 0x7C00);
  EXPECT_EQ(encodeFloat16(-1e300), 0xFC00);
  EXPECT_EQ(encodeBFloat16(0x1.FEp127), 0x7F7F);
  EXPECT_EQ(encodeBFloat16(0x1.FFp127), 0x7F80);
  EXPECT_EQ(encodeFloat8E5M2(57344), 0x7B);
  EXPECT_EQ(encodeFloat8E5M2(61440), 0x7C);
  EXPECT_EQ(encodeFloat8E4M3FN(448), 0x7E);
  EXPECT_EQ(encodeFloat8E4M3FN(464), 0x7E);
  EXPECT_EQ(encodeFloat8E4M3FN(464.1), 0x7F);
  EXPECT_EQ(encodeFloat8E4M3FN(-kInfinity), 0xFF);
}

TEST(ScalarFormats, KeepInfinitiesZerosAndNan) {
  EXPECT_EQ(encodeBFloat16(kInfinity), 0x7F80);
  EXPECT_EQ(encodeFloat16(-kInfinity), 0xFC00);
  EXPECT_EQ(encodeBFloat16(-0.0), 0x8000);
  EXPECT_EQ(encodeFloat16(std::nan("")), 0x7E00);
  EXPECT_EQ(encodeBFloat16(std::nan("")), 0x7FC0);
  EXPECT_EQ(encodeFloat16(1e-300), 0);
}

TEST(ScalarFormats, RoundOnceFromDouble) {
  // Through float32, this would first become a tie and then go down to the even neighbour.
  EXPECT_EQ(encodeBFloat16(1 + 0x1p-8 + 0x1p-40), 0x3F81);
  EXPECT_EQ(encodeFloat16(1 + 0x1p-11 + 0x1p-40), 0x3C01);
}

TEST(ScalarFormats, BFloat16IsTheUpperHalfOfFloat32) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto bits = static_cast<std::uint16_t>(random());
    const float half = decodeBFloat16(bits);
    if (!std::isnan(half)) {
      EXPECT_EQ(half, decode<kBFloat16>(bits));
    }
  }
}

static_assert(decodeFloat16(0x3C00) == 1.0F);
static_assert(decodeFloat8E4M3FN(0x7E) == 448.0F);
static_assert(encodeFloat8E5M2(1.0) == 0x3C);

}  // namespace
}  // namespace ulp::numerics
