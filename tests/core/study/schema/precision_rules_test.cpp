#include "core/study/schema/precision_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/reading/study.h"

namespace ulp::study {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

std::string errorsOf(std::string_view rules) {
  const auto study =
      parseStudy("model.path: m\nprecision:\n  rules:\n" + std::string(rules), "s.yaml");
  return study ? "" : std::string(study.error().message());
}

TEST(PrecisionRules, AreKeptInCanonicalSpelling) {
  const auto study = parseStudy(
      "model.path: m\nprecision.rules: [{match: 'mlp$', pass: forward, compute_dtype: half}]\n",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::string& value = study->settings.at("precision.rules").value;
  EXPECT_EQ(value, R"([{"match":"mlp$","pass":"forward","compute_dtype":"float16"}])");
  const auto rules = parseRules(value);
  ASSERT_TRUE(rules);
  ASSERT_EQ(rules->size(), 1U);
  EXPECT_EQ(rules->front().match, "mlp$");
  EXPECT_EQ(rules->front().pass, RulePass::Forward);
  EXPECT_EQ(rules->front().formats[Operation::Compute], NumberFormat::Float16);
  EXPECT_FALSE(rules->front().formats[Operation::Weights]);
}

TEST(PrecisionRules, AreEmptyByDefault) {
  EXPECT_TRUE(parseRules("[]")->empty());
}

TEST(PrecisionRules, TellMistakesAtTheirPlace) {
  EXPECT_EQ(errorsOf("    - {match: a, compute_dtyp: bf16}\n"),
            "s.yaml:4:18: 'precision.rules': a rule has no key 'compute_dtyp'; did you mean "
            "'compute_dtype'?");
  EXPECT_EQ(errorsOf("    - {match: a, cast: module, compute_dtype: bf16}\n"),
            "s.yaml:4:18: 'precision.rules': a rule has no key 'cast'");
  EXPECT_EQ(errorsOf("    - match: a\n      pass: backwards\n      compute_dtype: bf16\n"),
            "s.yaml:5:13: 'precision.rules': pass must be one of both, forward, backward, not "
            "'backwards'");
  EXPECT_THAT(
      errorsOf("    - {match: a, softmax_dtype: int8}\n"),
      testing::StartsWith("s.yaml:4:33: 'precision.softmax_dtype' must be one of float64, "));
  EXPECT_THAT(errorsOf("    - {match: '(', compute_dtype: bf16}\n"),
              testing::StartsWith("s.yaml:4:15: 'precision.rules': match must be a regular "
                                  "expression over module paths: "));
  EXPECT_EQ(errorsOf("    - {compute_dtype: bf16}\n"),
            "s.yaml:4:7: 'precision.rules': a rule needs match");
  EXPECT_EQ(errorsOf("    - {match: a, pass: both}\n"),
            "s.yaml:4:7: 'precision.rules': a rule needs at least one format, such as "
            "compute_dtype");
  EXPECT_EQ(errorsOf("    - down_proj\n"),
            "s.yaml:4:7: 'precision.rules': a rule is a map such as {match: down_proj$, "
            "compute_dtype: float32}");
  EXPECT_EQ(errorsOf("    - {match: a, match: b, compute_dtype: bf16}\n"),
            "s.yaml:4:8: 'precision.rules': 'match' is set twice");
  EXPECT_EQ(errorsOf("      match: a\n"), "s.yaml:4:7: 'precision.rules' must be a list of rules");
}

TEST(PrecisionRules, DoNotHoldForAReferenceInFloat32) {
  const auto study = parseStudy(
      "model.path: m\nprecision.rules: [{match: a, compute_dtype: bf16}]\nvariants: {v: }\n", "s");
  ASSERT_TRUE(study) << study.error().message();
  EXPECT_EQ(effectiveSettings(*study, kReferenceName)->at("precision.rules").value, "[]");
  EXPECT_NE(effectiveSettings(*study, "v")->at("precision.rules").value, "[]");
}

}  // namespace
}  // namespace ulp::study
