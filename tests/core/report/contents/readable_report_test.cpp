#include "core/report/contents/readable_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

using testing::ElementsAre;

/// The parts of a document by what they are.
struct ReadableReport {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
  TextTable runs;
  TextTable configuration;
  std::vector<TextTable> tensors;
  std::vector<TextTable> summaries;
  std::string note;
};

ReadableReport readable(const Report& report, const ExportOptions& options = {}) {
  const auto made = makeReadable(report, options, PartOrder::SummaryFirst);
  EXPECT_TRUE(made.has_value()) << made.error().message();
  const Document document = made.value_or(Document());
  ReadableReport parts{.title = document.title, .facts = document.facts};
  for (const DocumentPart& part : document.parts) {
    if (const auto* note = std::get_if<std::string>(&part)) {
      parts.note = *note;
      continue;
    }
    const TextTable& table = std::get<TextTable>(part);
    if (table.title == "Runs") {
      parts.runs = table;
    } else if (table.title == "Configuration") {
      parts.configuration = table;
    } else if (table.columns.front().title == "tensor") {
      parts.tensors.push_back(table);
    } else if (table.title != "Findings") {
      parts.summaries.push_back(table);
    }
  }
  return parts;
}

TEST(ReadableReport, HasATableForEachVariantAndSummaryMetric) {
  const ReadableReport report = readable(test::sampleReport(2, {"a", "b"}));
  EXPECT_EQ(report.title, "Precision report of SmolLM2-135M");
  EXPECT_EQ(report.runs.rows.size(), 3U);
  ASSERT_EQ(report.tensors.size(), 2U);
  EXPECT_EQ(report.tensors[1].title, "Variant: b");
  ASSERT_EQ(report.summaries.size(), 2U);
  EXPECT_EQ(report.summaries[0].rows.size(), 2U);
  EXPECT_EQ(report.summaries[0].columns.size(), 12U);
  EXPECT_EQ(report.summaries[0].columns[1].group, "forward");
  EXPECT_TRUE(report.note.empty());
}

TEST(ReadableReport, FillsARowOfATensor) {
  Report report = test::sampleReport(2, {"a"});
  report.runs[1].comparisons[0].variantNonFinite = {2, 0, 0};
  const TextTable table = readable(report, {{}, {"rms_diff"}, {}}).tensors[0];
  EXPECT_THAT(table.rows[0],
              testing::ElementsAre(
                  "embeddings", "forward", "1×8×4", "float32→bfloat16", "0.0020", "NaN 2"));
}

TEST(ReadableReport, TellsUndefinedFromNan) {
  Report report = test::sampleReport(2, {"a"});
  test::fillWithNan(report.runs[1].comparisons[0]);
  report.runs[1].comparisons[1].metrics[0] = std::nan("");
  const TextTable table = readable(report, {{}, {"rms_diff"}, {}}).tensors[0];
  EXPECT_EQ(table.rows[0][4], "NaN");
  EXPECT_EQ(table.rows[1][4], "–");
}

TEST(ReadableReport, MarksSummaryCellsWithNonFiniteElements) {
  Report report = test::sampleReport(2, {"a"});
  test::fillWithNan(report.runs[1].comparisons[0]);
  report.runs[1].comparisons[1].variantNonFinite.nan = 1;
  const ReadableReport result = readable(report);
  EXPECT_EQ(result.summaries[0].rows[0][1], "NaN*");
  EXPECT_TRUE(result.summaries[0].rows[0][2].ends_with("*"));
  EXPECT_THAT(result.note, testing::HasSubstr("NaN or infinite"));
}

