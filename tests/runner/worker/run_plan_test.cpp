#include "runner/worker/run_plan.h"

#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

constexpr const char* kStudy = R"(
model: {path: model}
variants:
  bf16: {precision.compute_dtype: bfloat16}
  mixed:
    precision.compute_dtype: bfloat16
    precision.residual_dtype: float32
    precision.lm_head_dtype: float32
    precision.cast: module
    attention.implementation: eager
)";

study::Study parse(const std::string& text, const std::vector<std::string>& sets = {}) {
  auto study = study::parseStudy(text, "study.yaml", sets);
  EXPECT_TRUE(study) << study.error().message();
  return *study;
}

TEST(PlanRuns, TheReferenceComesFirstInFloat32) {
  const auto runs = *planRuns(parse(kStudy), {});
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].name, "reference");
  EXPECT_EQ(runs[0].precision.compute, DType::Float32);
  EXPECT_EQ(runs[0].precision.residual, DType::Float32);
  EXPECT_EQ(runs[0].precision.lmHead, DType::Float32);
}

TEST(PlanRuns, DTypesThatNobodySetFollowTheComputeDType) {
  const auto runs = *planRuns(parse(kStudy), {});
  EXPECT_EQ(runs[1].precision.compute, DType::BFloat16);
  EXPECT_EQ(runs[1].precision.residual, DType::BFloat16);
  EXPECT_EQ(runs[1].precision.lmHead, DType::BFloat16);
  EXPECT_EQ(runs[1].precision.cast, engine::Cast::Load);
  EXPECT_EQ(runs[1].precision.attention, engine::AttentionImplementation::Sdpa);
}

TEST(PlanRuns, EverySettingOfAVariantReachesItsPlan) {
  const auto runs = *planRuns(parse(kStudy), {});
  EXPECT_EQ(runs[2].precision.residual, DType::Float32);
  EXPECT_EQ(runs[2].precision.lmHead, DType::Float32);
  EXPECT_EQ(runs[2].precision.cast, engine::Cast::Module);
  EXPECT_EQ(runs[2].precision.attention, engine::AttentionImplementation::Eager);
  EXPECT_EQ(runs[2].overrides.at("precision.cast"), "module");
  EXPECT_EQ(runs[2].overrides.size(), 5U);
}

TEST(PlanRuns, MarksTheVariantsThatWereAskedFor) {
  const auto runs = *planRuns(parse(kStudy), {"mixed"});
  EXPECT_TRUE(runs[0].isChosen);
  EXPECT_FALSE(runs[1].isChosen);
  EXPECT_TRUE(runs[2].isChosen);
}

TEST(PlanRuns, NamesTheVariantsThatThereAre) {
  const auto runs = planRuns(parse(kStudy), {"bf17"});
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().code(), ErrorCode::NotFound);
  EXPECT_NE(runs.error().message().find("bf17"), std::string::npos);
  EXPECT_NE(runs.error().message().find("bf16, mixed"), std::string::npos);
}

TEST(FirstDifference, IsEmptyForTheSameStudy) {
  const auto runs = *planRuns(parse(kStudy), {});
  const std::string recorded = effectiveJson(runs);
  for (const PlannedRun& run : runs) {
    EXPECT_EQ(firstDifference(run, recorded), "");
  }
}

TEST(FirstDifference, NamesRunKeyAndBothValues) {
  const std::string recorded = effectiveJson(*planRuns(parse(kStudy), {}));
  const auto now = *planRuns(parse(kStudy, {"capture.level=layer"}), {});
  EXPECT_EQ(firstDifference(now[1], recorded), "bf16: capture.level was module, is now layer");
}

TEST(FirstDifference, PathsDeviceAndOutputFolderMayDiffer) {
  const std::string recorded = effectiveJson(*planRuns(parse(kStudy), {}));
  const auto now =
      *planRuns(parse(kStudy, {"model.path=elsewhere", "output_dir=there", "device=cpu"}), {});
  EXPECT_EQ(firstDifference(now[0], recorded), "");
}

TEST(FirstDifference, ARunWithoutARecordDiffers) {
  const auto runs = *planRuns(parse(kStudy), {});
  for (const char* recorded : {"", "{}", "[]", R"({"bf16": 3})"}) {
    EXPECT_NE(firstDifference(runs[1], recorded).find("not recorded"), std::string::npos)
        << recorded;
  }
  EXPECT_NE(firstDifference(runs[1], R"({"bf16": {"capture.level": {}}})").find("not recorded"),
            std::string::npos);
}

}  // namespace
}  // namespace ulp::worker
