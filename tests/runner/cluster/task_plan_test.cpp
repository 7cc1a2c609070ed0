#include "runner/cluster/task_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Task> planned(const TaskRequest& request) {
  auto tasks = planTasks(request);
  EXPECT_TRUE(tasks) << tasks.error().message();
  return tasks ? *tasks : std::vector<Task>();
}

TEST(TaskPlan, MakesATaskOfEachRunWithTheReferenceOfTheFirst) {
  EXPECT_THAT(planned({.runs = {"bf16", "fp16"}}),
              ElementsAre(Task{{"bf16"}, 0, 1, true}, Task{{"fp16"}, 0, 1, false}));
}

TEST(TaskPlan, DividesSamplesIntoSharesAllRunsOfOneBeforeTheNext) {
  EXPECT_THAT(planned({.runs = {"a", "b"}, .samples = 5, .samplesPerTask = 2}),
              ElementsAre(Task{{"a"}, 0, 2, true},
                          Task{{"b"}, 0, 2, false},
                          Task{{"a"}, 2, 2, true},
                          Task{{"b"}, 2, 2, false},
                          Task{{"a"}, 4, 1, true},
                          Task{{"b"}, 4, 1, false}));
}

TEST(TaskPlan, MakesTheSharedReferenceFirst) {
  const auto tasks =
      planned({.runs = {"a"}, .samples = 4, .samplesPerTask = 3, .sharesReference = true});
  EXPECT_THAT(tasks,
              ElementsAre(Task{{}, 0, 3, true},
                          Task{{}, 3, 1, true},
                          Task{{"a"}, 0, 3, false},
                          Task{{"a"}, 3, 1, false}));
  EXPECT_EQ(referenceTasks(tasks), 2U);
}

TEST(TaskPlan, MakesTheReferenceAloneWhereThereIsNothingElse) {
  const auto tasks = planned({.runs = {}, .samples = 2, .samplesPerTask = 1});
  EXPECT_THAT(tasks, ElementsAre(Task{{}, 0, 1, true}, Task{{}, 1, 1, true}));
  EXPECT_EQ(referenceTasks(tasks), 0U);
}

TEST(TaskPlan, GivesATaskNoMoreSamplesThanThereAre) {
  EXPECT_THAT(planned({.runs = {"a"}, .samples = 3, .samplesPerTask = 1'000}),
              ElementsAre(Task{{"a"}, 0, 3, true}));
}

TEST(TaskPlan, RefusesMoreTasksThanAnArrayHas) {
  const auto tasks = planTasks({.runs = {"a", "b"}, .samples = kMostTasks, .samplesPerTask = 1});
  ASSERT_FALSE(tasks);
  EXPECT_EQ(tasks.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(tasks.error().message(), HasSubstr("--samples-per-task"));
}

TEST(TaskPlan, WritesNumbersAsSbatchTakesThem) {
  EXPECT_EQ(arrayText({0}), "0");
  EXPECT_EQ(arrayText({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(arrayText({}), "");
}

}  // namespace
}  // namespace ulp::cluster
