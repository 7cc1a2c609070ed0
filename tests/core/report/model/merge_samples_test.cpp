#include "core/report/model/merge_samples.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

/// A run of one row on one sample, whose first metric is `error`.
Run sampleOf(double error) {
  Comparison row = test::comparisonOf(test::layerSite("norm", -1, Pass::Forward), {error, 7});
  row.worst = {{{0, 1, 2}, 0, error}};
  row.variantNonFinite.nan = 1;
  row.gainError = error / 100;
  Run run = test::runOf("bf16", {row});
  run.loss = error * 10;
  run.step = {.labels = 5, .documents = 1, .microBatches = 1};
  run.step.terms.push_back({.type = "grpo", .value = error, .metrics = {{"entropy", error * 2}}});
  run.step.terms[0].clips = ClipSummary{.unit = "token",
                                        .count = 5,
                                        .below = 3,
                                        .above = 2,
                                        .stopped = 4,
                                        .flips = 1,
                                        .gradientFlips = 2};
  return run;
}

Run mergedOf(const std::vector<double>& errors) {
  Run total;
  total.name = "bf16";
  total.samples = 0;
  for (const double error : errors) {
    EXPECT_TRUE(mergeSample(total, sampleOf(error)));
  }
  return total;
}

TEST(MergeSamples, OneSampleIsWhatItGave) {
  const auto run = mergedOf({3});
  EXPECT_EQ(run.samples, 1U);
  EXPECT_EQ(run.loss, 30);
  EXPECT_THAT(run.comparisons[0].metrics, testing::ElementsAre(3, 7));
  EXPECT_TRUE(run.comparisons[0].spread.empty());
}

TEST(MergeSamples, RefusesASampleThatRanAnotherVersionOfAFile) {
  report::Run total = sampleOf(1);
  total.codeFiles = {{"/code/helper.py", "old"}, {"/code/model.py", "same"}};
  report::Run sample = sampleOf(2);
  sample.codeFiles = {{"/code/late.py", "late"}, {"/code/model.py", "same"}};
  ASSERT_TRUE(mergeSample(total, sample));
  EXPECT_EQ(total.codeFiles.at("/code/late.py"), "late") << "loaded later than others";
  EXPECT_EQ(total.codeFiles.size(), 3U);
  sample.codeFiles = {{"/code/helper.py", "new"}};
  const auto refused = mergeSample(total, sample);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(refused.error().message(), testing::HasSubstr("/code/helper.py was changed"));
  EXPECT_EQ(total.samples, 2U);
}

TEST(CheckSameCode, ComparesTheFilesThatBothRan) {
  report::Run reference = test::runOf("reference", {});
  reference.codeFiles = {{"/code/model.py", "a"}};
  report::Run variant = test::runOf("bf16", {});
  variant.codeFiles = {{"/code/model.py", "a"}, {"/code/changes.py", "of it alone"}};
  EXPECT_TRUE(checkSameCode(reference, variant));
  variant.codeFiles["/code/model.py"] = "b";
  EXPECT_EQ(checkSameCode(reference, variant).error().message(),
            "bf16: /code/model.py was changed since reference ran it; undo the change, or run the "
            "whole study into another folder (a file that a run writes itself needs a name of its "
            "own for each content)");
}

TEST(MergeSamples, TheMemoryIsThatOfTheSampleThatTookMost) {
  report::Run total;
  total.samples = 0;
  for (const std::uint64_t peak : {5U, 9U, 7U}) {
    report::Run sample;
    sample.peakBytes = peak;
    sample.memory = DeviceMemory{.begin = 10 * peak};
    ASSERT_TRUE(mergeSample(total, std::move(sample)));
  }
  EXPECT_EQ(total.peakBytes, 9U);
  EXPECT_EQ(total.memory->begin, 90U);
}

