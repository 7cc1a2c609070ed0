#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/cli_process.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/machine/content_of.h"

namespace ulp::cli {
namespace {

using test::contentOf;
using test::runCli;
using testing::HasSubstr;

/// Two reports of one study, the later with an error that the earlier does not have.
class CheckCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(m_dir / "old");
    std::filesystem::create_directories(m_dir / "new");
    report::Report report = test::sampleReport(3, {"bf16"});
    ASSERT_TRUE(report::saveReport(report, m_dir / "old").has_value());
    const auto column = static_cast<std::size_t>(report.metricIndex("rms_rel"));
    report.runs[1].comparisons[0].metrics[column] = 0.5;
    ASSERT_TRUE(report::saveReport(report, m_dir / "new").has_value());
    m_rules =
        m_dir
            .write("rules.yaml", "rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.0055}\n")
            .string();
  }
  [[nodiscard]] std::string at(const char* name) const { return (m_dir / name).string(); }

  test::TempDir m_dir;
  std::string m_rules;
};

TEST_F(CheckCommand, FailsForWhatTheBaselineDoesNotHave) {
  const auto failed = runCli({"check", at("new"), "--rules", m_rules, "--baseline", at("old")});
  EXPECT_EQ(failed.exitCode, 1);
  EXPECT_THAT(failed.out, HasSubstr("8 of 12 rows fail, 1 of them new\n"));
  const auto same = runCli({"check", at("old"), "--rules", m_rules, "--baseline", at("old")});
  EXPECT_EQ(same.exitCode, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("7 of 12 rows fail, 0 of them new\n"));
  EXPECT_EQ(runCli({"check", at("old"), "--rules", m_rules}).exitCode, 1);
}

TEST_F(CheckCommand, FailsForARuleThatIsAboutNothing) {
  const auto rules =
      m_dir
          .write("none.yaml",
                 "rules:\n  - {match: zzz, metric: rms_rel, comparison: '<=', value: 1}\n")
          .string();
  const auto outcome = runCli({"check", at("old"), "--rules", rules});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("FAIL rms_rel at most 1, of zzz: found nothing to ask\n"));
}

TEST_F(CheckCommand, FailsForARunThatDidNotFinish) {
  std::filesystem::create_directories(m_dir / "broken");
  report::Report report = test::sampleReport(3, {"bf16", "fp16"});
  report.runs[1].status = report::RunStatus::Failed;
  report.runs[1].error = "out of memory";
  report.runs[1].comparisons.resize(2);
  ASSERT_TRUE(report::saveReport(report, m_dir / "broken").has_value());
  const auto rules =
      m_dir.write("loose.yaml", "rules:\n  - {metric: rms_rel, comparison: '<=', value: 9}\n")
          .string();
  const auto checked = runCli({"check", at("broken"), "--rules", rules});
  EXPECT_EQ(checked.exitCode, 1);
  EXPECT_EQ(checked.out,
            "FAIL bf16: did not finish: failed: out of memory\n"
            "0 of 14 rows fail, 1 run did not finish\n");
  EXPECT_EQ(runCli({"check", at("broken"), "--rules", rules, "--variant", "fp16"}).exitCode, 0);
  const auto reported = runCli({"report", at("broken"), "--rules", rules});
  EXPECT_EQ(reported.exitCode, 1);
  EXPECT_THAT(reported.out, HasSubstr("did not finish: failed: out of memory"));
  const auto exported =
      runCli({"export", at("broken"), "--rules", rules, "-o", (m_dir / "broken.csv").string()});
  EXPECT_EQ(exported.exitCode, 1);
  EXPECT_THAT(contentOf(m_dir / "broken.csv"),
              HasSubstr("bf16,,,fail,0,0,did not finish: failed: out of memory"));
}

TEST_F(CheckCommand, WarnsOfABaselineOfAnotherModel) {
  std::filesystem::create_directories(m_dir / "other");
  report::Report report = test::sampleReport(3, {"bf16"});
  report.model.name = "another model";
  ASSERT_TRUE(report::saveReport(report, m_dir / "other").has_value());
  const auto outcome = runCli({"check", at("old"), "--rules", m_rules, "--baseline", at("other")});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("warning: the baseline is of another model: another model, and the report "
                        "of "));
}

TEST_F(CheckCommand, WritesTheFormatOfItsFileAndSaysTheSumOfIt) {
  const auto outcome =
      runCli({"check", at("new"), "--rules", m_rules, "-o", (m_dir / "check.xml").string()});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_EQ(outcome.out, "8 of 12 rows fail\n");
  EXPECT_THAT(contentOf(m_dir / "check.xml"), HasSubstr("failures=\"8\""));
  const auto unknown = runCli({"check", at("new"), "--rules", m_rules, "--format", "pdf"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err, HasSubstr("choose junit, markdown, text, sarif"));
}

}  // namespace
}  // namespace ulp::cli
