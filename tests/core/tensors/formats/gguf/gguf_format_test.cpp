#include "core/tensors/formats/gguf/gguf_format.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::tensors {
namespace {

TEST(GgufFormat, IsFoundByNumberAndName) {
  ASSERT_NE(findGgufFormat(3), nullptr);
  EXPECT_EQ(findGgufFormat(3)->name, "Q4_1");
  EXPECT_EQ(findGgufFormat("Q6_K"), findGgufFormat(14));
  EXPECT_EQ(findGgufFormat(4), nullptr);
  EXPECT_EQ(findGgufFormat("Q9_9"), nullptr);
}

TEST(GgufFormat, DecodesSpecialScales) {
  // Q8_0: a half-precision scale and 32 signed bytes.
  const auto firstOf = [](std::uint16_t scale, std::uint8_t code) {
    std::array<std::byte, 34> block{};
    block[0] = static_cast<std::byte>(scale & 0xFFU);
    block[1] = static_cast<std::byte>(scale >> 8U);
    block[2] = static_cast<std::byte>(code);
    std::array<float, 32> elements{};
    EXPECT_TRUE(decodeBlocks(*findGgufFormat("Q8_0"), block, elements));
    return elements[0];
  };
  EXPECT_EQ(firstOf(0x3C00, 5), 5.0F);
  EXPECT_EQ(firstOf(0xBC00, 0xFF), 1.0F);
  EXPECT_EQ(firstOf(0x0001, 1), 0x1p-24F);
  EXPECT_EQ(firstOf(0x83FF, 1), -0x3FFp-24F);
  EXPECT_EQ(firstOf(0x7BFF, 2), 131008.0F);
  EXPECT_TRUE(std::isinf(firstOf(0x7C00, 1)));
  EXPECT_TRUE(std::isnan(firstOf(0x7C00, 0)));
  EXPECT_TRUE(std::isnan(firstOf(0x7E01, 1)));
  EXPECT_TRUE(std::signbit(firstOf(0xBC00, 0)));
}

TEST(GgufFormat, DecodesNoBlocks) {
  EXPECT_TRUE(decodeBlocks(*findGgufFormat("Q4_K"), {}, {}));
}

}  // namespace
}  // namespace ulp::tensors
