#include "core/analysis/tensors/bit_pattern.h"

#include <gtest/gtest.h>

#include "core/analysis/tensors/dimension_names.h"
#include "tests/core/analysis/tensors/tensor_pair_fixture.h"

namespace ulp::analysis {
namespace {

BitPattern pattern(DType dtype, std::uint64_t bits) {
  return bitPatternAt(test::bytesTensor(dtype, {1}, {bits}).view, 0);
}

TEST(BitPattern, SplitsEveryFormat) {
  const BitPattern single = pattern(DType::Float32, 0xC0490FDB);  // -3.1415927
  EXPECT_EQ(single.width(), 32);
  EXPECT_EQ(single.sign(), 1U);
  EXPECT_EQ(single.exponent(), 128U);
  EXPECT_EQ(single.mantissa(), 0x490FDBU);
  const BitPattern half = pattern(DType::Float16, 0x3C01);
  EXPECT_EQ(half.exponent(), 15U);
  EXPECT_EQ(half.mantissa(), 1U);
  const BitPattern eight = pattern(DType::Float8E4M3FN, 0x7E);
  EXPECT_EQ(eight.width(), 8);
  EXPECT_EQ(eight.exponent(), 15U);
  EXPECT_EQ(eight.mantissa(), 6U);
  const BitPattern wide = pattern(DType::Float64, 0x3FF0000000000001);
  EXPECT_EQ(wide.exponent(), 1023U);
  EXPECT_EQ(wide.mantissa(), 1U);
  EXPECT_EQ(pattern(DType::Int64, ~std::uint64_t{0}).mantissa(), ~std::uint64_t{0});
  EXPECT_EQ(pattern(DType::Bool, 1).width(), 1);
}

TEST(DifferingBits, OfOneFormatAreThoseThatDiffer) {
  const auto differing =
      differingBits(pattern(DType::Float32, 0x3F800001), pattern(DType::Float32, 0xBF800003));
  EXPECT_EQ(differing.first, 0x80000002U);
  EXPECT_EQ(differing.second, 0x80000002U);
}

TEST(DifferingBits, CompareMantissasFromTheTop) {
  // 1.0 + 2^-7 + 2^-23 against 1.0 in bfloat16: the lowest bit of both mantissas differs.
  const auto differing =
      differingBits(pattern(DType::Float32, 0x3F810001), pattern(DType::BFloat16, 0x3F80));
  EXPECT_EQ(differing.first, 0x00010001U);
  EXPECT_EQ(differing.second, 0x0001U);
}

TEST(DifferingBits, CompareExponentsOfUnequalWidthByMeaning) {
  const auto equal =
      differingBits(pattern(DType::Float32, 0x40000000), pattern(DType::Float16, 0x4000));
  EXPECT_EQ(equal.first, 0U);
  EXPECT_EQ(equal.second, 0U);
  const auto unequal =
      differingBits(pattern(DType::Float32, 0x40000000), pattern(DType::Float16, 0x3C00));
  EXPECT_EQ(unequal.first, 0x7F800000U);
  EXPECT_EQ(unequal.second, 0x7C00U);
  const auto infinite =
      differingBits(pattern(DType::Float32, 0x7F800000), pattern(DType::Float16, 0x7C00));
  EXPECT_EQ(infinite.first, 0U);
  // Zero against one: the bias of one, and of zero, would be 0.
  const auto zero = differingBits(pattern(DType::Float32, 0), pattern(DType::Float16, 0x3C00));
  EXPECT_EQ(zero.first, 0x7F800000U);
  EXPECT_EQ(zero.second, 0x7C00U);
}

TEST(DimensionNames, AreKnownFromTheSite) {
  using D = Dimension;
  const auto of = [](const char* name, std::size_t rank, Pass pass = Pass::Forward) {
    return dimensionsOf({name, name, -1, Level::Module, pass}, rank);
  };
  EXPECT_EQ(of("decoder.3", 3), (std::vector{D::Batch, D::Token, D::Channel}));
  EXPECT_EQ(of("logits", 3), (std::vector{D::Batch, D::Token, D::Vocabulary}));
  EXPECT_EQ(of("lm_head", 3, Pass::Backward), (std::vector{D::Batch, D::Token, D::Channel}));
  EXPECT_EQ(of("model.layers.0.self_attn.softmax", 4),
            (std::vector{D::Batch, D::Head, D::Query, D::Key}));
  EXPECT_EQ(of("model.layers.0.self_attn.rotary.q", 4),
            (std::vector{D::Batch, D::Head, D::Token, D::Channel}));
  EXPECT_EQ(of("model.layers.0.mlp.up_proj.weight", 2, Pass::ParameterGradient),
            (std::vector{D::Output, D::Input}));
  EXPECT_EQ(of("model.embed_tokens.weight", 2, Pass::ParameterGradient),
            (std::vector{D::Vocabulary, D::Channel}));
  EXPECT_EQ(of("decoder.3", 2), (std::vector{D::Token, D::Channel}));
  EXPECT_EQ(of("lm_head", 2), (std::vector{D::Token, D::Vocabulary}));
  for (const char* const pairwise : {"scores", "attn_weights", "mask"}) {
    EXPECT_EQ(of(pairwise, 4), (std::vector{D::Batch, D::Head, D::Query, D::Key})) << pairwise;
  }
  EXPECT_EQ(of("attention.out", 4), (std::vector{D::Batch, D::Head, D::Token, D::Channel}));
  EXPECT_EQ(of("decoder.3", 4), std::vector<D>(4, D::Other));
  for (const char* const table : {"lm_head.weight", "transformer.wte.weight"}) {
    EXPECT_EQ(of(table, 2, Pass::ParameterGradient), (std::vector{D::Vocabulary, D::Channel}));
  }
  EXPECT_EQ(of("norm.weight", 1, Pass::ParameterGradient), std::vector{D::Channel});
  EXPECT_EQ(of("conv.weight", 3, Pass::ParameterGradient), std::vector<D>(3, D::Other));
  EXPECT_EQ(of("loss", 0), std::vector<D>{});
  EXPECT_EQ(of("x", 5), std::vector<D>(5, D::Other));
}

}  // namespace
}  // namespace ulp::analysis