TEST(MergeSamples, MetricsAndLossesAreMeansAndCountsAreSums) {
  const auto run = mergedOf({1, 2, 6});
  EXPECT_EQ(run.samples, 3U);
  EXPECT_DOUBLE_EQ(run.loss, 30);
  EXPECT_DOUBLE_EQ(run.lossSpread.sd, std::sqrt(700.0));
  EXPECT_EQ(run.lossSpread.maximum, 60);
  EXPECT_EQ(run.seconds, 3.75);
  EXPECT_EQ(run.peakBytes, 1U << 20U);
  const Comparison& row = run.comparisons[0];
  EXPECT_DOUBLE_EQ(row.metrics[0], 3);
  EXPECT_EQ(row.metrics[1], 7);
  EXPECT_DOUBLE_EQ(row.spread[0].sd, std::sqrt(7.0));
  EXPECT_EQ(row.spread[1].sd, 0);
  EXPECT_EQ(row.count, 96U);
  EXPECT_EQ(row.compared, 96U);
  EXPECT_EQ(row.variantNonFinite.nan, 3U);
  EXPECT_EQ(row.shape, (std::vector<std::int64_t>{1, 8, 4}));
  EXPECT_DOUBLE_EQ(row.gainError, 0.03);
  EXPECT_DOUBLE_EQ(row.gainSpread.sd, std::sqrt(7.0) / 100);
}

TEST(MergeSamples, StepsAreAddedUpAndTheirMetricsAreMeans) {
  const auto run = mergedOf({1, 2, 6});
  EXPECT_EQ(run.step.labels, 15U);
  EXPECT_EQ(run.step.documents, 3U);
  EXPECT_DOUBLE_EQ(run.step.terms[0].value, 3);
  EXPECT_DOUBLE_EQ(run.step.terms[0].metrics[0].second, 6);
  EXPECT_EQ(run.step.terms[0].clips->above, 6U);
  EXPECT_EQ(run.step.terms[0].clips->count, 15U);
  EXPECT_EQ(run.step.terms[0].clips->below, 9U);
  EXPECT_EQ(run.step.terms[0].clips->stopped, 12U);
  EXPECT_EQ(run.step.terms[0].clips->flips, 3U);
  EXPECT_EQ(run.step.terms[0].clips->gradientFlips, 6U);
}

TEST(MergeSamples, TheWorstElementsAreThoseOfAllSamples) {
  const std::vector<WorstPair>& worst =
      mergedOf({1, 9, -9, 2, 3, 4, 5, 6, 7, 8}).comparisons[0].worst;
  ASSERT_EQ(worst.size(), kWorstKept);
  EXPECT_EQ(worst[0].variant, 9);
  EXPECT_EQ(worst[0].sample, 1U);
  EXPECT_EQ(worst[1].variant, -9) << "of equal ones the earlier sample first";
  EXPECT_EQ(worst[7].variant, 3);
  EXPECT_EQ(worst[7].sample, 4U);
}

TEST(MergeSamples, GoingOnFromAFileGivesTheSameToTheBit) {
  Report report = test::sampleReport(1, {"bf16"});
  report.provenance.samples = 4;
  report.metrics = {{"rms_diff"}, {"rms_rel"}};
  for (std::size_t kept = 1; kept < 4; ++kept) {
    const std::vector<double> errors{0.1, 0.7, 1e-3, 0.3};
    report.runs[1] = mergedOf({errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(kept)});
    auto read = parseReport(toJson(report), "r.json");
    ASSERT_TRUE(read) << read.error().message();
    auto& resumed = read->runs[1];
    EXPECT_EQ(resumed.samples, kept);
    for (std::size_t i = kept; i < errors.size(); ++i) {
      ASSERT_TRUE(mergeSample(resumed, sampleOf(errors[i])));
    }
    const auto whole = mergedOf(errors);
    EXPECT_EQ(resumed.comparisons[0].metrics[0], whole.comparisons[0].metrics[0]) << kept;
    EXPECT_EQ(resumed.comparisons[0].spread[0].sd, whole.comparisons[0].spread[0].sd) << kept;
    EXPECT_EQ(resumed.comparisons[0].gainError, whole.comparisons[0].gainError) << kept;
    EXPECT_EQ(resumed.loss, whole.loss) << kept;
    EXPECT_EQ(resumed.lossSpread.sd, whole.lossSpread.sd) << kept;
    EXPECT_EQ(resumed.comparisons[0].worst[0].sample, whole.comparisons[0].worst[0].sample) << kept;
  }
}

TEST(MergeSamples, OtherRowsAreAnError) {
  auto total = mergedOf({1});
  auto other = sampleOf(2);
  other.comparisons[0].site.name = "logits";
  const auto merged = mergeSample(total, std::move(other));
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code(), ErrorCode::Internal);
  EXPECT_EQ(total.samples, 1U);
}

}  // namespace
}  // namespace ulp::report
