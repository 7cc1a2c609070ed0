#include "core/analysis/reports/join_reports.h"

#include <cmath>
#include <fmt/format.h>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/findings/finding_rule.h"
#include "core/report/model/effective_config.h"
#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;

ReportSource sourceOf(report::Report report, const std::string& folder) {
  return {{std::make_shared<const report::Report>(std::move(report)),
           folder + "/precision_report.json",
           folder},
          {}};
}

std::vector<std::string> runsOf(const report::Report& report) {
  std::vector<std::string> names;
  names.reserve(report.runs.size());
  for (const report::Run& run : report.runs) {
    names.push_back(run.name);
  }
  return names;
}

TEST(JoinReports, LeavesASingleReportAsItIs) {
  const std::vector sources{sourceOf(test::sampleReport(2, {"bf16"}), "a")};
  const JoinedReports joined = *joinReports(sources);
  EXPECT_EQ(joined.report, sources[0].loaded.report);
  ASSERT_EQ(joined.origins.size(), 2U);
  EXPECT_EQ(joined.origins[1].run, "bf16");
}

/// A comparison of two dumps: a unit of a step.
report::Report comparisonOf(const char* baseline, const char* candidate) {
  report::Report report = test::sampleReport(2, {"step 0"});
  report.dumps =
      report::DumpOrigin{.baseline = {.path = baseline}, .candidate = {.path = candidate}};
  report.runs[1].axes = UnitAxes{.step = 0};
  return report;
}

TEST(JoinReports, ComparisonsOfOneBaselineShareItAndNameUnitsAfterTheirDump) {
  const std::vector sources{sourceOf(comparisonOf("/golden", "/a/target"), "x"),
                            sourceOf(comparisonOf("/golden", "/b/other"), "y")};
  const JoinedReports joined = *joinReports(sources);
  EXPECT_THAT(runsOf(*joined.report), ElementsAre("reference", "target: step 0", "other: step 0"));
  EXPECT_THAT(joined.sharesReference, ElementsAre(true, true));
  EXPECT_EQ(joined.origins[2].run, "step 0") << "as its own report calls it";
}

TEST(JoinReports, ComparisonsOfOtherBaselinesDoNotShareThem) {
  const std::vector sources{sourceOf(comparisonOf("/golden", "/a/target"), "x"),
                            sourceOf(comparisonOf("/older", "/b/other"), "y")};
  const JoinedReports joined = *joinReports(sources);
  EXPECT_THAT(joined.sharesReference, ElementsAre(true, false));
  EXPECT_EQ(joined.report->runs.size(), 4U);
}

/// A loss as far from that of its own reference as it says, of other tokens.
report::Report withLoss(double reference, double change, const char* digest) {
  report::Report report = test::sampleReport(2, {"bf16"});
  report.provenance.tokenDigest = digest;
  report.runs[0].loss = reference;
  report.runs[1].loss = reference * (1 + change);
  return report;
}

TEST(JoinReports, RunsAreMeasuredAgainstTheReferenceOfTheirOwnReport) {
  const std::vector sources{sourceOf(withLoss(6.2, 1e-5, "sha256:a"), "one"),
                            sourceOf(withLoss(6.3, 0.002, "sha256:b"), "two")};
  const JoinedReports joined = *joinReports(sources);
  ASSERT_THAT(runsOf(*joined.report),
              ElementsAre("reference", "bf16", "reference (two)", "bf16 (two)"));
  EXPECT_EQ(joined.report->referenceOf(joined.report->runs[1])->name, "reference");
  EXPECT_EQ(joined.report->referenceOf(joined.report->runs[3])->name, "reference (two)");
  auto findings = findFindings(*joined.report);
  std::erase_if(findings, [](const auto& finding) { return finding.rule != "loss_change"; });
  ASSERT_EQ(findings.size(), 1U) << "not of the first report, nor against its reference";
  EXPECT_EQ(findings[0].title.text(),
            "The loss of bf16 (two) differs by 0.20 %: 6.312600 against 6.300000");
}

/// The value that a run has of a key; empty: the report does not say.
std::string settingOf(const report::Report& report, const char* run, const char* key) {
  const auto config = report::effectiveConfig(report);
  return config ? report::valueIn(report::keysOf(*config, run), key) : config.error().message();
}

report::Report configured(const char* reference, const char* variant) {
  report::Report report = test::sampleReport(2, {"bf16"});
  report.effectiveJson = fmt::format(
      R"({{"reference":{{"loss.type":{{"value":"{}"}}}},"bf16":{{"loss.type":{{"value":"{}"}}}}}})",
      reference,
      variant);
  return report;
}