TEST(ReadableReport, ASummaryCellOfWhatIsLostNeverReadsAsNoError) {
  Report report = test::sampleReport(2, {"a"});
  report.runs[1].comparisons[0].variantNonFinite.nan = 1;
  report.runs[1].comparisons[0].metrics[0] = 0;
  EXPECT_EQ(readable(report, {{}, {"rms_diff"}, {}}).summaries[0].rows[0][1], "NaN*");
  report.runs[1].comparisons[0].variantNonFinite = {};
  EXPECT_EQ(readable(report, {{}, {"rms_diff"}, {}}).summaries[0].rows[0][1], "0");
}

/// Three samples of the variant `a`, and a run of the noise floor that is twice as far off.
Report reportOfPrompts() {
  Report report = test::sampleReport(2, {"a", "floor.repeat"});
  report.provenance.samples = 3;
  report.provenance.sequences = 6;
  report.provenance.sequenceLength = 128;
  for (auto& run : report.runs) {
    run.samples = 3;
    run.step = {.labels = 768, .documents = 6, .microBatches = 3};
    run.lossSpread = {.sd = 0.1, .minimum = 2, .maximum = 3};
    for (Comparison& row : run.comparisons) {
      // t of two degrees of freedom is 4.30, so that the interval is ± 0.0248 = 2.5 %.
      row.spread.assign(row.metrics.size(), {.sd = 0.01, .minimum = 0, .maximum = 1});
      row.gainError = 0.002;
      row.gainSpread = {.sd = 0.0001, .minimum = 0, .maximum = 1};
    }
  }
  report.runs[2].role = RunRole::Floor;
  return report;
}

TEST(ReadableReport, ShowsIntervalsOfMeansOverSamples) {
  Report report = reportOfPrompts();
  report.runs[1].comparisons[1].spread[1].undefined = 1;
  const ReadableReport result = readable(report, {{}, {"rms_rel"}, {"reference", "a"}});
  const TextTable& table = result.tensors.at(0);
  EXPECT_EQ(table.rows[0][4], "0.10 ±2.5°");
  EXPECT_EQ(table.rows[1][4], "0.20 ±9.0 (n=2)°");
  EXPECT_EQ(table.columns[5].title, "gain error %");
  EXPECT_EQ(table.rows[0][5], "0.20 ±0.025 systematic");
  EXPECT_EQ(result.summaries[0].rows[0][1], "0.10 ±2.5°");
  EXPECT_EQ(result.runs.rows[0][2], "2.50000 ±0.25");
  EXPECT_THAT(result.note, testing::HasSubstr("95 % interval"));
  EXPECT_THAT(result.facts,
              testing::Contains(std::pair<std::string, std::string>(
                  "samples", "3 samples, 6 sequences of 128 tokens, 6 documents, 768 labels")));
}

TEST(ReadableReport, HasATableOfParameterGradients) {
  Report report = test::sampleReport(2, {"a", "b"});
  for (std::size_t run = 1; run < 3; ++run) {
    Comparison row = test::comparisonOf({"model.embed_tokens.weight",
                                         "model.embed_tokens",
                                         -1,
                                         Level::Module,
                                         Pass::ParameterGradient},
                                        {1, 0.05, 1, 1, 1});
    report.runs[run].comparisons.push_back(row);
  }
  const ReadableReport result = readable(report, {{}, {"rms_rel"}, {}});
  ASSERT_EQ(result.summaries.size(), 2U);
  EXPECT_EQ(result.summaries[0].columns.size(), 12U);
  EXPECT_EQ(result.summaries[1].title, "Parameter gradients: RMS rel %");
  ASSERT_EQ(result.summaries[1].columns.size(), 2U) << "others no variant has";
  EXPECT_EQ(result.summaries[1].columns[1].title, "embeddings");
  EXPECT_THAT(result.summaries[1].rows[1], testing::ElementsAre("b", "5.0"));
  const ReadableReport alone = readable(report, {{Pass::ParameterGradient}, {"rms_rel"}, {}});
  ASSERT_EQ(alone.summaries.size(), 1U);
  EXPECT_EQ(alone.summaries[0].title, "Parameter gradients: RMS rel %");
}

