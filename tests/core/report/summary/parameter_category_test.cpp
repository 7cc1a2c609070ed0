#include "core/report/summary/parameter_category.h"

#include <gtest/gtest.h>

namespace ulp::report {
namespace {

TEST(ParameterCategory, TellsParametersOfLlamaFamilies) {
  EXPECT_EQ(parameterCategory("model.embed_tokens.weight", 2), ParameterCategory::Embeddings);
  EXPECT_EQ(parameterCategory("lm_head.weight", 2), ParameterCategory::LmHead);
  EXPECT_EQ(parameterCategory("model.norm.weight", 1), ParameterCategory::Norm);
  EXPECT_EQ(parameterCategory("model.layers.3.input_layernorm.weight", 1), ParameterCategory::Norm);
  EXPECT_EQ(parameterCategory("model.layers.3.self_attn.q_norm.weight", 1),
            ParameterCategory::Norm);
  EXPECT_EQ(parameterCategory("model.layers.3.self_attn.q_proj.weight", 2),
            ParameterCategory::Linear);
  EXPECT_EQ(parameterCategory("model.layers.3.self_attn.q_proj.bias", 1), ParameterCategory::Bias);
  EXPECT_EQ(parameterCategory("model.layers.3.block_sparse_moe.experts.0.w1.weight", 2),
            ParameterCategory::Linear);
}

TEST(ParameterCategory, TellsParametersOfOtherFamilies) {
  EXPECT_EQ(parameterCategory("transformer.wte.weight", 2), ParameterCategory::Embeddings);
  EXPECT_EQ(parameterCategory("transformer.h.0.ln_1.weight", 1), ParameterCategory::Norm);
  EXPECT_EQ(parameterCategory("transformer.ln_f.bias", 1), ParameterCategory::Norm);
  EXPECT_EQ(parameterCategory("embed_out.weight", 2), ParameterCategory::LmHead);
  EXPECT_EQ(parameterCategory("model.layers.0.self_attn.sinks", 1), ParameterCategory::Other);
}

TEST(ParameterCategory, TellsParametersByTheirNamesInFastLlm) {
  EXPECT_EQ(parameterCategory("embeddings.word_embeddings_weight", 2),
            ParameterCategory::Embeddings);
  EXPECT_EQ(parameterCategory("head.output_weights", 2), ParameterCategory::LmHead);
  EXPECT_EQ(parameterCategory("head.final_norm.weight", 1), ParameterCategory::Norm);
  EXPECT_EQ(parameterCategory("decoder.0.norm_1.weight", 1), ParameterCategory::Norm);
  EXPECT_EQ(parameterCategory("decoder.0.norm_1.bias", 1), ParameterCategory::Norm);
  EXPECT_EQ(parameterCategory("decoder.0.mixer.key_value.weight", 2), ParameterCategory::Linear);
  EXPECT_EQ(parameterCategory("decoder.0.mixer.dense.bias", 1), ParameterCategory::Bias);
}

}  // namespace
}  // namespace ulp::report
