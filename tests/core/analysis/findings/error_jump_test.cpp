#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using test::findingsOf;
using test::quietReport;
using test::rowOf;
using test::setError;

TEST(ErrorJump, LooksPastLayersWithoutANumber) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.1"), std::nan(""));
  setError(rowOf(report, "bf16", "decoder.2"), 0.03);
  const auto findings = findingsOf(report, "error_jump");
  ASSERT_EQ(findings.size(), 1U);
  ASSERT_EQ(findings[0].sites.size(), 2U);
  EXPECT_EQ(findings[0].sites[0].name, "decoder.2");
  EXPECT_EQ(findings[0].sites[1].name, "decoder.0");
  EXPECT_NEAR(findings[0].numbers[0].value, 0.002, 1e-12);
  EXPECT_NEAR(findings[0].numbers[2].value, 15, 1e-12);
}

}  // namespace
}  // namespace ulp::analysis