TEST(ReadableReport, LabelsTheRegularisedErrorOfFastLlm) {
  Report report = test::sampleReport(2, {"a"});
  report.metrics[3].id = "rms_rel_regularized";
  const ReadableReport result = readable(report, {{}, {"rms_rel", "rms_rel_regularized"}, {}});
  ASSERT_EQ(result.summaries.size(), 2U);
  EXPECT_EQ(result.summaries[0].title, "Summary: RMS rel %");
  EXPECT_EQ(result.summaries[1].title, "Summary: RMS rel, Fast-LLM %");
}

TEST(ReadableReport, ShowsLogProbabilitiesBehindTheSummaries) {
  Report report = test::sampleReport(2, {"a", "b"});
  report.runs[1].logProbabilities =
      LogProbabilityError{.tokens = 127, .rms = 0.02, .largest = 0.25, .epsilon = 0.01};
  const ReadableReport result = readable(report, {.isSummaryOnly = true});
  ASSERT_EQ(result.summaries.size(), 3U);
  EXPECT_EQ(result.summaries[2].title, "Log-probabilities of the chosen tokens");
  ASSERT_EQ(result.summaries[2].rows.size(), 1U) << "of b the report does not say";
  EXPECT_EQ(result.summaries[2].rows[0][1], "127");
}

TEST(ReadableReport, SaysAboveEveryTableWhatItsNumbersRestOn) {
  Report report = test::sampleReport(2, {"a"});
  report.runs[0].step = {.labels = 127, .documents = 1, .microBatches = 1};
  const ReadableReport result = readable(report);
  const std::string source =
      "SmolLM2-135M · weights aa · tokens bb · 1 sample, 1 document, 127 labels · cpu";
  for (const auto* tables : {&result.summaries, &result.tensors}) {
    for (const TextTable& table : *tables) {
      EXPECT_THAT(table.note, testing::StartsWith(source)) << table.title;
    }
  }
}

TEST(ReadableReport, ShowsTheSignedErrorsOfOneSample) {
  Report report = test::sampleReport(2, {"a"});
  report.runs[1].comparisons[0].gainError = -0.0031;
  const TextTable table = readable(report, {{}, {"rms_rel"}, {}}).tensors[0];
  EXPECT_EQ(table.columns[5].title, "gain error %");
  EXPECT_EQ(table.rows[0][5], "-0.31");
  EXPECT_EQ(table.rows[1][5], "–");
}

TEST(ReadableReport, SetsTheNoiseFloorApartAndMarksWhatItCovers) {
  Report report = reportOfPrompts();
  report.runs[1].comparisons[0].metrics[1] = 0.0021;
  const ReadableReport result = readable(report, {{}, {"rms_rel"}, {}});
  ASSERT_EQ(result.summaries.size(), 2U);
  EXPECT_EQ(result.summaries[0].rows.size(), 1U);
  EXPECT_EQ(result.summaries[0].rows[0][1], "0.21 ±2.5") << "worse than the floor, 0.20 %";
  EXPECT_EQ(result.summaries[0].rows[0][2], "0.25 ±2.5°");
  EXPECT_EQ(result.summaries[1].title, "Noise floor: RMS rel %");
  EXPECT_EQ(result.summaries[1].rows[0][0], "floor.repeat (the same again)");
  EXPECT_EQ(result.summaries[1].rows[0][1], "0.20 ±2.5");
  ASSERT_EQ(result.tensors.size(), 2U);
  EXPECT_EQ(result.tensors[0].rows[0][4], "0.21 ±2.5");
  EXPECT_EQ(result.tensors[0].rows[1][4], "0.20 ±2.5°");
  EXPECT_EQ(result.tensors[1].title, "Noise floor: floor.repeat (the same again)");
  EXPECT_EQ(result.tensors[1].rows[0][4], "0.20 ±2.5");
  EXPECT_THAT(result.note, testing::HasSubstr("° no worse than the noise floor"));
}

