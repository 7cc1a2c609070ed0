#include "views/plugins/runs/job_rows.h"

#include <gtest/gtest.h>

#include "tests/support/window/model_checks.h"
#include "views/plugins/runs/run_text.h"

namespace ulp::views {
namespace {

queue::JobStatePtr job(queue::JobId id, queue::JobStatus status) {
  auto state = std::make_shared<queue::JobState>();
  state->id = id;
  state->status = status;
  state->request.studyFile = "configs/study" + std::to_string(id) + ".yaml";
  return state;
}

queue::JobState runningJob() {
  queue::JobState state = *job(2, queue::JobStatus::Running);
  state.fraction = 0.42;
  state.etaSeconds = 75;
  state.elapsedSeconds = 60;
  state.memory = queue::ProcessMemory{.residentBytes = 3U << 20, .peakBytes = 5U << 20};
  state.outputDir = "runs/two";
  return state;
}

TEST(JobRows, TellProgressTimesAndMemory) {
  JobsModel model;
  const test::ModelChecks checks(&model);
  model.setContent(jobColumns(),
                   jobRows({std::make_shared<const queue::JobState>(runningJob()),
                            job(1, queue::JobStatus::Queued)}));
  ASSERT_EQ(model.rowCount(), 2);
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  EXPECT_EQ(text(0, 0), QStringLiteral("study2.yaml"));
  EXPECT_EQ(model.index(0, 0).data(Qt::ToolTipRole).toString(),
            QStringLiteral("configs/study2.yaml"));
  EXPECT_EQ(text(0, 1), QStringLiteral("◐ running"));
  EXPECT_EQ(text(0, 2), QStringLiteral("42 %"));
  EXPECT_DOUBLE_EQ(model.index(0, 2).data(ProgressRole).toDouble(), 0.42);
  EXPECT_EQ(text(0, 3), QStringLiteral("1 min 15 s"));
  EXPECT_EQ(text(0, 4), QStringLiteral("1 min 00 s"));
  EXPECT_EQ(text(0, 5), QStringLiteral("3.0 MiB"));
  EXPECT_EQ(text(0, 6), QStringLiteral("runs/two"));
  EXPECT_EQ(text(1, 1), QStringLiteral("○ waiting"));
  for (const int column : {2, 3, 4, 5, 6}) {
    EXPECT_EQ(text(1, column), QStringLiteral("–")) << column << ": unknown is never 0";
  }
  EXPECT_FALSE(model.index(1, 2).data(ProgressRole).isValid());
}

TEST(JobRows, AnEndedJobShowsThePeakOfItsMemory) {
  queue::JobState state = runningJob();
  state.status = queue::JobStatus::Finished;
  const auto rows = jobRows({std::make_shared<const queue::JobState>(state)});
  EXPECT_DOUBLE_EQ((*rows)[0].memory, 5 << 20);
  EXPECT_LT((*rows)[0].left, 0);
}

TEST(JobRows, ADeadWorkerIsNoFailedStudy) {
  auto failed = std::make_shared<queue::JobState>(*job(1, queue::JobStatus::Failed));
  failed->error = QStringLiteral("out of memory\ndetails");
  EXPECT_EQ((*jobRows({failed}))[0].state, QStringLiteral("failed"));
  EXPECT_EQ((*jobRows({failed}))[0].severity, Severity::Broken);
  failed->death = QStringLiteral("the worker was ended by signal 9 (SIGKILL)");
  const auto rows = jobRows({failed});
  EXPECT_EQ((*rows)[0].state, QStringLiteral("died"));
  EXPECT_TRUE((*rows)[0].reason.contains(QStringLiteral("SIGKILL")));
  JobsModel model;
  model.setContent(jobColumns(), rows);
  EXPECT_EQ(model.index(0, 1).data(SeverityRole).toInt(), static_cast<int>(Severity::Broken));
  EXPECT_TRUE(model.index(0, 1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("SIG")));
}

TEST(JobRows, EveryStateHasAWord) {
  for (const auto status : {queue::JobStatus::Queued,
                            queue::JobStatus::Running,
                            queue::JobStatus::Cancelling,
                            queue::JobStatus::Finished,
                            queue::JobStatus::Failed,
                            queue::JobStatus::Cancelled}) {
    EXPECT_FALSE((*jobRows({job(1, status)}))[0].state.isEmpty());
  }
}

TEST(JobRows, LeaveAsNumbersWithUnits) {
  const auto rows = jobRows({std::make_shared<const queue::JobState>(runningJob())});
  const report::DataTable table = jobTable(*rows);
  ASSERT_EQ(table.rows.size(), 1U);
  ASSERT_EQ(table.columns.size(), table.rows[0].size());
  EXPECT_EQ(table.columns[3].unit, "s");
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][3]), 75);
  EXPECT_EQ(table.columns[5].unit, "bytes");
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][5]), 3 << 20);
}

TEST(RunText, OnlyWhatHasNotEndedCanBeSkippedAndNeverTheReference) {
  queue::JobState state = runningJob();
  state.runs = {
      {.name = QStringLiteral("reference"), .error = {}},
      {.name = QStringLiteral("bf16"), .status = report::RunStatus::Running, .error = {}},
      {.name = QStringLiteral("fp16"), .error = {}},
      {.name = QStringLiteral("fp8"), .status = report::RunStatus::Finished, .error = {}}};
  EXPECT_FALSE(canBeSkipped(state, state.runs[0]));
  EXPECT_TRUE(canBeSkipped(state, state.runs[1]));
  EXPECT_TRUE(canBeSkipped(state, state.runs[2]));
  EXPECT_FALSE(canBeSkipped(state, state.runs[3]));
  state.runs[2].isSkipAsked = true;
  EXPECT_FALSE(canBeSkipped(state, state.runs[2])) << "asking once is enough";
  state.status = queue::JobStatus::Cancelled;
  EXPECT_FALSE(canBeSkipped(state, state.runs[1]));
  EXPECT_TRUE(canBeResumed(state));
  state.status = queue::JobStatus::Finished;
  EXPECT_FALSE(canBeResumed(state));
}

}  // namespace
}  // namespace ulp::views
