#include "views/printing/report_pages.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/stall_listener.h"
#include "tests/views/kept_log_probabilities.h"
#include "tests/views/realistic_report.h"
#include "views/framework/exports/figure.h"
#include "views/printing/report_pictures.h"

namespace ulp::views {
namespace {

using testing::HasSubstr;
using testing::Not;

report::LoadedReport loadedOf(report::Report report) {
  return {std::make_shared<report::Report>(std::move(report)),
          "runs/x/precision_report.json",
          "runs/x"};
}

report::LoadedReport smallReport() {
  report::Report report = test::realisticReport({.layers = 4, .variants = {"bf16", "fp16"}});
  report.effectiveJson =
      R"({"bf16": {"precision.compute_dtype": {"value": "bfloat16", "origin": "variant"}}})";
  return loadedOf(std::move(report));
}

std::string pagesOf(const report::LoadedReport& loaded,
                    std::string_view format,
                    const report::ExportOptions& options = {}) {
  auto pages = reportPages(loaded, format, options);
  EXPECT_TRUE(pages.has_value()) << pages.error().message();
  return pages.value_or("");
}

TEST(ReportPages, HtmlHoldsChartsTablesConfigurationAndNothingFromOutside) {
  const std::string html = pagesOf(smallReport(), "html");
  EXPECT_THAT(html, HasSubstr("<h2>RMS rel along the depth of the model: bf16, fp16</h2>"));
  EXPECT_THAT(html, HasSubstr("<polyline"));
  EXPECT_THAT(html, HasSubstr("<td>precision.compute_dtype</td><td>bfloat16</td><td>variant</td>"));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("svg [stroke=\"#0072b2\"] { stroke: #4ba3df; }"));
  for (const char* outside : {"src=", "href=", "url(", "@import", "<?xml", "<image"}) {
    EXPECT_THAT(html, Not(HasSubstr(outside))) << outside;
  }
  // The only addresses are the names of XML namespaces.
  std::size_t addresses = 0;
  for (std::size_t at = html.find("http"); at != std::string::npos;
       at = html.find("http", at + 1)) {
    EXPECT_EQ(html.compare(at, 18, "http://www.w3.org/"), 0) << html.substr(at, 40);
    ++addresses;
  }
  EXPECT_GT(addresses, 0U);
}

TEST(ReportPages, BeginWithTheVerdictOnTheChosenVariants) {
  report::ExportOptions options;
  options.runs = {"fp16"};
  const std::string html = pagesOf(smallReport(), "html", options);
  const std::size_t verdict = html.find("<h2>Verdict</h2>");
  ASSERT_NE(verdict, std::string::npos);
  EXPECT_EQ(html.find("<h2>"), verdict);
  const std::string table = html.substr(verdict, html.find("</table>", verdict) - verdict);
  EXPECT_THAT(table, HasSubstr("<td>fp16</td>"));
  EXPECT_THAT(table, Not(HasSubstr("bf16")));
}

TEST(ReportPages, LargeReportsKeepTheWorstRowsInFiveMegabytesAndFiveSeconds) {
  test::ReportShape shape{.layers = 126, .variants = {}};
  for (int i = 0; i < 64; ++i) {
    shape.variants.push_back("variant_" + std::to_string(i));
  }
  const report::LoadedReport loaded = loadedOf(test::realisticReport(shape));
  std::size_t rows = 0;
  for (const report::Run& run : loaded.report->runs) {
    rows += run.comparisons.size();
  }
  ASSERT_GT(rows, 100'000U);
  const double before = test::processSeconds();
  const std::string html = pagesOf(loaded, "html");
  EXPECT_LT(test::processSeconds() - before, 5 * test::slowness());
  EXPECT_LT(html.size(), 5U << 20U);
  EXPECT_THAT(html, HasSubstr("The 93 worst of "));
  EXPECT_THAT(html, HasSubstr("All of them are in runs/x/precision_report.json"));
}

TEST(ReportPages, PdfHasSeveralPages) {
  const std::string pdf = pagesOf(smallReport(), "pdf");
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  std::size_t pages = 0;
  for (std::size_t at = pdf.find("/Type /Page\n"); at != std::string::npos;
       at = pdf.find("/Type /Page\n", at + 1)) {
    ++pages;
  }
  EXPECT_GE(pages, 4U);
}

/// A run folder with log-probabilities and losses.
report::LoadedReport keptReport(const test::TempDir& folder) {
  report::Report report = test::realisticReport({.layers = 4, .variants = {"bf16", "fp16"}});
  test::addSteps(report);
  test::keepPolicies(folder.path(), report);
  return {std::make_shared<report::Report>(std::move(report)),
          folder.path() / "precision_report.json",
          folder.path()};
}

TEST(ReportPages, HoldWhatTheViewsAdd) {
  const test::TempDir folder;
  const report::LoadedReport loaded = keptReport(folder);
  const auto html = drawPicture(loaded, {.what = "report", .format = "html", .options = {}});
  ASSERT_TRUE(html) << html.error().message();
  EXPECT_THAT(*html, HasSubstr("<h2>Differences of log-probabilities against reference</h2>"));
  EXPECT_THAT(*html, HasSubstr("<h2>Log-probabilities against reference</h2>"));
  EXPECT_THAT(*html, HasSubstr("documents whose clip decision flips"));
  EXPECT_THAT(*html, Not(HasSubstr("<image")));
  const auto pdf = drawPicture(loaded, {.what = "report", .format = "pdf", .options = {}});
  ASSERT_TRUE(pdf) << pdf.error().message();
  EXPECT_TRUE(pdf->starts_with("%PDF-"));
  report::ExportOptions options;
  options.runs = {"fp16"};
  const auto named = drawPicture(loaded, {.what = "report", .format = "html", .options = options});
  ASSERT_TRUE(named) << named.error().message();
  EXPECT_THAT(*named, Not(HasSubstr("<td>bf16</td>")));
}

TEST(ReportPages, RecordedExhibitsMayBePaintedOnAnyThread) {
  const test::TempDir folder;
  const report::LoadedReport loaded = keptReport(folder);
  const auto made = viewExhibits(ReportDocument::build(loaded), {});
  ASSERT_TRUE(made) << made.error().message();
  std::vector<Exhibit> drawn;
  for (const Exhibit& exhibit : *made) {
    drawn.push_back(recorded(exhibit, {kPageChartWidth, exhibit.size.height()}));
  }
  std::string pages;
  std::jthread([&] { pages = reportPages(loaded, "html", {}, drawn).value_or(""); }).join();
  EXPECT_THAT(pages, HasSubstr("<h2>Differences of log-probabilities against reference</h2>"));
  EXPECT_THAT(pages, Not(HasSubstr("<image")));
}

TEST(ReportPages, WritesAReportWithoutVariants) {
  report::Report report = test::realisticReport({.layers = 2});
  report.runs.resize(1);
  const report::LoadedReport loaded = loadedOf(std::move(report));
  EXPECT_THAT(pagesOf(loaded, "html"), Not(HasSubstr("<svg")));
  EXPECT_FALSE(pagesOf(loaded, "pdf").empty());
}

TEST(ReportPages, RefusesOtherFormatsAndUnknownRuns) {
  EXPECT_FALSE(reportPages(smallReport(), "png", {}).has_value());
  report::ExportOptions options;
  options.runs = {"nonsense"};
  const auto pages = reportPages(smallReport(), "html", options);
  ASSERT_FALSE(pages.has_value());
  EXPECT_THAT(pages.error().message(), HasSubstr("nonsense"));
}

TEST(ReportPictures, DrawTheNamedVariantsMetricAndPass) {
  report::ExportOptions options;
  options.runs = {"fp16"};
  options.metrics = {"cosine"};
  options.passes = {Pass::Forward};
  const auto svg =
      drawPicture(smallReport(), {.what = "depth", .format = "svg", .options = options});
  ASSERT_TRUE(svg.has_value()) << svg.error().message();
  EXPECT_THAT(*svg, HasSubstr(">1 − Cosine along the depth of the model: fp16</text>"));
  EXPECT_THAT(*svg, Not(HasSubstr("bf16")));
  EXPECT_THAT(*svg, Not(HasSubstr("Backward")));
}

TEST(ReportPictures, DrawTablesAndRefuseWhatThereIsNot) {
  for (const char* what : {"summary", "runs", "table"}) {
    const auto svg = drawPicture(smallReport(), {.what = what, .format = "svg", .options = {}});
    ASSERT_TRUE(svg.has_value()) << what;
    EXPECT_THAT(*svg, HasSubstr(">bf16</text>")) << what;
  }
  EXPECT_FALSE(drawPicture(smallReport(), {.what = "cake", .format = "svg", .options = {}}));
  report::ExportOptions mixed;
  mixed.passes = {Pass::Forward, Pass::ParameterGradient};
  const auto refused =
      drawPicture(smallReport(), {.what = "depth", .format = "svg", .options = mixed});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message(), HasSubstr("name one --pass"));
}

}  // namespace
}  // namespace ulp::views