TEST(ReadableReport, ShowsPassesThatWereAskedFor) {
  const ReadableReport result = readable(test::sampleReport(2, {"a"}), {{Pass::Backward}, {}, {}});
  EXPECT_EQ(result.tensors[0].rows.size(), 4U);
  EXPECT_EQ(result.summaries[0].columns.size(), 6U);
  EXPECT_EQ(result.summaries[0].columns[1].title, "head");
}

TEST(ReadableReport, LeavesOutTensorsOfASummary) {
  const ReadableReport result = readable(test::sampleReport(2, {"a"}), {.isSummaryOnly = true});
  EXPECT_TRUE(result.tensors.empty());
  EXPECT_EQ(result.summaries.size(), 2U);
}

TEST(ReadableReport, ShowsWhyARunFailed) {
  Report report = test::sampleReport(2, {"a"});
  report.runs[1].status = RunStatus::Failed;
  report.runs[1].error = "out of memory";
  report.runs[1].comparisons.clear();
  const ReadableReport result = readable(report);
  EXPECT_THAT(result.runs.rows[1],
              testing::ElementsAre("a", "failed", "–", "–", "–", "out of memory"));
  EXPECT_TRUE(result.tensors.empty());
  EXPECT_TRUE(result.summaries.empty());
}

Report configured() {
  Report report = test::sampleReport(1, {"bf16", "fp16"});
  report.effectiveJson =
      R"({"reference": {"seed": {"value": "0", "origin": "default"},
                        "dtype": {"value": "float32", "origin": "reference_fp32"}},
          "bf16": {"seed": {"value": "0", "origin": "default"},
                   "dtype": {"value": "bfloat16", "origin": "variant"}},
          "fp16": {"seed": {"value": "0", "origin": "default"},
                   "dtype": {"value": "float16", "origin": "variant"}, "path": {"value": ""}}})";
  return report;
}

TextTable configurationOf(const Report& report, const std::vector<std::string>& runs = {}) {
  return readable(report, {.runs = runs, .configuration = ConfigurationPart::Whole}).configuration;
}

std::vector<std::string> titlesOf(const TextTable& table) {
  std::vector<std::string> titles;
  std::ranges::transform(table.columns, std::back_inserter(titles), &TableColumn::title);
  return titles;
}

TEST(ReadableReport, CountsOfUlpThatSayNothingAreLeftOut) {
  Report report = test::sampleReport(2, {"a"});
  report.metrics = {{"ulp.max"}};
  for (Comparison& row : report.runs[1].comparisons) {
    row.metrics = {3};
  }
  report.runs[1].comparisons[1].metrics = {1.1e40};
  const TextTable table = readable(report).tensors.at(0);
  EXPECT_EQ(table.rows[0][4], "3.0");
  EXPECT_EQ(table.rows[1][4], "–");
}

TEST(ReadableReport, RunsShowOnlyWhatAnyOfThemKnows) {
  Report report = test::sampleReport(2, {"a", "b"});
  for (struct Run& run : report.runs) {
    run.hasLoss = false;
    run.seconds = 0;
    run.peakBytes = 0;
  }
  report.runs[2].error = "out of memory";
  report.runs[2].status = RunStatus::Failed;
  EXPECT_THAT(titlesOf(readable(report).runs), ElementsAre("run", "status", "changes or error"));
  report.runs[1].seconds = 2;
  const TextTable runs = readable(report).runs;
  EXPECT_THAT(titlesOf(runs), ElementsAre("run", "status", "time", "changes or error"));
  EXPECT_THAT(runs.rows[2], ElementsAre("b", "failed", "–", "out of memory"));
}

