#pragma once

#include <bit>
#include <cstdint>

namespace ulp::numerics {

/// A binary floating-point format of at most 16 bits: sign, exponent, mantissa. IEEE 754
/// throughout, except that a format without infinities keeps its top exponent for numbers and only
/// the pattern of all ones for NaN (the "FN" formats of Micikevicius et al., FP8 Formats for Deep
/// Learning, 2022, section 3).
struct ScalarFormat {
  int exponentBits = 0;
  int mantissaBits = 0;
  bool hasInfinity = true;

  [[nodiscard]] constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  /// Exponent of the smallest normal number, and of the subnormal ones.
  [[nodiscard]] constexpr int minExponent() const { return 1 - bias(); }
  [[nodiscard]] constexpr std::uint32_t signMask() const {
    return std::uint32_t{1} << (exponentBits + mantissaBits);
  }
  /// Pattern of infinity, or of NaN where the format has no infinities.
  [[nodiscard]] constexpr std::uint32_t overflowPattern() const {
    const std::uint32_t magnitude = signMask() - 1;
    return hasInfinity ? magnitude >> mantissaBits << mantissaBits : magnitude;
  }
  /// A quiet NaN.
  [[nodiscard]] constexpr std::uint32_t nanPattern() const {
    return hasInfinity ? overflowPattern() | std::uint32_t{1} << (mantissaBits - 1)
                       : overflowPattern();
  }
};

inline constexpr ScalarFormat kFloat16{5, 10, true};
inline constexpr ScalarFormat kBFloat16{8, 7, true};
inline constexpr ScalarFormat kFloat8E4M3FN{4, 3, false};
inline constexpr ScalarFormat kFloat8E5M2{5, 2, true};

namespace detail {
/// 2^exponent for a normal double.
constexpr double exactPowerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
}  // namespace detail

/// The number that `bits` stands for, exactly.
template <ScalarFormat kFormat>
[[nodiscard]] constexpr float decode(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & (kFormat.signMask() - 1);
  const std::uint32_t sign = (bits & kFormat.signMask()) != 0 ? 0x80000000U : 0U;
  std::uint32_t pattern = 0;
  if (magnitude >= kFormat.overflowPattern()) {
    const bool infinite = kFormat.hasInfinity && magnitude == kFormat.overflowPattern();
    pattern = infinite ? 0x7F800000U : 0x7FC00000U;
  } else if (magnitude >> kFormat.mantissaBits != 0) {
    pattern = (magnitude << (23 - kFormat.mantissaBits)) +
              (static_cast<std::uint32_t>(127 - kFormat.bias()) << 23);
  } else {
    const double quantum = detail::exactPowerOfTwo(kFormat.minExponent() - kFormat.mantissaBits);
    pattern = std::bit_cast<std::uint32_t>(static_cast<float>(magnitude * quantum));
  }
  return std::bit_cast<float>(pattern | sign);
}

/// The nearest number of the format, ties to even, rounded once. Beyond the largest finite number:
/// infinity, or NaN where the format has none, as torch casts. A NaN becomes the quiet NaN.
template <ScalarFormat kFormat>
[[nodiscard]] constexpr std::uint32_t encode(double value) {
  const auto pattern = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = pattern >> 63 != 0 ? kFormat.signMask() : 0U;
  const auto magnitude = std::bit_cast<double>(pattern << 1 >> 1);
  if (magnitude != magnitude) {
    return sign | kFormat.nanPattern();
  }
  const int exponent = static_cast<int>(pattern << 1 >> 53) - 1023;
  if (exponent > kFormat.bias() + 1) {
    return sign | kFormat.overflowPattern();
  }
  const int scale = exponent > kFormat.minExponent() ? exponent : kFormat.minExponent();
  // Adding and taking away 2^52 rounds to an integer, ties to even.
  constexpr double kRounder = 0x1p52;
  const double quanta = magnitude * detail::exactPowerOfTwo(kFormat.mantissaBits - scale);
  const auto rounded = static_cast<std::uint32_t>((quanta + kRounder) - kRounder);
  const std::uint32_t code =
      (static_cast<std::uint32_t>(scale - kFormat.minExponent()) << kFormat.mantissaBits) + rounded;
  return sign | (code < kFormat.overflowPattern() ? code : kFormat.overflowPattern());
}

[[nodiscard]] constexpr float decodeFloat16(std::uint16_t bits) {
  return decode<kFloat16>(bits);
}
/// bfloat16 is the upper half of a float32.
[[nodiscard]] constexpr float decodeBFloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
[[nodiscard]] constexpr float decodeFloat8E4M3FN(std::uint8_t bits) {
  return decode<kFloat8E4M3FN>(bits);
}
[[nodiscard]] constexpr float decodeFloat8E5M2(std::uint8_t bits) {
  return decode<kFloat8E5M2>(bits);
}

[[nodiscard]] constexpr std::uint16_t encodeFloat16(double value) {
  return static_cast<std::uint16_t>(encode<kFloat16>(value));
}
[[nodiscard]] constexpr std::uint16_t encodeBFloat16(double value) {
  return static_cast<std::uint16_t>(encode<kBFloat16>(value));
}
[[nodiscard]] constexpr std::uint8_t encodeFloat8E4M3FN(double value) {
  return static_cast<std::uint8_t>(encode<kFloat8E4M3FN>(value));
}
[[nodiscard]] constexpr std::uint8_t encodeFloat8E5M2(double value) {
  return static_cast<std::uint8_t>(encode<kFloat8E5M2>(value));
}

}  // namespace ulp::numerics
