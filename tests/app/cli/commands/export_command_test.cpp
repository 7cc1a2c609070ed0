#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/cli_process.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/data/report_builder.h"

namespace ulp::cli {
namespace {

using test::CliOutcome;
using test::runCli;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ExportCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(
        report::saveReport(test::sampleReport(3, {"bf16", "fp16"}), m_dir.path()).has_value());
  }
  CliOutcome exported(const std::string& file,
                      std::vector<std::string> more = {},
                      const std::string& environment = "") {
    std::vector<std::string> arguments{"export", m_dir.path().string(), "-o", path(file)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments, environment);
  }
  [[nodiscard]] std::string path(const std::string& file) const { return (m_dir / file).string(); }
  [[nodiscard]] std::string content(const std::string& file) const {
    return test::contentOf(m_dir / file);
  }

  test::TempDir m_dir;
};

TEST_F(ExportCommand, WritesTablesWithoutTheLibraryOfPictures) {
  const std::string none = "ULP_PICTURES_LIBRARY=/nowhere/x.so";
  for (const char* what : {"depth", "summary", "runs", "table"}) {
    const CliOutcome outcome = exported("t.csv", {"--what", what}, none);
    EXPECT_EQ(outcome.exitCode, 0) << what << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("wrote " + path("t.csv")));
    EXPECT_THAT(content("t.csv"), HasSubstr("bf16")) << what;
  }
  for (const char* file : {"r.xlsx", "r.md", "r.tex", "r.csv", "r.json"}) {
    EXPECT_EQ(exported(file, {}, none).exitCode, 0) << file;
    EXPECT_FALSE(content(file).empty()) << file;
  }
}

TEST_F(ExportCommand, RefusesPicturesWithoutTheLibraryAndNamesTheRemedy) {
  const CliOutcome outcome =
      exported("d.svg", {"--what", "depth"}, "ULP_PICTURES_LIBRARY=/nowhere/x.so");
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere/x.so"));
  EXPECT_THAT(outcome.err, HasSubstr("ULP_GUI=ON"));
  EXPECT_FALSE(std::filesystem::exists(path("d.svg")));
  EXPECT_EQ(
      exported("d.svg", {"--what", "depth"}, "ULP_PICTURES_LIBRARY=/lib/x86_64-linux-gnu/libm.so.6")
          .exitCode,
      2);
}

TEST_F(ExportCommand, DepthTableHasOneColumnAVariant) {
  ASSERT_EQ(exported("d.csv", {"--what", "depth", "--pass", "forward"}).exitCode, 0);
  EXPECT_THAT(content("d.csv"),
              StartsWith("tensor,pass,layer,\"RMS rel: bf16, %\",\"RMS rel: fp16, %\"\n"
                         "embeddings,forward,,"));
}

TEST_F(ExportCommand, RulesAreJudgedInEveryFormatAsReportDoes) {
  const auto rules =
      m_dir.write("rules.yaml", "rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.0125}\n");
  const CliOutcome page = exported("r.html", {"--rules", rules.string()});
  EXPECT_EQ(page.exitCode, 1) << page.err;
  const std::string html = content("r.html");
  EXPECT_THAT(html, HasSubstr(">Rules: " + rules.string() + "</h2>"));
  EXPECT_THAT(html, HasSubstr("<td>FAILS at 6 of 24</td>"));
  EXPECT_THAT(html, HasSubstr("rms_rel &lt;= 0.0125 does not hold: 0.0140"));
  EXPECT_THAT(html, HasSubstr("<th>rules</th>"));
  EXPECT_THAT(html, HasSubstr("<td>FAIL</td>"));
  EXPECT_EQ(exported("r.pdf", {"--rules", rules.string(), "--variant", "bf16"}).exitCode, 0);
  EXPECT_EQ(exported("r.csv", {"--rules", rules.string()}).exitCode, 1);
  EXPECT_EQ(
      content("r.csv"),
      runCli({"report", m_dir.path().string(), "--rules", rules.string(), "--format", "csv"}).out);
}

TEST_F(ExportCommand, RulesThatHaveNoPlaceAreRefused) {
  const CliOutcome chart = exported("d.svg", {"--what", "depth", "--rules", "msit"});
  EXPECT_EQ(chart.exitCode, 2);
  EXPECT_THAT(chart.err, HasSubstr("--rules: is for whole reports"));
  const CliOutcome overlay =
      exported("o.json", {"--format", "netron", "--variant", "bf16", "--rules", "msit"});
  EXPECT_EQ(overlay.exitCode, 2);
  EXPECT_THAT(overlay.err, HasSubstr("netron"));
}

TEST_F(ExportCommand, ADumpAloneIsAReportOfWhatWasRecorded) {
  const std::string dump = test::fixture("msprobe/v26_stat_inf/target").string();
  const CliOutcome page = runCli({"export", dump, "-o", path("d.html")});
  EXPECT_EQ(page.exitCode, 0) << page.err;
  const std::string html = content("d.html");
  EXPECT_THAT(html, HasSubstr("<dt>dump</dt><dd>" + dump + "</dd>"));
  EXPECT_THAT(html, HasSubstr("<td>Overflow</td>")) << "where infinity starts";
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_EQ(runCli({"export", dump, "-o", path("d.pdf")}).exitCode, 0);
  EXPECT_THAT(content("d.pdf"), StartsWith("%PDF-"));
  ASSERT_EQ(runCli({"export", dump, "--what", "table", "-o", path("d.csv")}).exitCode, 0);
  EXPECT_THAT(content("d.csv"), HasSubstr(",Largest |x|,Norm,"));
  const CliOutcome nowhere = runCli({"export", dump, "--step", "7", "-o", path("d.csv")});
  EXPECT_EQ(nowhere.exitCode, 2);
  const CliOutcome report = exported("r.csv", {"--step", "0"});
  EXPECT_EQ(report.exitCode, 2);
  EXPECT_THAT(report.err, HasSubstr("are for dumps"));
}

