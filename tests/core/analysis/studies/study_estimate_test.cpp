#include "core/analysis/studies/study_estimate.h"

#include <gtest/gtest.h>

#include "core/numerics/metrics/metric.h"

namespace ulp::analysis {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

RunFormats formatsOf(NumberFormat compute, NumberFormat others) {
  numerics::FormatOverrides set;
  set[Operation::Compute] = compute;
  set[Operation::Residual] = others;
  set[Operation::LmHead] = others;
  return {.operations = numerics::resolveFormats(set, {})};
}

PlannedStudy plan() {
  PlannedStudy planned;
  planned.sites = {{{"decoder.0", "model.layers.0", 0, Level::Layer, Pass::Forward}, 1000},
                   {{"model.layers.0.mlp", "", 0, Level::Module, Pass::Forward}, 100000},
                   {{"logits", "lm_head", -1, Level::Layer, Pass::Forward}, 500}};
  planned.parameters = 1000000;
  planned.tokens = 100;
  planned.runs = {formatsOf(NumberFormat::Float32, NumberFormat::Float32),
                  formatsOf(NumberFormat::BFloat16, NumberFormat::Float32)};
  return planned;
}

constexpr std::uint64_t kJson = std::uint64_t{3} * 1400;

TEST(StudyEstimate, CountsWhatIsKeptOnDisk) {
  PlannedStudy planned = plan();
  const std::uint64_t reference = std::uint64_t{1000 + 100000 + 500} * 4;
  const std::uint64_t variant =
      std::uint64_t{1000} * 4 + std::uint64_t{100000} * 2 + std::uint64_t{500} * 4;
  EXPECT_EQ(estimateStudy(planned).diskBytes, kJson + reference + variant);
  planned.kept = study::TensorStorage::None;
  EXPECT_EQ(estimateStudy(planned).diskBytes, kJson);
  planned.kept = study::TensorStorage::Sampled;
  EXPECT_EQ(estimateStudy(planned).diskBytes,
            kJson + std::uint64_t{1000 + 65536 + 500} * 4 + std::uint64_t{1000} * 4 +
                std::uint64_t{65536} * 2 + std::uint64_t{500} * 4);
}

TEST(StudyEstimate, WithoutAnEarlierRunTimeComesFromAssumedSpeeds) {
  PlannedStudy planned = plan();
  const StudyEstimate one = estimateStudy(planned);
  ASSERT_TRUE(one.seconds.has_value());
  EXPECT_FALSE(one.isCalibrated);
  EXPECT_DOUBLE_EQ(*one.seconds, 2 * (6e8 / kAssumedFlops + 101500 / kAssumedElements));
  planned.threads = 2;
  EXPECT_DOUBLE_EQ(*estimateStudy(planned).seconds, *one.seconds / 2);
  planned.onCpu = false;
  EXPECT_FALSE(estimateStudy(planned).seconds.has_value());
}

TEST(StudyEstimate, SamplesTakeTimeAndKeepTheirMetricsButNoMemory) {
  const StudyEstimate one = estimateStudy(plan());
  PlannedStudy planned = plan();
  planned.samples = 8;
  const StudyEstimate eight = estimateStudy(planned);
  EXPECT_DOUBLE_EQ(*eight.seconds, 8 * *one.seconds);
  EXPECT_EQ(eight.memoryBytes, one.memoryBytes);
  const std::uint64_t values = (numerics::elementMetrics().all().size() + 1) * 8;
  EXPECT_EQ(eight.diskBytes, one.diskBytes + 3 * (1600 + 8 * values))
      << "three rows of one variant; tensors of the first sample alone";
}

TEST(StudyEstimate, WhatARunComputesBesideTakesTimeAndMemoryButIsNotCompared) {
  const StudyEstimate alone = estimateStudy(plan());
  PlannedStudy planned = plan();
  planned.runs[1].positions = 9;
  const StudyEstimate among = estimateStudy(planned);
  EXPECT_DOUBLE_EQ(*among.seconds, 10 * (6e8 / kAssumedFlops) + 2 * (101500 / kAssumedElements));
  EXPECT_EQ(among.elements, alone.elements);
  EXPECT_GT(among.memoryBytes, alone.memoryBytes);
  planned.backward = false;
  PlannedStudy forward = plan();
  forward.backward = false;
  EXPECT_EQ(estimateStudy(planned).memoryBytes, estimateStudy(forward).memoryBytes)
      << "no layer is kept";
}

TEST(StudyEstimate, RunsOfTheNoiseFloorCountAsOthersDo) {
  const StudyEstimate two = estimateStudy(plan());
  PlannedStudy planned = plan();
  planned.runs.insert(planned.runs.begin() + 1,
                      formatsOf(NumberFormat::Float64, NumberFormat::Float64));
  const StudyEstimate three = estimateStudy(planned);
  EXPECT_DOUBLE_EQ(*three.seconds, 1.5 * *two.seconds);
  EXPECT_EQ(three.diskBytes, two.diskBytes + std::uint64_t{3} * 1400 + std::uint64_t{101500} * 8);
  EXPECT_GT(three.memoryBytes, two.memoryBytes) << "weights and captures in float64";
}

TEST(StudyEstimate, MemoryHoldsTheReferenceBesideTheHungriestVariant) {
  const std::uint64_t base = std::uint64_t{200} << 20;
  const std::uint64_t reference = std::uint64_t{101500} * 4;
  const std::uint64_t variant =
      std::uint64_t{1000} * 4 + std::uint64_t{100000} * 2 + std::uint64_t{500} * 4;
  EXPECT_EQ(estimateStudy(plan()).memoryBytes, base + 8000000 + reference + variant);
}

TEST(StudyEstimate, RoundedWeightsLieBesideThoseThatAreLoaded) {
  PlannedStudy planned = plan();
  planned.runs[1] = planned.runs[0];
  const std::uint64_t before = estimateStudy(planned).memoryBytes;
  planned.runs[1] = formatsOf(NumberFormat::Mxfp8, NumberFormat::Float32);
  EXPECT_EQ(estimateStudy(planned).memoryBytes, before + 4 * planned.parameters);
}

TEST(StudyEstimate, BesideAGpuTheHostHoldsTheReferenceAndWeightsInFloat32) {
  PlannedStudy planned = plan();
  planned.onCpu = false;
  const std::uint64_t before = estimateStudy(planned).memoryBytes;
  planned.sites[1].count += 1000;
  EXPECT_EQ(estimateStudy(planned).memoryBytes, before + 4000);
  planned.parameters += 10;
  EXPECT_EQ(estimateStudy(planned).memoryBytes, before + 4040);
}

TEST(StudyEstimate, AForwardPassAloneHasNoGradientsAndAThirdOfTheOperations) {
  PlannedStudy planned = plan();
  planned.backward = false;
  const StudyEstimate forward = estimateStudy(planned);
  EXPECT_DOUBLE_EQ(*forward.seconds, 2 * (2e8 / kAssumedFlops + 101500 / kAssumedElements));
  EXPECT_EQ(estimateStudy(plan()).memoryBytes - forward.memoryBytes, 1000000U * 2U);
}

TEST(StudyEstimate, MicroBatchesTakeTimeAndWaitOnDiskButNotInMemory) {
  PlannedStudy planned = plan();
  planned.microBatches = 4;
  const StudyEstimate one = estimateStudy(plan());
  const StudyEstimate four = estimateStudy(planned);
  EXPECT_DOUBLE_EQ(*four.seconds, 4 * *one.seconds);
  EXPECT_EQ(four.elements, 4 * one.elements);
  EXPECT_EQ(four.memoryBytes, one.memoryBytes);
  EXPECT_EQ(four.diskBytes - one.diskBytes, 3U * 101500U * 4U);
}

TEST(StudyEstimate, TheStepOfAnOptimizerIsHeldForOneParameterAtATime) {
  PlannedStudy planned = plan();
  planned.runs[1].operations[Operation::Optimizer] = NumberFormat::BFloat16;
  const StudyEstimate before = estimateStudy(planned);
  for (const char* parameter : {"a", "b"}) {
    for (const char* tensor : {".exp_avg", ".update"}) {
      planned.sites.push_back(
          {{std::string(parameter) + tensor, "", 0, Level::Module, Pass::Optimizer}, 5000});
    }
  }
  const StudyEstimate after = estimateStudy(planned);
  EXPECT_EQ(after.memoryBytes - before.memoryBytes, 2U * 12U * 4U * 5000U) << "of both runs";
  constexpr std::uint64_t kElements = 5000;
  const std::uint64_t json = std::uint64_t{4} * 1400;
  const std::uint64_t reference = 4 * kElements * 4;
  const std::uint64_t variant = 2 * kElements * 2 + 2 * kElements * 4;
  EXPECT_EQ(after.diskBytes - before.diskBytes, json + reference + variant);
}

report::Report earlier(std::uint64_t elements) {
  report::Report report;
  report.provenance.seconds = 30;
  report.runs.resize(3);
  for (report::Run& run : report.runs) {
    run.status = report::RunStatus::Finished;
    run.peakBytes = 1000000000;
  }
  report.runs[1].comparisons.resize(1);
  report.runs[1].comparisons[0].count = elements;
  return report;
}

TEST(StudyEstimate, AnEarlierRunCalibratesIt) {
  const report::Report same = earlier(101500);
  const StudyEstimate estimate = estimateStudy(plan(), &same);
  EXPECT_TRUE(estimate.isCalibrated);
  EXPECT_DOUBLE_EQ(*estimate.seconds, 20);
  EXPECT_EQ(estimate.memoryBytes, 1000000000U);
  const report::Report half = earlier(50750);
  EXPECT_DOUBLE_EQ(*estimateStudy(plan(), &half).seconds, 40);
  EXPECT_EQ(estimateStudy(plan(), &half).memoryBytes, 1000000000U + 6U * 50750U);
}

TEST(StudyEstimate, AnEarlierRunOfSeveralSamplesCalibratesOneOfThem) {
  report::Report before = earlier(std::uint64_t{4} * 101500);
  for (report::Run& run : before.runs) {
    run.samples = 4;
  }
  EXPECT_DOUBLE_EQ(*estimateStudy(plan(), &before).seconds, 2 * 30.0 / 12);
  PlannedStudy planned = plan();
  planned.samples = 4;
  EXPECT_DOUBLE_EQ(*estimateStudy(planned, &before).seconds, 2 * 4 * 30.0 / 12);
}

TEST(StudyEstimate, ARunThatBrokeOffCalibratesNothing) {
  report::Report broken = earlier(101500);
  broken.runs[2].status = report::RunStatus::Cancelled;
  EXPECT_FALSE(estimateStudy(plan(), &broken).isCalibrated);
}

}  // namespace
}  // namespace ulp::analysis
