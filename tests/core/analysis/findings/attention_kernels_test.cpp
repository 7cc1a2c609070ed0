#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using test::findingsOf;
using test::quietReport;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(AttentionKernels, TellsOfVariantsThatRanOthersThanTheReference) {
  report::Report report = quietReport({"same", "flash", "too"});
  const std::string module = "model.layers.0.self_attn";
  for (report::Run& run : report.runs) {
    run.attentionKernels = {{module, "math"}, {"model.layers.1.self_attn", "math"}};
  }
  EXPECT_THAT(findingsOf(report, "attention_kernels"), IsEmpty());
  report.runs[2].attentionKernels[module] = report.runs[3].attentionKernels[module] = "flash";
  const auto findings = findingsOf(report, "attention_kernels");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, report::FindingSeverity::Note);
  EXPECT_THAT(findings[0].runs, ElementsAre("flash", "too"));
  EXPECT_EQ(findings[0].title.text(),
            "flash, too: attention ran in the kernel flash, in the reference in math");
  ASSERT_EQ(findings[0].numbers.size(), 2U);
  EXPECT_EQ(findings[0].numbers[0].value, 1);
}

TEST(AttentionKernels, AReferenceThatMultipliesInTf32IsToBeLookedAt) {
  report::Report report = quietReport({"a", "b"});
  for (report::Run& run : report.runs) {
    run.attentionKernels = {{"model.layers.0.self_attn", "efficient"}};
  }
  report.effectiveJson =
      R"({"reference":{"precision.compute_dtype":{"value":"bfloat16","origin":"variant"}}})";
  EXPECT_THAT(findingsOf(report, "attention_kernels"), IsEmpty()) << "bfloat16 has no TF32";
  report.effectiveJson =
      R"({"reference":{"precision.compute_dtype":{"value":"float32","origin":"reference_fp32"}}})";
  const auto findings = findingsOf(report, "attention_kernels");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, report::FindingSeverity::Look);
  EXPECT_THAT(findings[0].runs, ElementsAre("a", "b"));
  EXPECT_EQ(findings[0].title.text(), "The attention of reference does not multiply in float32");
}

TEST(AttentionKernels, VariantsThatMultiplyInTf32AreNoted) {
  report::Report report = quietReport({"a", "b", "c"});
  for (const std::size_t run : {std::size_t{1}, std::size_t{3}}) {
    report.runs[run].attentionKernels = {{"model.layers.0.self_attn", "efficient"}};
  }
  const std::string float32 = R"({"precision.compute_dtype":{"value":"float32","origin":"study"}})";
  report.effectiveJson = R"({"a":)" + float32 + R"(,"c":)" + float32 + "}";
  const auto findings = findingsOf(report, "attention_kernels");
  const auto tf32 = std::ranges::find(findings,
                                      "The attention of a, c does not multiply in float32",
                                      [](const auto& finding) { return finding.title.text(); });
  ASSERT_NE(tf32, findings.end());
  EXPECT_EQ(tf32->severity, report::FindingSeverity::Note);
  EXPECT_THAT(tf32->runs, ElementsAre("a", "c"));
}

}  // namespace
}  // namespace ulp::analysis
