#include "core/study/reading/site_formats.h"

#include <gtest/gtest.h>

namespace ulp::study {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

Settings settingsOf(const std::string& reference) {
  const auto study = parseStudy("model: {path: m}\nreference: {" + reference + "}\n", "s.yaml");
  EXPECT_TRUE(study) << study.error().message();
  return effectiveSettings(*study, kReferenceName).value();
}

TEST(FormatRulesTest, LaterRulesWinAndFollowersFollowThem) {
  const auto rules = FormatRules::of(
      settingsOf("precision: {compute_dtype: bfloat16, residual_dtype: float32, rules: [\n"
                 "  {match: mlp, compute_dtype: float32},\n"
                 "  {match: down_proj, compute_dtype: float64}]}"));
  ASSERT_TRUE(rules) << rules.error().message();
  const auto formatAt = [&](std::string_view module, Operation operation) {
    return rules->at(module, RulePass::Forward).value()[operation];
  };
  EXPECT_EQ(formatAt("lm_head", Operation::LmHead), NumberFormat::BFloat16);
  EXPECT_EQ(formatAt("model.layers.0.mlp", Operation::Activation), NumberFormat::Float32);
  EXPECT_EQ(formatAt("model.layers.0.mlp.down_proj", Operation::Weights), NumberFormat::Float64);
  EXPECT_EQ(formatAt("model.layers.0.mlp.down_proj", Operation::Residual), NumberFormat::Float32)
      << "set, so that it follows nothing";
}

TEST(FormatRulesTest, ARuleForOnePassLeavesTheOther) {
  const auto rules = FormatRules::of(
      settingsOf("precision.rules: [{match: mlp, pass: backward, compute_dtype: bfloat16}]"));
  ASSERT_TRUE(rules) << rules.error().message();
  EXPECT_EQ(rules->at("mlp", RulePass::Forward).value()[Operation::Compute], NumberFormat::Float32);
  EXPECT_EQ(rules->at("mlp", RulePass::Backward).value()[Operation::Compute],
            NumberFormat::BFloat16);
}

TEST(FormatRulesTest, KernelsBringTheirDefaults) {
  const auto rules =
      FormatRules::of(settingsOf("semantics: fast_llm, precision: {compute_dtype: bfloat16}"));
  ASSERT_TRUE(rules) << rules.error().message();
  const auto formats = rules->at("model.layers.0.mlp", RulePass::Both).value();
  EXPECT_EQ(formats[Operation::Gradient], NumberFormat::Float32);
  EXPECT_EQ(formats[Operation::Rotary], NumberFormat::Float32);
}

TEST(FormatRulesTest, AnExpressionThatIsNoneIsAnError) {
  EXPECT_FALSE(FormatRules::compile({}, {}, {{.match = "(", .formats = {}}}));
}

}  // namespace
}  // namespace ulp::study
