#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/cli_process.h"
#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::cli {
namespace {

using test::runCli;
using testing::HasSubstr;
using testing::Not;

class DivergeCommand : public testing::Test {
 protected:
  void SetUp() override {
    report::Report report = test::quietReport({"calm", "wild"});
    test::setError(test::rowOf(report, "wild", "decoder.2"), 0.05);
    ASSERT_TRUE(report::saveReport(report, m_dir.path()).has_value());
  }
  [[nodiscard]] std::string folder() const { return m_dir.path().string(); }

  test::TempDir m_dir;
};

TEST_F(DivergeCommand, NamesTheFirstDivergenceAndWhatFollows) {
  const auto outcome = runCli({"diverge", folder()});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("calm: does not diverge"));
  EXPECT_THAT(outcome.out, HasSubstr("wild: first diverges at decoder.2, forward: 5.00 % where"));
  EXPECT_THAT(outcome.out, HasSubstr("decoder.3"));
  EXPECT_THAT(outcome.out, Not(testing::ContainsRegex("decoder.1 +forward")));
}

TEST_F(DivergeCommand, ExitsWithZeroWhereNothingDiverges) {
  EXPECT_EQ(runCli({"diverge", folder(), "--variant", "calm"}).exitCode, 0);
  EXPECT_EQ(runCli({"diverge", folder(), "--excess", "100"}).exitCode, 0);
}

TEST_F(DivergeCommand, TellsOfGradientsThatAreMissing) {
  report::Report report = test::quietReport({"calm"});
  report.runs[1].missingGradients = {"norm.weight", "lm_head.weight"};
  ASSERT_TRUE(report::saveReport(report, m_dir.path()).has_value());
  const auto outcome = runCli({"diverge", folder()});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "calm: has no gradient of norm.weight, lm_head.weight, which the reference has\ncalm: "
          "does not diverge"));
  const auto json = nlohmann::json::parse(runCli({"diverge", folder(), "--format", "json"}).out);
  EXPECT_EQ(json.at("variants").at("calm").at("missing_gradients").at(0), "norm.weight");
}

TEST_F(DivergeCommand, WritesJson) {
  const auto outcome = runCli({"diverge", folder(), "--format", "json"});
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json.at("schema"), "ulpscope.divergence/1");
  EXPECT_TRUE(json.at("variants").at("calm").at("first").is_null());
  const auto& wild = json.at("variants").at("wild");
  EXPECT_EQ(wild.at("first"), "decoder.2");
  EXPECT_EQ(wild.at("chain")[0].at("made"), true);
  EXPECT_EQ(wild.at("chain")[0].at("error"), 0.05);
}

TEST_F(DivergeCommand, RefusesWhatItCannotAnswer) {
  EXPECT_EQ(runCli({"diverge", "/nowhere"}).exitCode, 2);
  const auto outcome = runCli({"diverge", folder(), "--variant", "bf17"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there is no compared variant 'bf17'; choose calm, wild"));
  EXPECT_EQ(runCli({"diverge", folder(), "--excess", "0.5"}).exitCode, 2);
}

TEST_F(DivergeCommand, IsToldByReportAsWell) {
  const auto outcome = runCli({"report", folder(), "--summary"});
  EXPECT_THAT(outcome.out, HasSubstr("=== Findings ==="));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("First divergence at decoder.2, forward: 5.00 % where 0.20 % came in (wild)"));
  EXPECT_THAT(runCli({"report", folder(), "--format", "json"}).out, HasSubstr("\"findings\":[]"));
}

}  // namespace
}  // namespace ulp::cli