TEST_F(ExportCommand, RefusesWrongUse) {
  const std::vector<std::vector<std::string>> wrong{
      {"--what", "cake"},
      {"--what", "depth", "--format", "bmp"},
      {"--scale", "3"},
      {"--what", "depth", "--format", "png", "--scale", "9"},
      {"--what", "depth", "--format", "svg", "--size", "big"},
      {"--what", "table", "--format", "csv", "--size", "400x300"},
      {"--what", "depth", "--format", "csv", "--noise", "bf16"},
      {"--what", "table", "--format", "png", "--noise", "bf16"},
      {"--what", "depth", "--format", "svg", "--noise", "nobody"},
      {"--format", "png"},
      {"--pass", "sideways"},
      {"--variant", "nobody"},
      {"--metric", "nothing"}};
  for (const std::vector<std::string>& flags : wrong) {
    const CliOutcome outcome = exported("x.html", flags);
    EXPECT_EQ(outcome.exitCode, 2) << testing::PrintToString(flags);
    EXPECT_THAT(outcome.err, StartsWith("ulpscope-cli: ")) << testing::PrintToString(flags);
    EXPECT_FALSE(std::filesystem::exists(path("x.html")));
  }
  EXPECT_EQ(runCli({"export", m_dir.path().string(), "-o", path("none/x.csv")}).exitCode, 2);
  EXPECT_EQ(runCli({"export", m_dir.path().string(), "-o", path("x")}).exitCode, 2);
  EXPECT_EQ(runCli({"export", m_dir.path().string()}).exitCode, 2) << "no file";
}

#ifdef ULP_PICTURES
TEST_F(ExportCommand, DrawsWithoutADisplay) {
  const std::string bare =
      "env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM -u XDG_RUNTIME_DIR";
  EXPECT_EQ(exported("r.html", {}, bare).exitCode, 0);
  EXPECT_THAT(content("r.html"), HasSubstr("<polyline"));
  EXPECT_EQ(exported("r.pdf", {}, bare).exitCode, 0);
  EXPECT_THAT(content("r.pdf"), StartsWith("%PDF-"));
  const CliOutcome outcome = exported("d.svg", {"--what", "depth", "--variant", "fp16"}, bare);
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_THAT(outcome.err, StartsWith("wrote ")) << "Qt says nothing of its own";
  EXPECT_THAT(content("d.svg"), HasSubstr(">fp16</text>"));
}

TEST_F(ExportCommand, DrawsAndTabulatesWhatViewsShow) {
  ASSERT_EQ(exported("h.svg", {"--what", "heatmap"}).exitCode, 0);
  EXPECT_THAT(content("h.svg"), HasSubstr(">fp16</text>"));
  ASSERT_EQ(exported("one.svg", {"--what", "heatmap", "--variant", "bf16"}).exitCode, 0);
  EXPECT_THAT(content("one.svg"), Not(HasSubstr(">fp16</text>")));
  ASSERT_EQ(exported("h.csv", {"--what", "heatmap", "--pass", "forward"}).exitCode, 0);
  EXPECT_THAT(content("h.csv"), HasSubstr("bf16,forward,embeddings,"));
  EXPECT_THAT(content("h.csv"), Not(HasSubstr("backward")));
  ASSERT_EQ(exported("l.md", {"--what", "levers"}).exitCode, 0);
  EXPECT_THAT(content("l.md"), HasSubstr("| bf16 |"));
  const CliOutcome unknown = exported("x.svg", {"--what", "cake"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err, HasSubstr("levers"));
}

TEST_F(ExportCommand, SizeAndScaleGiveThePixelsOfAPng) {
  ASSERT_EQ(exported("d.png", {"--what", "depth", "--size", "400x300", "--scale", "2"}).exitCode,
            0);
  const std::string png = content("d.png");
  ASSERT_GT(png.size(), 24U);
  const auto number = [&png](std::size_t at) {
    return (static_cast<unsigned char>(png[at + 2]) << 8) | static_cast<unsigned char>(png[at + 3]);
  };
  EXPECT_EQ(number(16), 2 * (400 + 24)) << "the chart and its margins";
  EXPECT_GT(number(20), 2 * 300);
}

TEST_F(ExportCommand, DepthChartsShadeTheNoise) {
  ASSERT_EQ(exported("d.svg", {"--what", "depth"}).exitCode, 0);
  EXPECT_THAT(content("d.svg"), testing::Not(HasSubstr("noise: bf16")));
  ASSERT_EQ(exported("d.svg", {"--what", "depth", "--noise", "bf16"}).exitCode, 0);
  EXPECT_THAT(content("d.svg"), HasSubstr("noise: bf16"));
  ASSERT_EQ(exported("r.html", {"--noise", "bf16"}).exitCode, 0);
  EXPECT_THAT(content("r.html"), HasSubstr("noise: bf16"));
}
#endif

}  // namespace
}  // namespace ulp::cli
