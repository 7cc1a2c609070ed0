#include "core/tensors/store/float8_widening.h"

#include <array>

#include <gtest/gtest.h>

#include "core/numerics/tensor_view.h"

namespace ulp::tensors {
namespace {

TEST(Float8Widening, KeepsEveryCode) {
  for (unsigned code = 0; code < 256; ++code) {
    const std::array<std::byte, 1> element{static_cast<std::byte>(code)};
    EXPECT_EQ(halfToFloat8(float8ToHalf(element)[0]), element[0]) << code;
  }
}

TEST(Float8Widening, GivesTheValuesOfTheFormat) {
  const std::array<std::pair<unsigned, std::uint16_t>, 8> cases{{{0x38, 0x3C00},    // 1
                                                                 {0x7E, 0x5F00},    // 448
                                                                 {0xB8, 0xBC00},    // -1
                                                                 {0x01, 0x1800},    // 2^-9
                                                                 {0x07, 0x2300},    // 7 · 2^-9
                                                                 {0x08, 0x2400},    // 2^-6
                                                                 {0x80, 0x8000},    // -0
                                                                 {0x7F, 0x7E00}}};  // NaN
  for (const auto& [code, half] : cases) {
    const std::array<std::byte, 1> element{static_cast<std::byte>(code)};
    EXPECT_EQ(float8ToHalf(element)[0], half) << code;
  }
}

TEST(Float8Widening, IsNeededFrom256On) {
  const auto needed = [](unsigned code) {
    const std::array<std::byte, 2> elements{std::byte{0}, static_cast<std::byte>(code)};
    return exceedsIeeeFloat8(elements);
  };
  EXPECT_FALSE(needed(0x77));
  EXPECT_TRUE(needed(0x78));
  EXPECT_TRUE(needed(0xFE));
  EXPECT_FALSE(needed(0x7F));
}

}  // namespace
}  // namespace ulp::tensors
