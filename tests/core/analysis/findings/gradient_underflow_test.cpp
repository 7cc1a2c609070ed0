#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using report::FindingSeverity;
using test::findingsOf;
using test::quietReport;
using test::rowOf;
using test::setError;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A float16 run whose gradients are of RMS 1, but for that of decoder.1.
report::Report smallGradient(double scale, double error) {
  report::Report report = quietReport({"fp16"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.variantDType = "float16";
    row.worst[0] = {{0, 1, 2}, 0.01, 0.01};
    row.worst[1] = row.worst[0];
    row.metrics[2] = 0.005;
  }
  report::Comparison& row = rowOf(report, "fp16", "decoder.1", Pass::Backward);
  setError(row, error, scale);
  row.worst = {{{0, 1, 2}, 4 * scale, 3 * scale}};
  return report;
}

TEST(GradientUnderflow, RecommendsALossScaleThatLiftsTheGradientsToNormalNumbers) {
  const auto findings = findingsOf(smallGradient(2e-7, 0.4), "gradient_underflow");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].runs, ElementsAre("fp16"));
  EXPECT_EQ(findings[0].severity, FindingSeverity::Look);
  EXPECT_EQ(findings[0].sites.front().name, "decoder.1");
  EXPECT_EQ(findings[0].sites[0].pass, Pass::Backward);
  EXPECT_EQ(
      findings[0].title.text(),
      "Gradients of fp16 underflow in float16: at decoder.1, backward, of RMS 2.00e-7, the error "
      "is 40.0 %; tensors of this kind: 1. A loss scale of 8192 (2^13) keeps them");
  // 16 × 2^-14 / 2e-7 = 4883, and 8192 is the next power of two.
  EXPECT_EQ(findings[0].numbers.back().name, "loss scale");
  EXPECT_EQ(findings[0].numbers.back().value, 8192);
}

TEST(GradientUnderflow, AnErrorThatRoundingDoesNotExplainIsNoReasonForALossScale) {
  // Numbers of float16 are 6e-8 apart there, and 4e-6 off.
  const auto findings = findingsOf(smallGradient(1e-5, 0.4), "gradient_underflow");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title.text(),
            "Gradients of fp16 are below the normal numbers of float16, and wrong: at decoder.1, "
            "backward, of RMS 1.00e-5, the error is 40.0 %; tensors of this kind: 1. Rounding them "
            "explains less, so that a loss scale may not help");
  EXPECT_EQ(findings[0].numbers.back().name, "tensors");
}

TEST(GradientUnderflow, AParametersGradientIsNoBetterExplainedThanThatOfItsModule) {
  report::Report report = smallGradient(1e-5, 0.4);
  report::Comparison row = rowOf(report, "fp16", "decoder.1", Pass::Backward);
  row.site.name = "model.layers.1.weight";
  row.site.pass = Pass::ParameterGradient;
  setError(row, 0.4, 1e-7);
  report.runs[1].comparisons.push_back(row);
  const auto findings = findingsOf(report, "gradient_underflow");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].title.text(), HasSubstr("tensors of this kind: 2. Rounding"));
  report.runs[1].comparisons.back().site.module = "model.layers.2";
  EXPECT_THAT(findingsOf(report, "gradient_underflow")[0].title.text(),
              HasSubstr("tensors of this kind: 1. A loss scale of 16384 (2^14) keeps them"));
}

std::string scaledBy(const char* run, const char* scale) {
  return std::string("\"") + run + R"(":{"precision.compute_dtype":{"value":"float16"},)" +
         R"("gradient.scale":{"value":")" + scale + R"("}})";
}

TEST(GradientUnderflow, KnowsTheLossScaleThatARunHas) {
  report::Report report = smallGradient(2e-7, 0.4);
  report.effectiveJson = "{" + scaledBy("fp16", "256") + "}";
  // 2e-7 × 256 is below 2^-14, and the numbers of the run were 256 times as close.
  setError(rowOf(report, "fp16", "decoder.1", Pass::Backward), 0.06, 2e-9);
  EXPECT_THAT(findingsOf(report, "gradient_underflow")[0].title.text(),
              HasSubstr("A loss scale of 524288 (2^19) keeps them"));
  report.effectiveJson = "{" + scaledBy("fp16", "32768") + "}";
  EXPECT_THAT(findingsOf(report, "gradient_underflow"), IsEmpty()) << "they are normal with it";
  report.effectiveJson = "{" + scaledBy("fp16", "auto") + "}";
  EXPECT_THAT(findingsOf(report, "gradient_underflow"), IsEmpty()) << "there is no larger one";
}

