#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/command.h"
#include "core/analysis/verdict/conclusions.h"
#include "core/engine/engine.h"
#include "core/report/formats/format.h"
#include "core/report/model/finding.h"
#include "tests/app/cli/cli_process.h"
#include "tests/support/data/report_builder.h"

namespace ulp::cli {
namespace {

using test::runCli;
using testing::HasSubstr;
using testing::Not;

/// A folder with a report of two variants.
class ReportCommand : public testing::Test {
 protected:
  void SetUp() override {
    m_report = test::sampleReport(3, {"bf16", "fp16"});
    ASSERT_TRUE(report::saveReport(m_report, m_dir.path()).has_value());
  }
  [[nodiscard]] std::string folder() const { return m_dir.path().string(); }

  test::TempDir m_dir;
  report::Report m_report;
};

TEST_F(ReportCommand, PrintsToADashAsWithout) {
  EXPECT_EQ(runCli({"report", folder(), "-o", "-"}).out, runCli({"report", folder()}).out);
  EXPECT_FALSE(std::filesystem::exists("-"));
  EXPECT_EQ(runCli({"export", folder(), "-o", "-", "--format", "csv"}).out,
            runCli({"report", folder(), "--format", "csv"}).out);
}

TEST_F(ReportCommand, PrintsTextByDefault) {
  const auto outcome = runCli({"report", folder()});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_EQ(outcome.err, "");
  const auto text = report::findReportFormat("text")->writeReport(
      m_report, {}, *analysis::conclusionsOf(m_report));
  EXPECT_EQ(outcome.out, *text);
}

TEST_F(ReportCommand, EndsWithTheVerdictWhereATerminalShowsItAndBeginsWithItElsewhere) {
  const auto text = runCli({"report", folder(), "--variant", "bf16"}).out;
  const std::size_t verdict = text.find("=== Verdict ===");
  ASSERT_NE(verdict, std::string::npos);
  EXPECT_LT(text.find("=== "), verdict);
  EXPECT_EQ(text.rfind("\n=== ") + 1, verdict);
  EXPECT_EQ(text.find("fp16", verdict), std::string::npos) << text.substr(verdict);
  EXPECT_NE(text.find("bf16", verdict), std::string::npos) << text.substr(verdict);
  const auto page = runCli({"report", folder(), "--format", "md"}).out;
  ASSERT_NE(page.find("Verdict"), std::string::npos);
  EXPECT_LT(page.find("Verdict"), page.find("Summary"));
}

TEST_F(ReportCommand, ListsTheFindingsOfAComparisonOfDumpsBeforeThoseOfRules) {
  m_report.dumps.emplace();
  m_report.runs[1].comparisons[1].variantNonFinite = {2, 0, 0};
  report::setFindings(m_report,
                      {{.rule = "culprit",
                        .severity = report::FindingSeverity::Broken,
                        .title = {"model.embed_tokens: makes NaN", {}},
                        .runs = {"bf16"}}});
  ASSERT_TRUE(report::saveReport(m_report, m_dir.path()).has_value());
  const auto outcome = runCli({"report", folder()});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  const std::size_t culprit = outcome.out.find("model.embed_tokens: makes NaN");
  const std::size_t rule = outcome.out.find("First non-finite tensor");
  ASSERT_NE(culprit, std::string::npos) << outcome.out;
  ASSERT_NE(rule, std::string::npos) << "the rules of the command line run as well";
  EXPECT_LT(culprit, rule);
}

TEST_F(ReportCommand, TakesTheFileAsWellAsTheFolder) {
  EXPECT_EQ(runCli({"report", folder() + "/precision_report.json"}).out,
            runCli({"report", folder()}).out);
}

TEST_F(ReportCommand, WritesEveryFormat) {
  for (const report::Format& format : report::reportFormats()) {
    // Of one variant: some formats hold no more.
    const auto outcome = runCli({"report", folder(), "--format", format.id, "--variant", "bf16"});
    EXPECT_EQ(outcome.exitCode, 0) << format.id << outcome.err;
    EXPECT_FALSE(outcome.out.empty()) << format.id;
  }
}

TEST_F(ReportCommand, HonoursPassMetricAndVariant) {
  const auto outcome = runCli({"report",
                               folder(),
                               "--format",
                               "csv",
                               "--pass",
                               "backward",
                               "--metric",
                               "rms_rel,ulp.max",
                               "--variant",
                               "fp16"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("compared,rms_rel,ulp.max,reference_nan"));
  EXPECT_THAT(outcome.out, HasSubstr("\nfp16,decoder.0,"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("bf16,")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("forward")));
}

TEST_F(ReportCommand, PrintsTheSummaryAlone) {
  const auto outcome = runCli({"report", folder(), "--summary"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_THAT(outcome.out, HasSubstr("=== Summary: "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("=== Variant: ")));
  EXPECT_EQ(runCli({"report", folder(), "--summary", "--format", "csv"}).exitCode, 2);
}

TEST_F(ReportCommand, WritesAFileInTheFormatOfItsExtension) {
  const std::string file = (m_dir / "table.csv").string();
  const auto outcome = runCli({"report", folder(), "-o", file});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, testing::StartsWith("wrote " + file));
  EXPECT_EQ(test::contentOf(file), runCli({"report", folder(), "--format", "csv"}).out);
  EXPECT_EQ(runCli({"report", folder(), "-o", (m_dir / "t.xlsx").string()}).exitCode, 0);
  EXPECT_THAT(test::contentOf(m_dir / "t.xlsx"), testing::StartsWith("PK"));
}

TEST_F(ReportCommand, NamesWhatCanBeChosen) {
  const auto errorOf = [&](const std::string& option, const std::string& value) {
    const auto outcome = runCli({"report", folder(), option, value});
    EXPECT_EQ(outcome.exitCode, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(errorOf("--format", "pdf"),
              HasSubstr("unknown format 'pdf'; choose csv, html, json, latex, md, model-explorer, "
                        "netron, text, xlsx"));
  EXPECT_THAT(errorOf("--pass", "up"), HasSubstr("choose forward, backward, parameter_gradient"));
  EXPECT_THAT(errorOf("--metric", "rms"), HasSubstr("the report holds rms_diff, rms_rel, cosine"));
  EXPECT_THAT(errorOf("--variant", "x"), HasSubstr("the report holds reference, bf16, fp16"));
}

TEST_F(ReportCommand, SaysWhichFileIsMissingOrBroken) {
  const auto missing = runCli({"report", "/nowhere"});
  EXPECT_EQ(missing.exitCode, 2);
  EXPECT_THAT(missing.err, testing::StartsWith("ulpscope-cli: /nowhere: "));
  const auto broken = runCli({"report", m_dir.write("b.json", "{\"schema\": 1}").string()});
  EXPECT_EQ(broken.exitCode, 2);
  EXPECT_THAT(broken.err, HasSubstr("b.json:1:12: schema: expected text, found a number"));
  const auto newer =
      runCli({"report", m_dir.write("n.json", R"({"schema": "ulpscope.report/2"})").string()});
  EXPECT_EQ(newer.exitCode, 2);
  EXPECT_THAT(newer.err,
              HasSubstr("'ulpscope.report/2' and this version reads 'ulpscope.report/1'"));
  const auto nowhere = runCli({"report", folder(), "-o", "/nowhere/t.csv"});
  EXPECT_EQ(nowhere.exitCode, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("the folder /nowhere does not exist"));
}

TEST_F(ReportCommand, KeepsBinaryFormatsOffTheTerminal) {
  std::ostringstream out;
  std::ostringstream err;
  CommandContext context{.out = out, .err = err, .outIsTerminal = true, .openEngine = {}};
  const std::string path = folder();
  const char* arguments[] = {"ulpscope-cli", "report", path.c_str(), "--format", "xlsx"};
  EXPECT_EQ(runCommandLine(5, arguments, context), ExitCode::BadInput);
  EXPECT_EQ(out.str(), "");
  EXPECT_EQ(err.str(),
            "ulpscope-cli: xlsx is not text for a terminal; name a file with -o FILE.xlsx\n");
}

TEST_F(ReportCommand, RulesSayWhatPassesAndTheExitCodeWhetherAllDoes) {
  const auto rules =
      m_dir.write("rules.yaml", "rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.0125}\n");
  const auto failed = runCli({"report", folder(), "--rules", rules.string()});
  EXPECT_EQ(failed.exitCode, 1) << failed.err;
  EXPECT_THAT(failed.out, HasSubstr("FAILS at 6 of 24"));
  EXPECT_THAT(failed.out, HasSubstr("rms_rel <= 0.0125 does not hold: 0.0140"));
  const std::size_t summary = failed.out.find("=== Rules: " + rules.string());
  ASSERT_NE(summary, std::string::npos);
  EXPECT_THAT(failed.out.substr(summary), HasSubstr("loss, forward"));
  const auto passed = runCli({"report", folder(), "--rules", rules.string(), "--variant", "bf16"});
  EXPECT_EQ(passed.exitCode, 0) << passed.err;
  EXPECT_THAT(passed.out, HasSubstr("holds for 12"));
  const auto page = runCli({"report", folder(), "--rules", rules.string(), "--format", "md"});
  EXPECT_EQ(page.exitCode, 1);
  EXPECT_THAT(page.out, HasSubstr("Rules, one by one"));
  const auto unknown = runCli({"report", folder(), "--rules", "mine"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err, HasSubstr("fast_llm, msit, msprobe, sglang"));
}

TEST_F(ReportCommand, RulesInAFormatOfTablesAreTheVerdictOnEveryRow) {
  const auto outcome = runCli({"report", folder(), "--rules", "msit", "--format", "csv"});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("run,row,pass,verdict,rules asked,rules broken,why"));
  EXPECT_THAT(outcome.out, HasSubstr("bf16,decoder.0,forward,fail,2,1,cosine > 0.999"));
}

TEST_F(ReportCommand, TheVerdictOnEveryRowHasTheMetricsThatAreNamed) {
  const auto with = [&](const std::string& metrics) {
    return runCli({"report", folder(), "--rules", "msit", "--format", "csv", "--metric", metrics});
  };
  const auto outcome = with("rms_diff,rms_rel");
  EXPECT_THAT(outcome.out, HasSubstr("rules broken,why,RMS diff,\"RMS rel, %\"\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("\nbf16,decoder.0,forward,fail,2,1,cosine > 0.999 does not hold: "
                        "0.998,0.004,0.2\n"));
  EXPECT_EQ(with("speed").exitCode, 2);
}

TEST_F(ReportCommand, ToleratedDifferencesThatNobodyKeptAreNotJudged) {
  const auto rules =
      m_dir.write("rules.yaml", "rules:\n  - {metric: allclose, rtol: 0.2, atol: 0.01}\n");
  const auto outcome = runCli({"report", folder(), "--rules", rules.string()});
  EXPECT_EQ(outcome.exitCode, 2) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("not judged at 24 of 24: their elements are not at hand"));
}

TEST_F(ReportCommand, ToleratedDifferencesThatCannotBeReadSayWhy) {
  const auto rules =
      m_dir.write("rules.yaml", "rules:\n  - {metric: allclose, rtol: 0.2, atol: 0.01}\n");
  m_dir.write("tensors.h5", "no HDF5");
  const auto outcome = runCli({"report", folder(), "--rules", rules.string()});
  EXPECT_EQ(outcome.exitCode, 2) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("not judged at 24 of 24"));
  EXPECT_THAT(outcome.err, HasSubstr("tensors.h5: "));
}

}  // namespace
}  // namespace ulp::cli
