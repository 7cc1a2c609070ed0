#include "core/tensors/formats/gguf/gguf_format.h"

#include <array>
#include <cmath>
#include <sstream>
#include <string>
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

TEST(GgufFormat, BlocksAreAsLargeAsTheFormatSaysThem) {
  // python3 -c "import gguf; [print(k.value, k.name, *v) for k, v in
  // gguf.GGML_QUANT_SIZES.items()]", gguf 0.19
  std::istringstream sizes(
      "0 F32 1 4 1 F16 1 2 2 Q4_0 32 18 3 Q4_1 32 20 6 Q5_0 32 22 7 Q5_1 32 24 8 Q8_0 32 34 "
      "9 Q8_1 32 36 10 Q2_K 256 84 11 Q3_K 256 110 12 Q4_K 256 144 13 Q5_K 256 176 14 Q6_K 256 210 "
      "15 Q8_K 256 292 16 IQ2_XXS 256 66 17 IQ2_XS 256 74 18 IQ3_XXS 256 98 19 IQ1_S 256 50 "
      "20 IQ4_NL 32 18 21 IQ3_S 256 110 22 IQ2_S 256 82 23 IQ4_XS 256 136 24 I8 1 1 25 I16 1 2 "
      "26 I32 1 4 27 I64 1 8 28 F64 1 8 29 IQ1_M 256 56 30 BF16 1 2 34 TQ1_0 256 54 "
      "35 TQ2_0 256 66 39 MXFP4 32 17 40 NVFP4 64 36 41 Q1_0 128 18");
  std::uint32_t id = 0;
  std::string name;
  std::size_t elements = 0;
  std::size_t bytes = 0;
  std::size_t count = 0;
  while (sizes >> id >> name >> elements >> bytes) {
    const GgufFormat* const format = findGgufFormat(id);
    ASSERT_NE(format, nullptr) << name;
    EXPECT_EQ(format->name, name);
    EXPECT_EQ(format->blockElements, elements) << name;
    EXPECT_EQ(format->blockBytes, bytes) << name;
    // What is shown where it lies is as large as its type.
    EXPECT_EQ(format->plain.has_value(), elements == 1) << name;
    EXPECT_TRUE(!format->plain || itemSize(*format->plain) == bytes) << name;
    ++count;
  }
  EXPECT_EQ(count, 34U);
  EXPECT_EQ(findGgufFormat(42), nullptr);
}

}  // namespace
}  // namespace ulp::tensors
