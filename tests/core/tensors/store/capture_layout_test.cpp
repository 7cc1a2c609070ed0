#include "core/tensors/store/capture_layout.h"

#include <array>
#include <fmt/format.h>
#include <numeric>

#include <gtest/gtest.h>

namespace ulp::tensors {
namespace {

TEST(CaptureLinkName, IsTheModulePathOfALayerRow) {
  EXPECT_EQ(captureLinkName({"decoder.11", "model.layers.11", 11, Level::Layer, Pass::Forward}),
            "model.layers.11");
  EXPECT_EQ(captureLinkName({"embeddings", "model.embed_tokens", -1, Level::Layer, Pass::Forward}),
            "model.embed_tokens");
  EXPECT_EQ(captureLinkName({"logits", "lm_head", -1, Level::Layer, Pass::Backward}), "logits");
  EXPECT_EQ(captureLinkName({"loss", "", -1, Level::Layer, Pass::Forward}), "loss");
}

TEST(CaptureLinkName, IsTheOwnNameOfOtherRows) {
  EXPECT_EQ(captureLinkName({"model.layers.0.self_attn[q]",
                             "model.layers.0.self_attn",
                             0,
                             Level::Module,
                             Pass::Backward}),
            "model.layers.0.self_attn[q]");
  EXPECT_EQ(captureLinkName(
                {"model.norm.weight", "model.norm", -1, Level::Layer, Pass::ParameterGradient}),
            "model.norm.weight");
}

TEST(IsLinkName, RefusesWhatHdf5WouldTakeApart) {
  EXPECT_TRUE(isLinkName("model.layers.0"));
  for (const std::string& name : {std::string(),
                                  std::string("."),
                                  std::string(".."),
                                  std::string("a/b"),
                                  std::string("a\0b", 3)}) {
    EXPECT_FALSE(isLinkName(name)) << name;
  }
}

TEST(RunNames, AreEscaped) {
  EXPECT_EQ(runLinkName("bf16 / fp32%"), "bf16 %2F fp32%25");
  EXPECT_EQ(runLinkName(".."), "%2E%2E");
  EXPECT_EQ(runFileName("bf16_fp32-residual.v1"), "bf16_fp32-residual.v1.h5");
  EXPECT_EQ(runFileName("../a b"), "%2E.%2Fa%20b.h5");
}

TEST(RunNames, StayDistinctWhenCut) {
  const std::string one = runFileName(fmt::format("{:a>301}", 1));
  const std::string two = runFileName(fmt::format("{:a>301}", 2));
  EXPECT_LT(one.size(), 200U);
  EXPECT_NE(one, two);
}

TEST(SampleStride, KeepsSmallTensorsWhole) {
  EXPECT_EQ(sampleStride(100, 0, std::array<std::int64_t, 1>{100}), 1U);
  EXPECT_EQ(sampleStride(100, 100, std::array<std::int64_t, 1>{100}), 1U);
}

TEST(SampleStride, SharesNoFactorWithADimension) {
  const std::array<std::int64_t, 3> shape{4, 128, 576};
  const std::uint64_t count = 294912;
  const std::uint64_t stride = sampleStride(count, 1000, shape);
  EXPECT_LE((count + stride - 1) / stride, 1000U);
  for (const std::int64_t dimension : shape) {
    EXPECT_EQ(std::gcd(stride, static_cast<std::uint64_t>(dimension)), 1U);
  }
  EXPECT_EQ(stride, 295U);
}

}  // namespace
}  // namespace ulp::tensors
