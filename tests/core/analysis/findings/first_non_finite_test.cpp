#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using test::findingsOf;
using test::quietReport;
using test::rowOf;

std::size_t overridesWhereCountsAre(const numerics::NonFiniteCounts& counts,
                                    const std::string& dtype) {
  report::Report report = quietReport({"narrow"});
  report.effectiveJson =
      R"({"narrow":{"precision.compute_dtype":{"value":")" + dtype + R"(","origin":"variant"}}})";
  rowOf(report, "narrow", "decoder.2").variantNonFinite = counts;
  const auto findings = findingsOf(report, "first_non_finite");
  EXPECT_EQ(findings.size(), 1U);
  return findings.at(0).overrides.size();
}

TEST(FirstNonFinite, ASingleInfinityOfFloat16IsAnOverflow) {
  EXPECT_EQ(overridesWhereCountsAre({0, 1, 0}, "float16"), 1U);
  EXPECT_EQ(overridesWhereCountsAre({0, 0, 1}, "float16"), 1U);
  EXPECT_EQ(overridesWhereCountsAre({1, 0, 0}, "float16"), 0U);
  EXPECT_EQ(overridesWhereCountsAre({0, 1, 0}, "bfloat16"), 0U);
}

}  // namespace
}  // namespace ulp::analysis
