#include <gtest/gtest.h>

#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

TEST_F(StudyRunnerTest, TheCopyOfTheStudyGivesTheRunAgain) {
  const study::Study first = study({"capture.level=layer", "variants.fp16.semantics=fast_llm"});
  ASSERT_TRUE(run(first, {.variants = {"fp16"}}));
  const std::string made = saved()->effectiveJson;
  const auto copy = study::loadStudy(out() / "study.yaml");
  ASSERT_TRUE(copy) << copy.error().message();
  EXPECT_EQ(copy->captureLevel, Level::Layer);
  ASSERT_EQ(copy->variants.size(), 1U);
  EXPECT_EQ(copy->variants[0].name, "fp16");
  ASSERT_TRUE(run(*copy, {.existing = ExistingResults::Resume}));
  EXPECT_EQ(saved()->findRun("bf16"), nullptr);
  // The whole study again: what the run folder has is kept, and so its text is of both.
  ASSERT_TRUE(run(first, {.existing = ExistingResults::Resume}));
  EXPECT_EQ(study::loadStudy(out() / "study.yaml")->variants.size(), 3U);
  ASSERT_TRUE(run(first, {.variants = {"fp16"}, .existing = ExistingResults::Resume}));
  EXPECT_EQ(study::loadStudy(out() / "study.yaml")->variants.size(), 3U);
}

}  // namespace
}  // namespace ulp::worker
