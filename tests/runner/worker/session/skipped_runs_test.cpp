#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "runner/worker/session/skip_requests.h"
#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

TEST_F(StudyRunnerTest, AVariantThatRunsIsSkippedAndTheNextGoesOn) {
  auto skips = std::make_shared<SkipRequests>();
  m_engine.config().onSite = [&skips](int run, const Site& site) {
    if (run == 1 && site.name == "decoder.1" && site.pass == Pass::Forward) {
      skips->ask("bf16");
    }
  };
  const auto result = run(study(), {.skips = skips});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(statusOf(**result, "bf16"), RunStatus::Skipped);
  EXPECT_EQ(statusOf(**result, "bf16_fp32_head"), RunStatus::Finished);
  EXPECT_EQ(statusOf(**result, "fp16"), RunStatus::Finished);
  EXPECT_EQ(statusOf(*saved(), "bf16"), RunStatus::Skipped);
  EXPECT_TRUE(saved()->findRun("bf16")->error.empty());
  ASSERT_EQ(events<RunFinished>().size(), 4U);
  EXPECT_EQ(events<RunFinished>()[1].status, "skipped");
  EXPECT_EQ(std::get<StudyFinished>(m_events.back()).status, "finished");
  EXPECT_NE(readTextFile(out() / "events.jsonl")->find("skipped"), std::string::npos);
}

TEST_F(StudyRunnerTest, AWaitingVariantIsSkippedBeforeTheNextBegins) {
  auto skips = std::make_shared<SkipRequests>();
  skips->ask("bf16_fp32_head");
  skips->ask("reference");
  skips->ask("bf17");
  const auto result = run(study(), {.skips = skips});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(statusOf(**result, "reference"), RunStatus::Finished);
  EXPECT_EQ(statusOf(**result, "bf16_fp32_head"), RunStatus::Skipped);
  EXPECT_EQ(m_engine.log()->runs, 3);
  std::vector<std::string> warnings;
  for (const Message& message : events<Message>()) {
    if (message.level == "warning") {
      warnings.push_back(message.text);
    }
  }
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("reference"), std::string::npos);
  EXPECT_NE(warnings[1].find("bf17"), std::string::npos);
}

TEST_F(StudyRunnerTest, ResumingLeavesASkippedVariantOutUnlessItIsNamed) {
  auto skips = std::make_shared<SkipRequests>();
  skips->ask("fp16");
  ASSERT_TRUE(run(study(), {.skips = skips}));
  const auto resumed = run(study(), {.existing = ExistingResults::Resume});
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ(statusOf(**resumed, "fp16"), RunStatus::Skipped);
  EXPECT_EQ(events<StudyStarted>()[0].kept,
            (std::vector<std::string>{"reference", "bf16", "bf16_fp32_head"}));
  EXPECT_EQ(events<StudyStarted>()[0].skipped, (std::vector<std::string>{"fp16"}));
  const auto kept = run(
      study(), {.variants = {"fp16"}, .existing = ExistingResults::Resume, .keepsFailed = true});
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_EQ(statusOf(**kept, "fp16"), RunStatus::Skipped);
  const auto named = run(study(), {.variants = {"fp16"}, .existing = ExistingResults::Resume});
  ASSERT_TRUE(named) << named.error().message();
  EXPECT_EQ(statusOf(**named, "fp16"), RunStatus::Finished);
  EXPECT_EQ(statusOf(**named, "bf16"), RunStatus::Finished);
}

TEST_F(StudyRunnerTest, StoppingWinsOverSkipping) {
  auto skips = std::make_shared<SkipRequests>();
  m_engine.config().onSite = [&](int run, const Site& site) {
    if (run == 1 && site.name == "decoder.1") {
      m_stop.request_stop();
      skips->ask("bf16");
    }
  };
  const auto result = run(study(), {.skips = skips});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::Cancelled);
  EXPECT_EQ(statusOf(*saved(), "bf16"), RunStatus::Cancelled);
}

TEST_F(StudyRunnerTest, ASkippedFailureElsewhereKeepsItsOwnError) {
  auto skips = std::make_shared<SkipRequests>();
  m_engine.config().runErrors.emplace(2, Error(ErrorCode::OutOfMemory, "no 4 GiB left"));
  m_engine.config().onSite = [&skips](int run, const Site&) {
    if (run == 1) {
      skips->ask("bf16");
    }
  };
  const auto result = run(study(), {.skips = skips});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::OutOfMemory);
  EXPECT_NE(result.error().message().find("1 of 3"), std::string::npos) << result.error().message();
}

}  // namespace
}  // namespace ulp::worker
