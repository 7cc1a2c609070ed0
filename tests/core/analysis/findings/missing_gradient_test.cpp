#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/verdict/run_verdict.h"
#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using test::findingsOf;
using test::quietReport;
using testing::ElementsAre;
using testing::IsEmpty;

/// Runs whose every number is the reference's.
report::Report equalReport(const std::vector<std::string>& names) {
  report::Report report = quietReport(names);
  report.metrics = {{"rms_rel"}, {"equal_fraction"}};
  for (report::Run& run : report.runs) {
    run.loss = 2.5;
    for (report::Comparison& row : run.comparisons) {
      row.metrics = {0, 1};
    }
  }
  return report;
}

TEST(MissingGradient, IsNoEqualityWithTheReference) {
  report::Report report = equalReport({"detached", "same"});
  EXPECT_THAT(findingsOf(report, "missing_gradient"), IsEmpty());
  EXPECT_EQ(findingsOf(report, "identical_variant").size(), 2U);
  report.runs[1].missingGradients = {"layers.1.down_proj.weight", "layers.2.down_proj.weight"};
  const auto findings = findingsOf(report, "missing_gradient");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title.text(),
            "detached has no gradient for layers.1.down_proj.weight, layers.2.down_proj.weight, "
            "which the reference has");
  EXPECT_EQ(findings[0].severity, report::FindingSeverity::Look);
  EXPECT_THAT(findings[0].runs, ElementsAre("detached"));
  for (const report::Finding& same : findingsOf(report, "identical_variant")) {
    EXPECT_THAT(same.runs, ElementsAre("same"));
  }
  const auto verdicts = findVerdicts(report, {}, "rms_rel");
  for (const RunVerdict& verdict : verdicts) {
    EXPECT_EQ(verdict.born.text.text(),
              verdict.run == "same" ? "every number equals the reference's"
                                    : "layers.1.down_proj.weight has no gradient");
  }
}

}  // namespace
}  // namespace ulp::analysis
