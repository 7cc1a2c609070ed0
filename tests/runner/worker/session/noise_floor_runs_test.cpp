#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/summary/noise_floor.h"
#include "runner/worker/session/run_plan.h"
#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

using numerics::NumberFormat;
using numerics::Operation;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<PlannedRun> planned(const std::string& text) {
  const auto study = study::parseStudy("model: {path: m}\n" + text, "s.yaml");
  EXPECT_TRUE(study) << study.error().message();
  auto runs = planRuns(*study, {});
  EXPECT_TRUE(runs) << runs.error().message();
  auto floor = runs.value_or(std::vector<PlannedRun>{});
  std::erase_if(floor, [](const PlannedRun& run) { return run.role != report::RunRole::Floor; });
  return floor;
}

TEST(NoiseFloorRuns, RepeatIsTheReferenceOnceMore) {
  const auto runs = planned("reference: {precision.compute_dtype: bf16}\nnoise_floor: [repeat]");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].name, "floor.repeat");
  EXPECT_EQ(runs[0].role, report::RunRole::Floor);
  EXPECT_EQ(runs[0].precision.formats[Operation::Compute], NumberFormat::BFloat16);
  EXPECT_TRUE(runs[0].overrides.empty());
}

TEST(NoiseFloorRuns, OnCudaRepeatIsTheDefault) {
  const auto floorOf = [](const std::string& text, std::string_view device) {
    const auto study = study::parseStudy("model: {path: m}\n" + text, "s.yaml");
    EXPECT_TRUE(study) << study.error().message();
    std::vector<std::string> names;
    for (const PlannedRun& run : *planRuns(*study, {}, device)) {
      if (run.role == report::RunRole::Floor) {
        names.push_back(run.name);
      }
    }
    return names;
  };
  EXPECT_THAT(floorOf("", "cuda:1"), ElementsAre("floor.repeat"));
  EXPECT_THAT(floorOf("", "cpu"), ElementsAre());
  EXPECT_THAT(floorOf("noise_floor: []", "cuda:1"), ElementsAre());
  EXPECT_THAT(floorOf("noise_floor: [attention]", "cuda:1"), ElementsAre("floor.attention"));
  EXPECT_THAT(floorOf("variants: {floor.repeat: {}}", "cuda:1"), ElementsAre())
      << "the name is a variant's";
}

TEST(NoiseFloorRuns, Float64TakesTheWholeModelThere) {
  const auto runs = planned(
      "reference: {precision.lm_head_dtype: bf16, attention.implementation: eager}\n"
      "noise_floor: [float64]");
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].precision.formats[Operation::Compute], NumberFormat::Float64);
  EXPECT_FALSE(runs[0].precision.formats[Operation::LmHead]) << "follows";
  EXPECT_EQ(runs[0].precision.attention, engine::AttentionImplementation::Eager);
  EXPECT_THAT(runs[0].overrides, ElementsAre(std::pair("precision.compute_dtype", "float64")));
}

TEST(NoiseFloorRuns, AttentionIsAnotherThanTheReferences) {
  EXPECT_EQ(planned("noise_floor: [attention]")[0].precision.attention,
            engine::AttentionImplementation::Eager);
  EXPECT_EQ(planned("reference: {attention.implementation: eager}\nnoise_floor: [attention]")[0]
                .precision.attention,
            engine::AttentionImplementation::Sdpa);
}

