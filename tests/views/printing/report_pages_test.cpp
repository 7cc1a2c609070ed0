#include "views/printing/report_pages.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtCore/QRegularExpression>

#include "core/analysis/findings/all_findings.h"
#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/rules/judged_report.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/stall_listener.h"
#include "tests/views/kept_log_probabilities.h"
#include "tests/views/pdf_pages.h"
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
  EXPECT_THAT(html, HasSubstr(">RMS rel along the depth of the model: bf16, fp16</h2>"));
  EXPECT_THAT(html, HasSubstr("<polyline"));
  EXPECT_THAT(html, HasSubstr("<td>precision.compute_dtype</td><td>bfloat16</td><td>variant</td>"));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("svg [stroke=\"#0072b2\"] { stroke: #4ba3df; }"));
  for (const char* outside : {"src=", "href=\"h", "url(", "@import", "<?xml", "<image"}) {
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
  const std::size_t verdict = html.find(">Verdict</h2>");
  ASSERT_NE(verdict, std::string::npos);
  EXPECT_EQ(html.find("</h2>"), html.find("</h2>", verdict));
  const std::string table = html.substr(verdict, html.find("</table>", verdict) - verdict);
  EXPECT_THAT(table, HasSubstr("<td>fp16</td>"));
  EXPECT_THAT(table, Not(HasSubstr("bf16")));
}

TEST(ReportPages, LargeReportsKeepTheWorstRowsInFourMegabytesAndFiveSeconds) {
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
  EXPECT_LT(html.size(), 4U << 20U);
  EXPECT_THAT(html, HasSubstr("The 31 worst of "));
  EXPECT_THAT(html, HasSubstr("All of them are in runs/x/precision_report.json"));
}

/// The report that comes with the program.
report::LoadedReport exampleReport() {
  auto loaded = report::loadReport(ULP_SOURCE_DIR "/resources/example/precision_report.json");
  EXPECT_TRUE(loaded.has_value());
  return *loaded;
}

/// Text without what tells where lines are broken.
QString flat(const QString& text) {
  return QString(text).remove(QRegularExpression(QStringLiteral("\\s+")));
}

bool hasChart(const QString& page) {
  return page.contains(QStringLiteral("Forward →"));
}

TEST(ReportPages, ExampleIsShortAndHasItsAnswerFirst) {
  const QStringList pages = test::pdfPages(pagesOf(exampleReport(), "pdf"));
  EXPECT_LE(pages.size(), 6);
  const QString all = flat(pages.join(QString()));
  EXPECT_TRUE(
      all.contains(flat(QStringLiteral("settings that every run has by default stand in"))));
  EXPECT_TRUE(all.contains(QStringLiteral("precision.residual_dtype")));
  EXPECT_FALSE(all.contains(QStringLiteral("optimizer.weight_decay")));
  const QString& first = pages.front();
  for (const char* part : {"SmolLM2-135M-Instruct.Q4_1.gguf",
                           "bf16_max_precision against reference",
                           "input 0, model 0",
                           "Verdict",
                           "Findings",
                           "First divergence",
                           "Scale hides the"}) {
    EXPECT_TRUE(first.contains(QLatin1String(part))) << part;
  }
  EXPECT_LT(first.indexOf(QStringLiteral("Verdict")), first.indexOf(QStringLiteral("Findings")));
  EXPECT_FALSE(first.contains(QStringLiteral("first_divergence"))) << "rules have titles";
  EXPECT_TRUE(hasChart(pages[0]) || hasChart(pages[1]));
}

