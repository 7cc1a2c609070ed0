#include "core/analysis/verdict/run_agreement.h"

#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using test::quietReport;
using test::rowOf;
using test::setError;

/// Of two open reports.
std::vector<RunAgreement> agreementsOf(report::Report first, report::Report other) {
  std::vector<ReportSource> sources(2);
  sources[0].loaded = {.report = std::make_shared<const report::Report>(std::move(first)),
                       .file = "a/precision_report.json",
                       .folder = "a"};
  sources[1].loaded = {.report = std::make_shared<const report::Report>(std::move(other)),
                       .file = "b/precision_report.json",
                       .folder = "b"};
  const auto joined = joinReports(sources);
  EXPECT_TRUE(joined.has_value());
  return compareRuns(*joined, sources);
}

TEST(RunAgreement, RunsOfOneNameWithTheSameNumbersAreEqualBitForBit) {
  const auto agreements = agreementsOf(quietReport({"a", "b"}), quietReport({"a", "b"}));
  ASSERT_EQ(agreements.size(), 2U) << "those of the second report";
  for (const RunAgreement& agreement : agreements) {
    EXPECT_TRUE(agreement.isEqual()) << agreement.run;
    EXPECT_EQ(partOf(agreement).text.text(), "equal bit for bit");
    EXPECT_EQ(partOf(agreement).site, std::nullopt);
  }
  EXPECT_EQ(agreements[0].partner, "a");
}

TEST(RunAgreement, NamesTheFirstTensorThatDiffersAndCountsThem) {
  report::Report other = quietReport({"a", "b"});
  setError(rowOf(other, "b", "decoder.2"), 0.003);
  setError(rowOf(other, "b", "norm"), 0.003);
  const auto agreements = agreementsOf(quietReport({"a", "b"}), other);
  EXPECT_TRUE(agreements.at(0).isEqual());
  const RunAgreement& differs = agreements.at(1);
  EXPECT_FALSE(differs.isEqual());
  EXPECT_EQ(differs.different, 2U);
  ASSERT_TRUE(differs.first.has_value());
  EXPECT_EQ(differs.first->name, "decoder.2");
  EXPECT_EQ(partOf(differs).text.text(),
            "differs from decoder.2, forward on, in 2 of " + std::to_string(differs.tensors) +
                " tensors");
}

TEST(RunAgreement, NanIsEqualToNanAndALossOfItsOwnIsTold) {
  report::Report first = quietReport({"a"});
  test::fillWithNan(rowOf(first, "a", "decoder.1"));
  report::Report other = first;
  EXPECT_TRUE(agreementsOf(first, other).at(0).isEqual());
  other.runs[1].loss += 1e-9;
  const auto agreement = agreementsOf(first, other).at(0);
  EXPECT_FALSE(agreement.isEqual());
  EXPECT_EQ(partOf(agreement).text.text(), "equal but for the loss");
}

TEST(RunAgreement, CountsTensorsThatOneOfBothLacksAndRunsWithoutPartner) {
  report::Report other = quietReport({"a", "c"});
  other.runs[1].comparisons.pop_back();
  const auto agreements = agreementsOf(quietReport({"a", "b"}), other);
  EXPECT_EQ(agreements.at(0).different, 1U);
  EXPECT_EQ(agreements.at(0).first, std::nullopt);
  EXPECT_TRUE(agreements.at(1).partner.empty());
  EXPECT_FALSE(agreements.at(1).isEqual());
  EXPECT_EQ(partOf(agreements.at(1)).text.text(), "not in the first report");
}

TEST(RunAgreement, RowsOfOneNameAreComparedOnce) {
  report::Report other = quietReport({"a"});
  other.runs[1].comparisons.push_back(other.runs[1].comparisons.front());
  const auto agreement = agreementsOf(quietReport({"a"}), other).at(0);
  EXPECT_EQ(agreement.different, 1U);
  EXPECT_EQ(agreement.tensors, other.runs[1].comparisons.size());
}

TEST(RunAgreement, MetricsThatOneReportLacksDoNotCount) {
  report::Report other = quietReport({"a"});
  other.metrics.push_back({"cosine"});
  for (report::Comparison& row : other.runs[1].comparisons) {
    row.metrics.push_back(0.5);
  }
  EXPECT_TRUE(agreementsOf(quietReport({"a"}), other).at(0).isEqual());
}

}  // namespace
}  // namespace ulp::analysis
