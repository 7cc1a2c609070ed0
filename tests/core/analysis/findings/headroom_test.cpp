#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using report::FindingSeverity;
using test::findingsOf;
using test::quietReport;
using test::rowOf;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Headroom, UsesTheLimitOfTheTensorsFormat) {
  report::Report report = quietReport({"fp16"});
  report::Comparison& row = rowOf(report, "fp16", "decoder.2");
  row.variantDType = "float16";
  row.worst[0].reference = -40000;
  const auto findings = findingsOf(report, "headroom");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, FindingSeverity::Look);
  EXPECT_EQ(findings[0].numbers[0].value, 40000);
  EXPECT_EQ(findings[0].numbers[1].value, 65504);
  EXPECT_THAT(findings[0].explanation.text(), HasSubstr("lower bound"));
  EXPECT_THAT(findingsOf(report, "headroom", {{"headroom.share", 0.7}}), IsEmpty());
  row.variantDType = "float8_e4m3fn";
  EXPECT_EQ(findingsOf(report, "headroom")[0].numbers[1].value, 448);
}

TEST(Headroom, NotesWhatWouldNotFitInFloat16) {
  report::Report report = quietReport({"bf16"});
  rowOf(report, "bf16", "decoder.2").worst[0].reference = 70000;
  const auto findings = findingsOf(report, "headroom");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, FindingSeverity::Note);
  EXPECT_THAT(findings[0].title.text(),
              HasSubstr("float16 would overflow at decoder.2, forward: values of at least 70000"));
}

TEST(Headroom, AsksNoStatisticOfANormWhetherItFitsInFloat16) {
  report::Report report = quietReport({"bf16"});
  report::Comparison& row = test::insertRow(
      report, "decoder.2", "model.layers.2.input_layernorm.variance", Level::Op, 0.002);
  row.variantDType = "float32";
  row.worst[0].reference = 70000;
  EXPECT_THAT(findingsOf(report, "headroom"), IsEmpty());
  row.variantDType = "float16";
  EXPECT_EQ(findingsOf(report, "headroom").size(), 1U) << "where it is kept in that format";
}

TEST(Headroom, TakesNoMaskForAResult) {
  report::Report report = quietReport({"bf16"});
  report::Comparison& row = rowOf(report, "bf16", "decoder.2");
  row.referenceDType = "float32";
  row.variantDType = "bfloat16";
  row.worst[0].reference = -std::numeric_limits<float>::max();
  row.worst[0].variant = -0x1.fep127;
  EXPECT_THAT(findingsOf(report, "headroom"), IsEmpty());
  row.worst[0].variant = -0x1.fcp127;
  EXPECT_EQ(findingsOf(report, "headroom").size(), 2U) << "a result close to the limit";
}

}  // namespace
}  // namespace ulp::analysis