TEST(ReportPages, ShowThePlaceOfEveryFindingInFull) {
  const report::LoadedReport example = exampleReport();
  const auto findings = analysis::allFindings(*example.report);
  ASSERT_TRUE(findings.has_value());
  const QString pdf = flat(test::pdfPages(pagesOf(example, "pdf")).join(QString()));
  const std::string html = pagesOf(example, "html");
  ASSERT_GT(findings->size(), 5U);
  for (const report::Finding& finding : *findings) {
    const std::string place = analysis::placeText(finding.sites.front());
    EXPECT_THAT(html, HasSubstr("<td>" + place + "</td>"));
    EXPECT_THAT(
        html,
        HasSubstr("<td>" + analysis::ruleTitle(finding.rule, analysis::builtinFindingRules()) +
                  "</td>"));
    // Lines of cells stand beside each other: the sentence has the name on one of its own.
    const QString name = QString::fromStdString(finding.sites.front().name);
    EXPECT_TRUE(pdf.contains(name)) << name.toStdString();
  }
}

TEST(ReportPages, ElideNoNumber) {
  for (const QString& page : test::pdfPages(pagesOf(exampleReport(), "pdf"))) {
    const QString body = page.left(page.lastIndexOf(QStringLiteral("page ")));
    const QString tables = body.left(body.lastIndexOf(QStringLiteral("SmolLM2-135M")));
    EXPECT_FALSE(tables.contains(u'…')) << tables.toStdString();
  }
}

TEST(ReportPages, HaveTheFirstChartOnPageOneOrTwoHoweverMuchThereIsToSay) {
  for (const int variants : {1, 4, 12, 40}) {
    test::ReportShape shape{.layers = 6, .variants = {}, .nonFiniteShare = 0.01};
    for (int i = 0; i < variants; ++i) {
      shape.variants.push_back("bf16_with_a_rather_long_name_of_a_variant_" + std::to_string(i));
    }
    const QStringList pages =
        test::pdfPages(pagesOf(loadedOf(test::realisticReport(shape)), "pdf"));
    ASSERT_GE(pages.size(), 2);
    EXPECT_TRUE(hasChart(pages[0]) || hasChart(pages[1])) << variants;
    const QString all = flat(pages.join(QString()));
    for (const std::string& name : shape.variants) {
      EXPECT_TRUE(all.contains(QStringLiteral("Variant:") + QString::fromStdString(name))) << name;
    }
  }
}

TEST(ReportPages, DrawHeatmapsWithTheirScale) {
  for (const char* format : {"pdf", "html"}) {
    const auto pages =
        drawPicture(exampleReport(), {.what = "report", .format = format, .options = {}});
    ASSERT_TRUE(pages) << pages.error().message();
    const QString text = std::string_view(format) == "pdf" ? test::pdfPages(*pages).join(QString())
                                                           : QString::fromStdString(*pages);
    EXPECT_TRUE(text.contains(QStringLiteral("variants × layers"))) << format;
    EXPECT_TRUE(text.contains(QStringLiteral("modules × layers of bf16"))) << format;
    EXPECT_TRUE(flat(text).contains(QStringLiteral("Missing:0"))) << format;
  }
}

TEST(ReportPages, ARowOfColoursThatRepeatsTheChartIsLeftOut) {
  const report::LoadedReport loaded =
      loadedOf(test::realisticReport({.layers = 4, .variants = {"bf16", "fp16"}}));
  const auto textOf = [&](const std::vector<std::string>& runs) {
    const auto pages =
        drawPicture(loaded, {.what = "report", .format = "html", .options = {.runs = runs}});
    return QString::fromStdString(pages.value_or(""));
  };
  const QString both = textOf({});
  EXPECT_TRUE(both.contains(QStringLiteral("variants × layers")));
  const QString one = textOf({"fp16"});
  EXPECT_TRUE(one.contains(QStringLiteral("along the depth of the model: fp16")));
  EXPECT_FALSE(one.contains(QStringLiteral("variants × layers")));
  EXPECT_TRUE(one.contains(QStringLiteral("modules × layers of fp16")));
  EXPECT_TRUE(
      drawPicture(loaded, {.what = "heatmap", .format = "svg", .options = {.runs = {"fp16"}}}))
      << "whoever asks for it gets it";
}