TEST(NoiseFloorRuns, ThreadsAreOthersThanThoseInForce) {
  auto runs = planned("noise_floor: [threads]");
  ASSERT_TRUE(chooseFloorThreads(runs, 8, "cpu"));
  EXPECT_EQ(runs[0].precision.threads, 4);
  EXPECT_EQ(runs[0].settings.find("runtime.threads")->second.value, "4");
  runs = planned("noise_floor: [threads]");
  ASSERT_TRUE(chooseFloorThreads(runs, 1, "cpu"));
  EXPECT_EQ(runs[0].precision.threads, 2);
  const auto onGpu = chooseFloorThreads(runs, 1, "cuda:0");
  ASSERT_FALSE(onGpu);
  EXPECT_THAT(onGpu.error().message(), HasSubstr("threads changes nothing on cuda:0"));
  runs = planned("noise_floor: [threads]");
  EXPECT_TRUE(chooseFloorThreads(runs, 8, "cuda:0+cpu")) << "some layers are on the processor";
  EXPECT_EQ(runs[0].precision.threads, 4);
}

class NoiseFloorStudyTest : public StudyRunnerTest {};

TEST_F(NoiseFloorStudyTest, EveryRunIsComparedOnEverySample) {
  const auto result = run(study({"input.sequences=2", "noise_floor=[repeat, threads]"}));
  ASSERT_TRUE(result) << result.error().message();
  const report::Report& report = **result;
  ASSERT_EQ(report.runs.size(), 6U);
  EXPECT_EQ(report.runs[1].role, report::RunRole::Variant);
  EXPECT_EQ(report.runs[4].name, "floor.repeat");
  EXPECT_EQ(report.runs[4].role, report::RunRole::Floor);
  EXPECT_EQ(report.runs[4].samples, 2U);
  EXPECT_EQ(report.runs[5].overrides.at("runtime.threads"), "1");
  EXPECT_EQ(m_engine.log()->requests[5].plan.threads, 1);
  const report::NoiseFloor floor(report);
  const auto rmsRel = static_cast<std::size_t>(report.metricIndex("rms_rel"));
  EXPECT_EQ(floor.at(report.runs[1].comparisons[0].site, rmsRel), 0) << "the fake repeats itself";
  EXPECT_EQ(saved()->runs[4].role, report::RunRole::Floor);
}

TEST_F(NoiseFloorStudyTest, ReversedSequencesAreComparedInTheirOwnOrder) {
  const auto result = run(study({"input.micro_batch_size=3", "noise_floor=[batch_order]"}));
  ASSERT_TRUE(result) << result.error().message();
  const auto& requests = m_engine.log()->requests;
  ASSERT_EQ(requests.size(), 5U);
  const std::vector<std::int64_t>& ids = requests[0].microBatches.back().ids;
  EXPECT_THAT(std::vector<std::int64_t>(requests[4].microBatches.back().ids.begin(),
                                        requests[4].microBatches.back().ids.begin() + 6),
              testing::ElementsAreArray(ids.end() - 6, ids.end()));
  const auto rmsRel = static_cast<std::size_t>((*result)->metricIndex("rms_rel"));
  for (const report::Comparison& row : (*result)->runs[4].comparisons) {
    if (row.site.pass != Pass::ParameterGradient) {
      EXPECT_EQ(row.metrics[rmsRel], 0) << row.site.name;
    }
  }
}

TEST_F(NoiseFloorStudyTest, OneSequenceHasNoOrder) {
  const auto refused = study::parseStudy("model: {path: m}\nnoise_floor: [batch_order]", "s.yaml");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("needs input.micro_batch_size 2 or more"));
  m_folder.write("ids.json", "[[1,2,3]]");
  const auto file = run(study({"input.source=tokens",
                               "input.sequence_length=2",
                               "input.path=" + (m_folder / "ids.json").string(),
                               "noise_floor=[batch_order]"}));
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message(), HasSubstr("two sequences or more"));
}

TEST_F(NoiseFloorStudyTest, ItMayBeMeasuredLater) {
  ASSERT_TRUE(run(study()));
  const auto resumed = run(study({"noise_floor=[repeat]"}), {.existing = ExistingResults::Resume});
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(m_engine.log()->runs, 4 + 2);
  EXPECT_EQ(saved()->runs.back().name, "floor.repeat");
}

}  // namespace
}  // namespace ulp::worker