TEST(JoinReports, HasTheSettingsOfEveryRunByItsNameHere) {
  std::vector sources{sourceOf(configured("dpo", "a"), "one"),
                      sourceOf(configured("dpo", "b"), "two"),
                      sourceOf(configured("ppo", "c"), "my \"three\"")};
  const JoinedReports joined = *joinReports(sources);
  EXPECT_EQ(settingOf(*joined.report, "bf16", "loss.type"), "a");
  EXPECT_EQ(settingOf(*joined.report, "bf16 (two)", "loss.type"), "b");
  EXPECT_EQ(settingOf(*joined.report, "reference (my \"three\")", "loss.type"), "ppo");
  EXPECT_EQ(settingOf(*joined.report, "bf16 (my \"three\")", "loss.type"), "c");
  EXPECT_EQ(report::effectiveConfig(*joined.report)->size(), 5U) << "a shared reference once";
}

TEST(JoinReports, KeepsWhatARunSaysOfItsStep) {
  report::Report first = test::sampleReport(2, {"a"});
  first.runs[1].step = {.labels = 128, .documents = 4, .microBatches = 2};
  first.runs[1].logProbabilities = report::LogProbabilityError{.tokens = 7};
  first.runs[1].errorCode = ErrorCode::OutOfMemory;
  const std::vector sources{sourceOf(std::move(first), "one"),
                            sourceOf(test::sampleReport(2, {"b"}), "two")};
  const JoinedReports joined = *joinReports(sources);
  const report::Run& run = *joined.report->findRun("a");
  EXPECT_EQ(run.step.microBatches, 2U);
  ASSERT_TRUE(run.logProbabilities.has_value());
  EXPECT_EQ(run.logProbabilities->tokens, 7U);
  EXPECT_EQ(run.errorCode, ErrorCode::OutOfMemory);
}

TEST(JoinReports, SettingsThatCannotBeReadAreTold) {
  report::Report broken = test::sampleReport(2, {"bf16"});
  broken.effectiveJson = "[]";
  const std::vector sources{sourceOf(configured("dpo", "a"), "one"), sourceOf(broken, "two")};
  EXPECT_EQ(report::effectiveConfig(*joinReports(sources)->report).error().code(),
            ErrorCode::CorruptData);
}

TEST(JoinReports, AReferenceWithOtherSettingsOfTheStudyIsAnother) {
  const std::vector sources{sourceOf(configured("dpo", "a"), "one"),
                            sourceOf(configured("ppo", "a"), "two")};
  EXPECT_THAT(joinReports(sources)->sharesReference, ElementsAre(true, false));
}

TEST(JoinReports, EndsWhenItIsAskedTo) {
  const std::vector sources{sourceOf(test::sampleReport(2, {"bf16"}), "a"),
                            sourceOf(test::sampleReport(2, {"bf16"}), "b")};
  std::stop_source stop;
  EXPECT_EQ(joinReports(sources, stop.get_token())->report->runs.size(), 3U);
  stop.request_stop();
  const auto joined = joinReports(sources, stop.get_token());
  ASSERT_FALSE(joined);
  EXPECT_EQ(joined.error().code(), ErrorCode::Cancelled);
}

TEST(JoinReports, KeepsWhatIsKnownOfSamples) {
  report::Report many = test::sampleReport(2, {"fp16"});
  many.metrics = {{"rms_rel"}, {"other"}, {"rms_diff"}, {"ulp.mean"}, {"ulp.max"}};
  many.runs[1].samples = 4;
  many.runs[1].role = report::RunRole::Floor;
  for (report::Comparison& row : many.runs[1].comparisons) {
    row.spread.assign(5, {.sd = 0.25});
    row.spread[0].sd = 0.5;
  }
  const std::vector sources{sourceOf(test::sampleReport(2, {"bf16"}), "a"),
                            sourceOf(std::move(many), "b")};
  const JoinedReports joined = *joinReports(sources);
  const report::Run* run = joined.report->findRun("fp16");
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->samples, 4U);
  EXPECT_EQ(run->role, report::RunRole::Floor);
  const auto rmsRel = static_cast<std::size_t>(joined.report->metricIndex("rms_rel"));
  ASSERT_EQ(run->comparisons[0].spread.size(), joined.report->metrics.size());
  EXPECT_EQ(run->comparisons[0].spread[rmsRel].sd, 0.5);
  EXPECT_TRUE(joined.report->findRun("bf16")->comparisons[0].spread.empty());
}

TEST(JoinReports, NamesRunsApartAndSharesAReferenceOfTheSameInputs) {
  const std::vector sources{sourceOf(test::sampleReport(2, {"bf16", "fp16"}), "runs/mon"),
                            sourceOf(test::sampleReport(2, {"bf16"}), "runs/tue"),
                            sourceOf(test::sampleReport(2, {"bf16"}), "old/tue")};
  const JoinedReports joined = *joinReports(sources);
  EXPECT_THAT(runsOf(*joined.report),
              ElementsAre("reference", "bf16", "fp16", "bf16 (tue)", "bf16 (tue, 2)"));
  EXPECT_EQ(joined.report->reference, "reference");
  EXPECT_EQ(joined.origins[4].source, 2U);
  EXPECT_EQ(joined.origins[4].run, "bf16");
  EXPECT_THAT(joined.sharesReference, ElementsAre(true, true, true));
}