TEST(GradientUnderflow, DoesNotAdviseWhatAnotherRunDisproves) {
  report::Report report = smallGradient(2e-7, 0.4);
  report.runs.push_back(report.runs[1]);
  report.runs[2].name = "scaled";
  report.effectiveJson = "{" + scaledBy("fp16", "1") + "," + scaledBy("scaled", "32768") + "}";
  EXPECT_THAT(findingsOf(report, "gradient_underflow"), IsEmpty());
  setError(rowOf(report, "scaled", "decoder.1", Pass::Backward), 0.002, 2e-7);
  EXPECT_EQ(findingsOf(report, "gradient_underflow").size(), 1U);
}

TEST(GradientUnderflow, NeverRecommendsAScaleByWhichTheLargestGradientOverflows) {
  report::Report report = smallGradient(1e-7, 0.9);
  rowOf(report, "fp16", "decoder.3", Pass::Backward).worst[0].reference = 60;
  setError(rowOf(report, "fp16", "decoder.2", Pass::Backward), 0.06, 2e-6);
  const auto limited = findingsOf(report, "gradient_underflow");
  ASSERT_EQ(limited.size(), 1U);
  // 65504 / (8 × 60) = 136.5 leaves 2^7, where 1e-7 would need 2^14.
  EXPECT_EQ(limited[0].numbers.back().value, 128);
  EXPECT_THAT(limited[0].title.text(), HasSubstr("(2^7) keeps all but 1 of them"));
  rowOf(report, "fp16", "decoder.3", Pass::Backward).worst[0].reference = 9000;
  const auto none = findingsOf(report, "gradient_underflow");
  ASSERT_EQ(none.size(), 1U);
  EXPECT_THAT(none[0].title.text(), HasSubstr("No loss scale helps, since gradients reach 9000"));
  EXPECT_EQ(none[0].numbers.back().name, "tensors");
}

TEST(GradientUnderflow, NeedsAnErrorAndAScaleBelowTheNormalNumbersOfTheFormat) {
  EXPECT_EQ(findingsOf(smallGradient(6.1e-5, 0.05), "gradient_underflow").size(), 1U);
  EXPECT_THAT(findingsOf(smallGradient(6.11e-5, 0.05), "gradient_underflow"), IsEmpty());
  EXPECT_THAT(findingsOf(smallGradient(1e-5, 0.049), "gradient_underflow"), IsEmpty());
  EXPECT_EQ(
      findingsOf(
          smallGradient(1e-5, 0.02), "gradient_underflow", {{"gradient_underflow.error", 0.01}})
          .size(),
      1U);
  report::Report wide = smallGradient(1e-5, 0.4);
  rowOf(wide, "fp16", "decoder.1", Pass::Backward).variantDType = "bfloat16";
  EXPECT_THAT(findingsOf(wide, "gradient_underflow"), IsEmpty());
  report::Report forward = smallGradient(1e-5, 0.4);
  rowOf(forward, "fp16", "decoder.1", Pass::Backward).site.pass = Pass::Forward;
  EXPECT_THAT(findingsOf(forward, "gradient_underflow"), IsEmpty());
}

TEST(GradientUnderflow, SuggestsAVariantInBfloat16) {
  report::Report report = smallGradient(1e-5, 0.4);
  report.effectiveJson =
      R"({"fp16":{"precision.compute_dtype":{"value":"float16","origin":"variant"}}})";
  EXPECT_THAT(findingsOf(report, "gradient_underflow")[0].overrides,
              ElementsAre(std::pair("precision.compute_dtype", "bfloat16")));
}

}  // namespace
}  // namespace ulp::analysis