TEST(ReportPages, AFooterKeepsTheDateThoughThePathIsLong) {
  report::LoadedReport loaded = smallReport();
  report::Report report = *loaded.report;
  report.model.name = "/home/somebody/models/of/last/year/and/the/one/before/it/SmolLM2-135M.gguf";
  report.provenance.input = "/home/somebody/texts/of/last/year/and/the/one/before/it/prompts.jsonl";
  report.provenance.startedAt = "2026-11-27T10:00:00Z";
  loaded.report = std::make_shared<report::Report>(std::move(report));
  for (const QString& page : test::pdfPages(pagesOf(loaded, "pdf"))) {
    const QString footer = page.mid(page.lastIndexOf(QStringLiteral("SmolLM2-135M.gguf")) - 20);
    EXPECT_TRUE(footer.contains(QStringLiteral("prompts.jsonl"))) << footer.toStdString();
    EXPECT_TRUE(footer.contains(QStringLiteral("2026-11-27"))) << footer.toStdString();
  }
}

TEST(ReportPages, ShowWhatRulesSayBesideEachRowInPdf) {
  const report::LoadedReport loaded = smallReport();
  const auto rules = analysis::VerdictRules::parse(
      "rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.002}\n", "mine.yaml");
  ASSERT_TRUE(rules);
  const auto judged =
      analysis::judgeChosen(*loaded.report, {}, {*rules, "mine.yaml"}, analysis::PairReader());
  ASSERT_TRUE(judged) << judged.error().message();
  const auto pdf = reportPages(loaded, "pdf", {}, {}, analysis::judgementOf(*judged));
  ASSERT_TRUE(pdf);
  const QStringList pages = test::pdfPages(*pdf);
  EXPECT_TRUE(pages.front().contains(QStringLiteral("Rules: mine.yaml")));
  EXPECT_TRUE(pages.front().contains(QStringLiteral("rms_rel at most 0.002")));
  EXPECT_TRUE(pages.back().contains(QStringLiteral("FAIL")) ||
              pages.back().contains(QStringLiteral("rules pass")));
}

TEST(ReportPages, PutWhatAllRowsShareIntoTheNote) {
  const std::string html = pagesOf(smallReport(), "html");
  const std::size_t variant = html.find(">Variant: bf16</h2>");
  ASSERT_NE(variant, std::string::npos);
  const std::string table = html.substr(variant, html.find("</table>", variant) - variant);
  EXPECT_THAT(table, HasSubstr("All rows: dtype "));
  EXPECT_THAT(table, Not(HasSubstr(">dtype</th>")));
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

/// Charts of log-probabilities consist of curves; heatmaps have the colours of their scale within.
void expectCurves(const std::string& html) {
  const std::size_t chart = html.find(">Differences of log-probabilities against reference</h2>");
  ASSERT_NE(chart, std::string::npos);
  EXPECT_THAT(html.substr(chart, html.find("</svg>", chart) - chart), Not(HasSubstr("<image")));
  for (std::size_t at = html.find("<image"); at != std::string::npos;
       at = html.find("<image", at + 1)) {
    EXPECT_THAT(html.substr(at, html.find('>', at) - at),
                HasSubstr("href=\"data:image/png;base64,"));
  }
}

TEST(ReportPages, HoldWhatTheViewsAdd) {
  const test::TempDir folder;
  const report::LoadedReport loaded = keptReport(folder);
  const auto html = drawPicture(loaded, {.what = "report", .format = "html", .options = {}});
  ASSERT_TRUE(html) << html.error().message();
  EXPECT_THAT(*html, HasSubstr(">Differences of log-probabilities against reference</h2>"));
  EXPECT_THAT(*html, HasSubstr(">Log-probabilities against reference</h2>"));
  EXPECT_THAT(*html, HasSubstr("documents whose clip decision flips"));
  expectCurves(*html);
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
    drawn.push_back(recorded(exhibit, pageChartSize(exhibit, "html")));
  }
  std::string pages;
  std::jthread([&] { pages = reportPages(loaded, "html", {}, drawn).value_or(""); }).join();
  EXPECT_THAT(pages, HasSubstr(">Differences of log-probabilities against reference</h2>"));
  expectCurves(pages);
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
