#include "core/comparing/origin/nondeterministic_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {
namespace {

using testing::HasSubstr;

std::string titleOf(std::string_view operation, Pass pass) {
  const auto* known = nondeterministic(operation, pass);
  return known == nullptr ? "" : std::string(known->title);
}

TEST(NondeterministicOperationsTest, FunctionsMethodsAndModulesMeet) {
  EXPECT_EQ(plainOperation("Tensor.scatter_add_"), "scatteradd");
  EXPECT_EQ(plainOperation("Tensor.__getitem__"), "getitem");
  EXPECT_EQ(plainOperation("MaxPool3d"), "maxpool3d");
  EXPECT_EQ(plainOperation(""), "");
  EXPECT_EQ(titleOf("Torch.scatter_add", Pass::Forward),
            titleOf("Tensor.scatter_add_", Pass::Forward));
  EXPECT_EQ(titleOf("Functional.max_pool3d", Pass::Backward), titleOf("MaxPool3d", Pass::Backward));
}

TEST(NondeterministicOperationsTest, SomeAreSoInTheirBackwardPassAlone) {
  EXPECT_EQ(titleOf("Functional.embedding", Pass::Forward), "");
  EXPECT_EQ(titleOf("Functional.embedding", Pass::Backward), "embedding, backward");
  EXPECT_EQ(titleOf("Embedding", Pass::ParameterGradient), "embedding, backward");
  EXPECT_EQ(titleOf("Functional.scaled_dot_product_attention", Pass::Forward), "");
  EXPECT_EQ(titleOf("Functional.scaled_dot_product_attention", Pass::Backward),
            "fused attention, backward");
  EXPECT_EQ(titleOf("LlamaAttention", Pass::Backward), "fused attention, backward");
}

TEST(NondeterministicOperationsTest, EachHasItsOwnRemedy) {
  const auto remedyOf = [](std::string_view operation, Pass pass) {
    const auto* known = nondeterministic(operation, pass);
    return known == nullptr ? "" : std::string(known->remedy);
  };
  EXPECT_THAT(remedyOf("Tensor.index_add_", Pass::Forward),
              HasSubstr("torch.use_deterministic_algorithms(True)"));
  EXPECT_THAT(remedyOf("Functional.linear", Pass::Forward),
              HasSubstr("CUBLAS_WORKSPACE_CONFIG=:4096:8"));
  EXPECT_THAT(remedyOf("Torch.bmm", Pass::Backward), HasSubstr("CUBLAS_WORKSPACE_CONFIG"));
  EXPECT_THAT(remedyOf("Conv2d", Pass::Forward), HasSubstr("cudnn.deterministic"));
  EXPECT_THAT(remedyOf("Distributed.all_reduce", Pass::Forward), HasSubstr("NCCL_ALGO"));
  EXPECT_THAT(remedyOf("Distributed.reduce_scatter_tensor", Pass::Forward), HasSubstr("NCCL_ALGO"));
  EXPECT_THAT(remedyOf("Functional.dropout", Pass::Forward), HasSubstr("torch.manual_seed"));
  EXPECT_THAT(remedyOf("Torch.cumsum", Pass::Forward), HasSubstr("on the CPU"));
}

TEST(NondeterministicOperationsTest, WhatIsDeterministicIsNoSuspect) {
  for (const char* operation :
       {"Tensor.__add__", "Functional.silu", "Torch.rsqrt", "LlamaRMSNorm", "", "Tensor.mean"}) {
    EXPECT_EQ(titleOf(operation, Pass::Forward), "") << operation;
  }
  EXPECT_EQ(titleOf("LlamaRotaryEmbedding", Pass::Backward), "")
      << "a table of angles, no table of tokens";
}

}  // namespace
}  // namespace ulp::analysis