TEST(JoinReports, KeepsAReferenceThatSawOtherTokens) {
  report::Report other = test::sampleReport(2, {"bf16"});
  other.provenance.tokenDigest = "sha256:cc";
  const std::vector sources{sourceOf(test::sampleReport(2, {"bf16"}), "a"),
                            sourceOf(std::move(other), "b")};
  const JoinedReports joined = *joinReports(sources);
  EXPECT_THAT(runsOf(*joined.report),
              ElementsAre("reference", "bf16", "reference (b)", "bf16 (b)"));
  EXPECT_THAT(joined.sharesReference, ElementsAre(true, false));
}

TEST(JoinReports, PutsMetricsInOneOrderAndLeavesUnknownOnesUndefined) {
  report::Report first = test::sampleReport(1, {"a"});
  first.metrics = {{"rms_rel"}, {"cosine"}};
  report::Report second = test::sampleReport(1, {"b"});
  second.metrics = {{"cosine"}, {"max_diff"}};
  for (report::Report* report : {&first, &second}) {
    for (report::Comparison& row : report->runs[1].comparisons) {
      row.metrics = {0.25, 0.5};
    }
  }
  const std::vector sources{sourceOf(std::move(first), "a"), sourceOf(std::move(second), "b")};
  const JoinedReports joined = *joinReports(sources);
  ASSERT_EQ(joined.report->metrics.size(), 3U);
  EXPECT_EQ(joined.report->metrics[2].id, "max_diff");
  const auto& a = joined.report->findRun("a")->comparisons[0].metrics;
  const auto& b = joined.report->findRun("b")->comparisons[0].metrics;
  EXPECT_THAT(a, ElementsAre(0.25, 0.5, testing::IsNan()));
  EXPECT_THAT(b, ElementsAre(testing::IsNan(), 0.25, 0.5));
}

TEST(JoinReports, RenamesByTheMappingAndKnowsTheOwnName) {
  std::vector sources{sourceOf(test::sampleReport(2, {"a"}), "a"),
                      sourceOf(test::sampleReport(2, {"b"}), "b")};
  sources[1].mapping = *SiteMapping::make({{"^decoder", "block"}}, {});
  const JoinedReports joined = *joinReports(sources);
  EXPECT_EQ(joined.report->findRun("a")->comparisons[1].site.name, "decoder.0");
  EXPECT_EQ(joined.report->findRun("b")->comparisons[1].site.name, "block.0");
  EXPECT_EQ(joined.ownName(2, "block.0"), "decoder.0");
  EXPECT_EQ(joined.ownName(2, "norm"), "norm");
  EXPECT_EQ(joined.ownName(1, "block.0"), "block.0");
}

TEST(JoinReports, KeepsWhatRowsWereMadeFromByTheNamesOfTheMapping) {
  auto other = test::sampleReport(2, {"b"});
  other.runs[1].graph.of(Pass::Backward)["decoder.0"] = {
      .forward = {"decoder.1"}, .backward = {"norm"}, .line = "a.py:1"};
  std::vector sources{sourceOf(test::sampleReport(2, {"a"}), "a"), sourceOf(other, "b")};
  const auto kept = [&] { return (*joinReports(sources)).report->findRun("b")->graph; };
  EXPECT_EQ(kept(), other.runs[1].graph);
  sources[1].mapping = *SiteMapping::make({{"^decoder", "block"}}, {});
  OperationGraph renamed;
  renamed.of(Pass::Backward)["block.0"] = {
      .forward = {"block.1"}, .backward = {"norm"}, .line = "a.py:1"};
  EXPECT_EQ(kept(), renamed);
}

TEST(JoinReports, KeepsWhichKernelsRanByTheNamesOfTheMapping) {
  auto other = test::sampleReport(2, {"b"});
  report::Run& run = other.runs[1];
  run.kernels.names = {"gemm"};
  run.kernels.of(Pass::Forward)["decoder.0"] = {0};
  run.attentionKernels = {{"decoder.0", "flash"}, {"norm", "math"}};
  std::vector sources{sourceOf(test::sampleReport(2, {"a"}), "a"), sourceOf(other, "b")};
  const auto kept = [&] { return *(*joinReports(sources)).report->findRun("b"); };
  EXPECT_EQ(kept().kernels, run.kernels);
  EXPECT_EQ(kept().attentionKernels, run.attentionKernels);
  sources[1].mapping = *SiteMapping::make({{"^decoder", "block"}}, {});
  EXPECT_THAT(kept().kernels.of(Pass::Forward, "block.0"), ElementsAre("gemm"));
  EXPECT_THAT(kept().attentionKernels,
              ElementsAre(testing::Pair("block.0", "flash"), testing::Pair("norm", "math")));
}

}  // namespace
}  // namespace ulp::analysis
