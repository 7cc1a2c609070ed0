#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using test::findingsOf;
using test::quietReport;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(FailedRun, IsToldBeforeAllElseOfItsNumbers) {
  report::Report report = quietReport({"good", "bad"});
  EXPECT_THAT(findingsOf(report, "failed_run"), IsEmpty());
  report::Run& bad = report.runs[2];
  bad.status = report::RunStatus::Failed;
  bad.error = "bad: the run needs more memory than cuda:0 has\nand more";
  bad.comparisons.resize(1);
  const auto findings = findingsOf(report, "failed_run");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, report::FindingSeverity::Broken);
  EXPECT_THAT(findings[0].runs, ElementsAre("bad"));
  EXPECT_THAT(findings[0].sites, IsEmpty());
  EXPECT_EQ(findings[0].title.text(), "bad failed: the run needs more memory than cuda:0 has");
  EXPECT_EQ(findFindings(report).front().rule, "failed_run");
}

TEST(FailedRun, MayBeTheReference) {
  report::Report report = quietReport({"a"});
  report.runs[0].status = report::RunStatus::Failed;
  report.runs[0].error = "the device is lost";
  EXPECT_EQ(findingsOf(report, "failed_run").at(0).title.text(),
            "reference failed: the device is lost");
}

TEST(FailedRun, IsNoRunThatSomebodyStopped) {
  report::Report report = quietReport({"stopped", "skipped"});
  report.runs[1].status = report::RunStatus::Cancelled;
  report.runs[2].status = report::RunStatus::Skipped;
  EXPECT_THAT(findingsOf(report, "failed_run"), IsEmpty());
}

}  // namespace
}  // namespace ulp::analysis
