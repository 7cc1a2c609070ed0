// What a study does where its device is too small, or fails for good.

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

TEST_F(StudyRunnerTest, MemoryOfACudaDeviceIsCheckedBeforeTheFirstRun) {
  m_engine.config().devices = {
      {.id = "cpu", .name = "Fake CPU", .note = {}},
      {.id = "cuda:0", .name = "Fake GPU", .memoryBytes = 1U << 30U, .note = {}}};
  m_engine.config().freeBytes = 1000;
  std::vector<std::uint64_t> asked;
  RunOptions options{.device = "cuda", .forecastMemory = [&asked](std::uint64_t free) {
                       asked.push_back(free);
                       return MemoryForecast{.runs = {},
                                             .warning = free < 2000 ? "too little" : ""};
                     }};
  ASSERT_TRUE(run(study(), options));
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{1000}));
  const auto warned = [this] {
    return std::ranges::any_of(events<Message>(), [](const Message& message) {
      return message.level == "warning" && message.text == "cuda:0: too little";
    });
  };
  EXPECT_TRUE(warned());
  m_engine.config().freeBytes = 3000;
  options.existing = ExistingResults::Overwrite;
  ASSERT_TRUE(run(study(), options));
  EXPECT_FALSE(warned());
  options.device = "cpu";
  ASSERT_TRUE(run(study(), options));
  EXPECT_EQ(asked.size(), 2U) << "of the CPU nobody asks";
}

TEST_F(StudyRunnerTest, ALostDeviceEndsTheSessionAndTheRestIsMadeInAnother) {
  m_engine.config().losesDeviceIn = numerics::NumberFormat::BFloat16;
  const auto lost = run(study());
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code(), ErrorCode::Device);
  EXPECT_TRUE(std::get<StudyFinished>(m_events.back()).leavesRuns);
  EXPECT_EQ(m_engine.log()->runs, 2) << "no further run on this device";
  EXPECT_EQ(statusOf(*saved(), "bf16"), RunStatus::Failed);
  EXPECT_EQ(statusOf(*saved(), "bf16_fp32_head"), RunStatus::Pending);
  m_engine.config().losesDeviceIn.reset();
  m_engine.log()->isDeviceLost = false;
  const auto rest = run(study(), {.existing = ExistingResults::Resume, .keepsFailed = true});
  ASSERT_FALSE(rest);
  EXPECT_EQ(rest.error().code(), ErrorCode::Device);
  EXPECT_NE(rest.error().message().find("1 of 3 variants failed"), std::string::npos);
  EXPECT_EQ(events<StudyStarted>()[0].failed, (std::vector<std::string>{"bf16"}));
  EXPECT_EQ(statusOf(*saved(), "bf16"), RunStatus::Failed) << "it is not tried again";
  EXPECT_EQ(statusOf(*saved(), "bf16_fp32_head"), RunStatus::Finished);
  EXPECT_EQ(statusOf(*saved(), "fp16"), RunStatus::Finished);
  const auto again = run(study(), {.existing = ExistingResults::Resume});
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(statusOf(**again, "bf16"), RunStatus::Finished);
}

TEST_F(StudyRunnerTest, ADeviceThatTheLastRunLosesIsAnErrorOfThatRun) {
  m_engine.config().losesDeviceIn = numerics::NumberFormat::Float16;
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Device);
  EXPECT_EQ(statusOf(*saved(), "bf16"), RunStatus::Finished);
  EXPECT_EQ(statusOf(*saved(), "fp16"), RunStatus::Failed);
  EXPECT_FALSE(std::get<StudyFinished>(m_events.back()).leavesRuns);
  const auto again = run(study(), {.existing = ExistingResults::Resume, .keepsFailed = true});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::Device) << "nothing is left, and one failed";
  EXPECT_EQ(m_engine.log()->runs, 4);
}

TEST_F(StudyRunnerTest, ADeviceThatTheReferenceLosesEndsTheStudyAsItsError) {
  m_engine.config().losesDeviceIn = numerics::NumberFormat::Float32;
  const auto result = run(study());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Device);
  EXPECT_FALSE(std::get<StudyFinished>(m_events.back()).leavesRuns)
      << "another process would lose it as well";
  EXPECT_EQ(m_engine.log()->runs, 1);
}

}  // namespace
}  // namespace ulp::worker
