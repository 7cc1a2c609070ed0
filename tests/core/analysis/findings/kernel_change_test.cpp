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

constexpr const char* kSmallTile = "ampere_bf16_s16816gemm_bf16_64x64_tn";
constexpr const char* kLargeTile = "ampere_bf16_s16816gemm_bf16_128x64_tn";

/// A bfloat16 reference and variants of these formats; on all of them one kernel ran everywhere.
report::Report bfloat16Report(const std::vector<std::string>& variants,
                              const std::string& formatOfVariants = "bfloat16") {
  report::Report report = quietReport(variants);
  const auto effective = [](const std::string& run, const std::string& format) {
    return '"' + run + R"(":{"precision.compute_dtype":{"value":")" + format + R"("}})";
  };
  report.effectiveJson = '{' + effective("reference", "bfloat16");
  for (const std::string& name : variants) {
    report.effectiveJson += ',' + effective(name, formatOfVariants);
  }
  report.effectiveJson += '}';
  for (report::Run& run : report.runs) {
    run.kernels.names = {kSmallTile, kLargeTile};
    for (const Site& site : test::layerSites(4)) {
      run.kernels.of(site.pass)[site.name] = {0};
    }
  }
  return report;
}

void runLargeTile(report::Run& run, const std::string& row) {
  run.kernels.of(Pass::Forward)[row] = {1};
}

TEST(KernelChange, SameKernelsAreNoFinding) {
  EXPECT_THAT(findingsOf(bfloat16Report({"repeat"}), "kernel_change"), IsEmpty());
}

TEST(KernelChange, NamesTheFirstTensorBothKernelsAndHowMany) {
  report::Report report = bfloat16Report({"batch"});
  runLargeTile(report.runs[1], "decoder.1");
  runLargeTile(report.runs[1], "decoder.3");
  const auto findings = findingsOf(report, "kernel_change");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, FindingSeverity::Note);
  EXPECT_EQ(findings[0].title.text(), "Another kernel ran at decoder.1, forward (batch)");
  EXPECT_THAT(findings[0].explanation.text(),
              HasSubstr("gemm bf16 s16816 64x64 (cublas), here "
                        "gemm bf16 s16816 128x64 (cublas)"));
  ASSERT_EQ(findings[0].numbers.size(), 1U);
  EXPECT_EQ(findings[0].numbers[0].value, 2);
}

TEST(KernelChange, IsWhereErrorsStartWhenNothingDiffersBefore) {
  report::Report report = bfloat16Report({"batch"});
  for (const char* name : {"embeddings", "decoder.0"}) {
    setError(rowOf(report, "batch", name), 0);
  }
  runLargeTile(report.runs[1], "decoder.1");
  const auto findings = findingsOf(report, "kernel_change");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, FindingSeverity::Look);
  EXPECT_EQ(findings[0].title.text(),
            "Errors start at decoder.1, forward, where another kernel ran (batch)");
}

TEST(KernelChange, KernelsThatReadAlikeAreNamedInFull) {
  report::Report report = bfloat16Report({"batch"});
  report.runs[1].kernels.names[1] = std::string(kSmallTile) + "_v2";
  runLargeTile(report.runs[1], "decoder.1");
  const auto findings = findingsOf(report, "kernel_change");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].explanation.text(), HasSubstr(std::string(kSmallTile) + "_v2"));
}

TEST(KernelChange, VariantsWithTheSameChangeShareAFinding) {
  report::Report report = bfloat16Report({"a", "b"});
  runLargeTile(report.runs[1], "decoder.1");
  runLargeTile(report.runs[2], "decoder.1");
  const auto findings = findingsOf(report, "kernel_change");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].runs, ElementsAre("a", "b"));
}

TEST(KernelChange, OtherFormatsTakeOtherKernels) {
  report::Report report = bfloat16Report({"fp16"}, "float16");
  runLargeTile(report.runs[1], "decoder.1");
  EXPECT_THAT(findingsOf(report, "kernel_change"), IsEmpty());
}

TEST(KernelChange, SaysNothingWhereKernelsOrFormatsAreUnknown) {
  report::Report report = bfloat16Report({"batch"});
  runLargeTile(report.runs[1], "decoder.1");
  report::Report unrecorded = report;
  unrecorded.runs[1].kernels = {};
  EXPECT_THAT(findingsOf(unrecorded, "kernel_change"), IsEmpty());
  report.effectiveJson = "";
  EXPECT_THAT(findingsOf(report, "kernel_change"), IsEmpty());
}

}  // namespace
}  // namespace ulp::analysis