TEST(ReadableReport, RunsOfDumpsCountTheirTensors) {
  Report report = test::sampleReport(2, {"a"});
  report.dumps = DumpOrigin{.baseline = {"golden"}, .candidate = {"target"}};
  report.runs[1].comparisons[0].variantNonFinite.nan = 3;
  const TextTable runs = readable(report).runs;
  ASSERT_THAT(titlesOf(runs), testing::IsSupersetOf({"tensors", "not finite"}));
  EXPECT_EQ(runs.rows[1][2], std::to_string(report.runs[1].comparisons.size()));
  EXPECT_EQ(runs.rows[1][3], "1");
}

TEST(ReadableReport, NamesEverySettingItsOriginAndTheRunsThatHaveIt) {
  const TextTable table = configurationOf(configured());
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_THAT(table.rows[0], ElementsAre("dtype", "float32", "reference fp32", "reference"));
  EXPECT_THAT(table.rows[1], ElementsAre("dtype", "bfloat16", "variant", "bf16"));
  EXPECT_THAT(table.rows[2], ElementsAre("dtype", "float16", "variant", "fp16"));
  EXPECT_THAT(table.rows[3], ElementsAre("path", "–", "", "fp16"));
  EXPECT_THAT(table.rows[4], ElementsAre("seed", "0", "default", "all"));
}

TEST(ReadableReport, HoldsTheConfigurationOfTheNamedRunsOnly) {
  EXPECT_THAT(configurationOf(configured(), {"bf16"}).rows, testing::SizeIs(2));
}

TEST(ReadableReport, CountsDefaultsOfAllRunsWhereTheChosenSettingsAreAsked) {
  const TextTable table =
      readable(configured(), {.configuration = ConfigurationPart::Chosen}).configuration;
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[3][0], "path");
  EXPECT_THAT(table.note, testing::StartsWith("1 settings that every run has by default "));
}

TEST(ReadableReport, VariantsThatAllHaveASettingAreNotListed) {
  Report report = configured();
  report.effectiveJson =
      R"({"reference": {"dtype": {"value": "float32"}}, "bf16": {"dtype": {"value": "bfloat16"}},
          "fp16": {"dtype": {"value": "bfloat16"}}})";
  EXPECT_THAT(configurationOf(report).rows[1],
              ElementsAre("dtype", "bfloat16", "", "all variants"));
}

TEST(ReadableReport, ShowsTheConfigurationWhenAsked) {
  EXPECT_TRUE(readable(configured()).configuration.rows.empty());
}

TEST(ReadableReport, SaysWhichConfigurationCannotBeRead) {
  Report report = configured();
  report.effectiveJson = R"({"bf16": {"dtype": 3}})";
  const auto made =
      makeReadable(report, {.configuration = ConfigurationPart::Whole}, PartOrder::SummaryFirst);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code(), ErrorCode::CorruptData);
}

TEST(ReadableReport, SaysWhatWasComparedAndFromWhichSeeds) {
  Report report = test::sampleReport(2, {"a", "b"});
  report.effectiveJson = R"({"reference": {"input.seed": {"value": "7", "origin": "study"}}})";
  const auto hasFact = [](const Report& of, const char* name, const char* value) {
    return std::ranges::count(readable(of).facts,
                              std::pair<std::string, std::string>(name, value)) == 1;
  };
  EXPECT_TRUE(hasFact(report, "compared", "a, b against reference"));
  EXPECT_TRUE(hasFact(report, "seeds", "input 7"));
  report.dumps = DumpOrigin{.baseline = {"golden", {.step = 3}}, .candidate = {"target"}};
  EXPECT_TRUE(hasFact(report, "baseline", "golden, step 3"));
  EXPECT_TRUE(hasFact(report, "candidate", "target"));
  report.dumps = DumpOrigin{.baseline = {"golden"}};
  EXPECT_TRUE(hasFact(report, "dump", "golden")) << "compared with none";
}

