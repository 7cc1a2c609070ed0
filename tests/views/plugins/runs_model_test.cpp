#include "views/plugins/runs/runs_model.h"

#include <gtest/gtest.h>

#include "tests/support/model_checks.h"

namespace ulp::views {
namespace {

queue::JobStatePtr job(queue::JobId id, queue::JobStatus status) {
  auto state = std::make_shared<queue::JobState>();
  state->id = id;
  state->status = status;
  state->request.studyFile = "configs/study" + std::to_string(id) + ".yaml";
  return state;
}

queue::JobStatePtr runningJob() {
  auto state = std::make_shared<queue::JobState>(*job(2, queue::JobStatus::Running));
  state->runs = {{.name = QStringLiteral("reference"),
                  .status = report::RunStatus::Finished,
                  .loss = 2.5,
                  .seconds = 3},
                 {.name = QStringLiteral("bf16"), .status = report::RunStatus::Running},
                 {.name = QStringLiteral("fp16")}};
  state->currentRun = 1;
  state->phase = QStringLiteral("forward");
  state->site = QStringLiteral("model.layers.3");
  state->fraction = 0.42;
  state->etaSeconds = 75;
  state->elapsedSeconds = 60;
  return state;
}

TEST(RunsModel, ShowsNewestJobFirstWithItsRuns) {
  QueueModel model;
  const test::ModelChecks checks(&model);
  model.setContent(queueColumns(), queueRows({job(1, queue::JobStatus::Finished), runningJob()}));
  ASSERT_EQ(model.rowCount(), 5);
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  EXPECT_EQ(text(0, 0), QStringLiteral("study2.yaml"));
  EXPECT_EQ(text(0, 1), QStringLiteral("◐ running"));
  EXPECT_EQ(text(0, 2), QStringLiteral("42 %"));
  EXPECT_DOUBLE_EQ(model.index(0, 2).data(ProgressRole).toDouble(), 0.42);
  EXPECT_EQ(text(0, 3), QStringLiteral("1 min 15 s left"));
  EXPECT_EQ(text(1, 0).trimmed(), QStringLiteral("reference"));
  EXPECT_EQ(text(1, 3), QStringLiteral("3.00 s"));
  EXPECT_EQ(text(1, 4), QStringLiteral("2.500000"));
  EXPECT_EQ(text(2, 2), QStringLiteral("forward · model.layers.3"));
  EXPECT_EQ(text(3, 1), QStringLiteral("○ waiting"));
  EXPECT_EQ(text(3, 4), QString());
  EXPECT_EQ(text(4, 0), QStringLiteral("study1.yaml"));
}

TEST(RunsModel, ShowsWhyAJobFailed) {
  auto failed = std::make_shared<queue::JobState>(*job(1, queue::JobStatus::Failed));
  failed->error = QStringLiteral("out of memory");
  const auto rows = queueRows({failed});
  EXPECT_EQ((*rows)[0].severity, Severity::Broken);
  EXPECT_EQ((*rows)[0].progress, QStringLiteral("out of memory"));
}

TEST(RunsModel, EveryStateHasAWord) {
  for (const auto status : {queue::JobStatus::Queued,
                            queue::JobStatus::Running,
                            queue::JobStatus::Cancelling,
                            queue::JobStatus::Finished,
                            queue::JobStatus::Failed,
                            queue::JobStatus::Cancelled}) {
    EXPECT_FALSE((*queueRows({job(1, status)}))[0].state.isEmpty());
  }
}

}  // namespace
}  // namespace ulp::views
