#include "runner/cluster/task_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ulp::cluster {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// As squeue 22.05.8 has printed them.
constexpr const char* kQueue = R"(7_[3-5,8%2]|PENDING||Dependency
7_0|RUNNING|vm|None
7_1|COMPLETING|node12|None
9|PENDING||Nodes required for job are DOWN, DRAINED or reserved | for higher priority
slurm_load_jobs error: something
|PENDING||None
12_[1-4|RUNNING
)";

TEST(TaskStates, ReadsTheQueueElementByElement) {
  const JobEntries entries = parseQueue(kQueue);
  EXPECT_EQ(entries.size(), 7U);
  for (const char* job : {"7_3", "7_4", "7_5", "7_8"}) {
    ASSERT_TRUE(entries.contains(job)) << job;
    EXPECT_EQ(entries.at(job).state, "PENDING");
    EXPECT_EQ(entries.at(job).reason, "Dependency");
  }
  EXPECT_EQ(entries.at("7_0").node, "vm");
  EXPECT_EQ(entries.at("7_0").reason, "");
  EXPECT_EQ(entries.at("9").reason,
            "Nodes required for job are DOWN, DRAINED or reserved | for higher priority");
}

TEST(TaskStates, ReadsNoMoreElementsThanAnArrayHas) {
  EXPECT_THAT(parseQueue("7_[0-99999999999]|PENDING||None\n7_[5-2]|PENDING||None\n"
                         "7_[1-2:0]|PENDING||x\n7_[-]|PENDING||x\n7_[]|PENDING||x"),
              IsEmpty());
  EXPECT_EQ(parseQueue("7_[2-8:3]|PENDING||None").size(), 3U);
}

TEST(TaskStates, ReadsAccountsOfJobsAndNotOfTheirSteps) {
  const JobEntries entries = parseAccounts(
      "7_0|COMPLETED|vm|0:0\n7_0.batch|COMPLETED|vm|0:0\n7_1|CANCELLED by 1000|vm|0:15\n"
      "7_2|TIMEOUT|None assigned|0:0\n7_[3-4]|PENDING|None "
      "assigned|0:0\n7_5|OUT_OF_ME+|vm|0:125\n");
  EXPECT_EQ(entries.size(), 6U);
  EXPECT_EQ(entries.at("7_1").state, "CANCELLED");
  EXPECT_EQ(entries.at("7_1").reason, "exit code 0:15");
  EXPECT_EQ(entries.at("7_2").node, "");
  EXPECT_EQ(entries.at("7_5").state, "OUT_OF_ME");
}

TEST(TaskStates, TheQueueDecidesBeforeTheFiles) {
  const TaskEnd cancelled{.exitCode = 130, .status = "cancelled", .error = "stopped"};
  // Preempted and queued again: how it ended before counts no more.
  const auto again =
      statusOf({.job = "7_1", .end = cancelled, .queued = JobEntry{"PENDING", "", "BeginTime"}});
  EXPECT_EQ(again.state, TaskState::Pending);
  EXPECT_EQ(again.reason, "BeginTime");
  EXPECT_EQ(statusOf({.job = "7_1", .queued = JobEntry{"RUNNING", "n1", ""}}).state,
            TaskState::Running);
}

TEST(TaskStates, SaysHowATaskEnded) {
  EXPECT_EQ(statusOf({.job = "7_1", .end = TaskEnd{.node = "n1"}}).state, TaskState::Done);
  const auto failed =
      statusOf({.job = "7_1", .end = TaskEnd{.exitCode = 3, .error = "out of memory"}});
  EXPECT_EQ(failed.state, TaskState::Failed);
  EXPECT_EQ(failed.reason, "out of memory");
  const auto late = statusOf({.job = "7_1", .account = JobEntry{"TIMEOUT", "n1", "exit code 0:1"}});
  EXPECT_EQ(late.state, TaskState::Failed);
  EXPECT_EQ(late.reason, "TIMEOUT, exit code 0:1");
  EXPECT_EQ(late.node, "n1");
  EXPECT_EQ(statusOf({.job = "7_1", .account = JobEntry{"COMPLETED", "", ""}}).reason,
            "it ended without a result");
}

TEST(TaskStates, KnowsWhatWasLostAndWhatIsNotKnown) {
  const auto lost = statusOf({.job = "7_1"});
  EXPECT_EQ(lost.state, TaskState::Failed);
  EXPECT_THAT(lost.reason, HasSubstr("left no result"));
  EXPECT_EQ(statusOf({.job = "7_1", .isQueueKnown = false}).state, TaskState::Pending);
  EXPECT_EQ(statusOf({}).state, TaskState::Waiting);
}

TEST(TaskStates, SumsUp) {
  const std::vector<TaskStatus> all{{.state = TaskState::Done},
                                    {.state = TaskState::Pending, .reason = "Resources"},
                                    {.state = TaskState::Pending, .reason = "Priority"},
                                    {.state = TaskState::Failed}};
  EXPECT_EQ(summaryOf(all), "2 pending (Priority, Resources), 1 failed, 1 done");
  ClusterRun run{.folder = "/runs/a",
                 .tasks = {{{"a"}, 0, 1}, {{"b"}, 0, 1}, {{"c"}, 0, 1}, {{}, 0, 1}}};
  const auto json = nlohmann::json::parse(statusJson(run, all));
  EXPECT_EQ(json["counts"]["pending"], 2);
  EXPECT_EQ(json["counts"]["running"], 0);
  EXPECT_EQ(json["tasks"][1]["reason"], "Resources");
  EXPECT_EQ(json["tasks"][3]["run"], "reference");
}

}  // namespace
}  // namespace ulp::cluster