TEST(ReadableReport, HasFiguresBeforeManyFindings) {
  const Report report = test::sampleReport(1, {"a"});
  TextTable findings{"Findings", {{"finding"}}, {}};
  for (int i = 0; i < 30; ++i) {
    findings.rows.push_back({std::to_string(i)});
  }
  const auto document = makeReadable(report,
                                     {},
                                     PartOrder::SummaryFirst,
                                     {.findings = findings, .figures = {{"Chart", "<svg/>"}}});
  ASSERT_TRUE(document.has_value());
  const auto& first = std::get<TextTable>(document->parts[0]);
  EXPECT_EQ(first.rows.size(), 10U);
  EXPECT_EQ(first.note, "The first 10 of 30; the others stand below, under Other findings.");
  EXPECT_TRUE(std::holds_alternative<DocumentFigure>(document->parts[1]));
  const auto others = std::ranges::find_if(document->parts, [](const DocumentPart& part) {
    const auto* table = std::get_if<TextTable>(&part);
    return table != nullptr && table->title == "Other findings";
  });
  ASSERT_NE(others, document->parts.end());
  EXPECT_EQ(std::get<TextTable>(*others).rows.front().front(), "10");
  EXPECT_EQ(std::get<TextTable>(*others).rows.size(), 20U);
}

TEST(ReadableReport, KeepsTheWorstRowsAndNamesTheRest) {
  Report report = test::sampleReport(3, {"bf16"});
  std::vector<Comparison>& rows = report.runs[1].comparisons;
  rows[1].variantNonFinite.nan = 2;
  ExportOptions options;
  options.maxRows = 3;
  options.completeData = "all.json";
  const ReadableReport made = readable(report, options);
  const TextTable& table = made.tensors.front();
  ASSERT_EQ(table.rows.size(), 3U);
  // Not finite first, then by the first metric, which the sample makes grow along the rows.
  EXPECT_EQ(table.rows[0][0], rows[1].site.name);
  EXPECT_EQ(table.rows[1][0], rows.back().site.name);
  EXPECT_EQ(table.rows[2][0], rows[rows.size() - 2].site.name);
  EXPECT_THAT(table.note, testing::HasSubstr("The 3 worst of 12 tensors by RMS rel"));
  EXPECT_THAT(made.note, testing::HasSubstr("all.json"));
}

TEST(ReadableReport, ShowsWhatRulesSayBehindTheVerdictAndBesideEachRow) {
  const Report report = test::sampleReport(3, {"bf16"});
  const auto selection = selectForExport(report, {});
  ASSERT_TRUE(selection);
  DocumentExtras extras;
  extras.verdict = {.title = "Verdict", .columns = {{"run"}}, .rows = {{"bf16"}}};
  extras.judgement.tables = {{.title = "Rules: mine", .columns = {{"run"}}, .rows = {{"bf16"}}}};
  std::vector<RowMark>& marks = extras.judgement.rows["bf16"];
  marks.assign(selection->rows(*selection->variants.front()).size(), {"pass", 0});
  marks[1] = {"FAIL", 2};
  const auto document = makeReadable(report, {.maxRows = 2}, PartOrder::SummaryFirst, extras);
  ASSERT_TRUE(document);
  EXPECT_EQ(std::get<TextTable>(document->parts[1]).title, "Rules: mine");
  const auto& tensors = std::get<TextTable>(document->parts.back());
  EXPECT_THAT(tensors.note, testing::HasSubstr("those that break a rule first, then by RMS rel."));
  const auto rules = std::ranges::find(tensors.columns, "rules", &TableColumn::title);
  ASSERT_NE(rules, tensors.columns.end());
  const auto column = static_cast<std::size_t>(rules - tensors.columns.begin());
  ASSERT_EQ(tensors.rows.size(), 2U);
  EXPECT_EQ(tensors.rows[0][column], "FAIL") << "though others have larger errors";
  EXPECT_EQ(tensors.rows[1][column], "pass");
}

}  // namespace
}  // namespace ulp::report
