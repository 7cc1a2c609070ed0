#include "core/tensors/store/float8_widening.h"

#include <algorithm>
#include <array>

#include "core/numerics/scalar_formats.h"

namespace ulp::tensors {
namespace {

constexpr unsigned kMagnitude = 0x7F;
constexpr unsigned kNan = 0x7F;
constexpr unsigned kFirstBeyondIeee = 0x78;

constexpr std::array<std::uint16_t, 256> makeTable() {
  std::array<std::uint16_t, 256> table{};
  for (unsigned code = 0; code < table.size(); ++code) {
    table.at(code) =
        numerics::encodeFloat16(numerics::decodeFloat8E4M3FN(static_cast<std::uint8_t>(code)));
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
  return static_cast<std::byte>(numerics::encodeFloat8E4M3FN(numerics::decodeFloat16(half)));
}

}  // namespace ulp::tensors
