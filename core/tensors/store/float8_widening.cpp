#include "core/tensors/store/float8_widening.h"

#include <algorithm>
#include <array>
#include <bit>

namespace ulp::tensors {
namespace {

constexpr unsigned kSign = 0x80;
constexpr unsigned kMagnitude = 0x7F;
constexpr unsigned kNan = 0x7F;
constexpr unsigned kFirstBeyondIeee = 0x78;

/// value = (8 + mantissa) · 2^(exponent - 10), subnormal: mantissa · 2^-9. Half precision has
/// exponent bias 15 and ten mantissa bits.
constexpr std::uint16_t halfOf(unsigned code) {
  const unsigned sign = (code & kSign) << 8U;
  unsigned magnitude = code & kMagnitude;
  if (magnitude == kNan) {
    return static_cast<std::uint16_t>(sign | 0x7E00U);
  }
  if (magnitude == 0) {
    return static_cast<std::uint16_t>(sign);
  }
  unsigned exponent = magnitude >> 3U;
  unsigned mantissa = magnitude & 7U;
  if (exponent == 0) {
    const auto shift = static_cast<unsigned>(4 - std::bit_width(mantissa));
    mantissa = (mantissa << shift) & 7U;
    return static_cast<std::uint16_t>(sign | ((9U - shift) << 10U) | (mantissa << 7U));
  }
  return static_cast<std::uint16_t>(sign | ((exponent + 8U) << 10U) | (mantissa << 7U));
}

constexpr std::array<std::uint16_t, 256> makeTable() {
  std::array<std::uint16_t, 256> table{};
  for (unsigned code = 0; code < table.size(); ++code) {
    table.at(code) = halfOf(code);
  }
  return table;
}

constexpr auto kHalves = makeTable();

}  // namespace

bool exceedsIeeeFloat8(std::span<const std::byte> elements) {
  return std::any_of(elements.begin(), elements.end(), [](std::byte element) {
    const unsigned magnitude = std::to_integer<unsigned>(element) & kMagnitude;
    return magnitude >= kFirstBeyondIeee && magnitude != kNan;
  });
}

std::vector<std::uint16_t> float8ToHalf(std::span<const std::byte> elements) {
  std::vector<std::uint16_t> halves(elements.size());
  std::transform(elements.begin(), elements.end(), halves.begin(), [](std::byte element) {
    return kHalves.at(std::to_integer<std::size_t>(element));
  });
  return halves;
}

std::byte halfToFloat8(std::uint16_t half) {
  const unsigned sign = (half >> 8U) & kSign;
  const unsigned exponent = (half >> 10U) & 0x1FU;
  const unsigned mantissa = (half >> 7U) & 7U;
  if (exponent == 0x1F) {
    return static_cast<std::byte>(sign | kNan);
  }
  if (exponent == 0) {
    return static_cast<std::byte>(sign);
  }
  if (exponent < 9) {
    return static_cast<std::byte>(sign | ((8U | mantissa) >> (9U - exponent)));
  }
  return static_cast<std::byte>(sign | ((exponent - 8U) << 3U) | mantissa);
}

}  // namespace ulp::tensors
