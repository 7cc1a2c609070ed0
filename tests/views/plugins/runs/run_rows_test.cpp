#include "views/plugins/runs/run_rows.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"
#include "tests/support/window/model_checks.h"
#include "views/plugins/runs/run_text.h"

namespace ulp::views {
namespace {

using test::kNan;

queue::JobRun run(const char* name, report::RunStatus status) {
  return {.name = QString::fromLatin1(name), .status = status, .loss = kNan, .error = {}};
}

queue::JobState runningJob() {
  queue::JobState state;
  state.status = queue::JobStatus::Running;
  state.runs = {run("reference", report::RunStatus::Finished),
                run("bf16", report::RunStatus::Running),
                run("fp16", report::RunStatus::Pending),
                run("fp8", report::RunStatus::Failed),
                run("int8", report::RunStatus::Skipped)};
  state.runs[0].loss = 2.5;
  state.runs[0].seconds = 3;
  state.runs[0].elapsedSeconds = 4;
  state.runs[0].peakBytes = 7U << 20;
  state.runs[1].fraction = 0.5;
  state.runs[1].etaSeconds = 2;
  state.runs[1].elapsedSeconds = 1.5;
  state.runs[3].error = QStringLiteral("no memory\nfor that");
  state.currentRun = 1;
  state.phase = QStringLiteral("forward");
  state.site = QStringLiteral("model.layers.3");
  return state;
}

class RunRowsTest : public testing::Test {
 protected:
  void show(const queue::JobState& job) { m_model.setContent(runColumns(), runRows(&job)); }
  [[nodiscard]] QString text(int row, int column, int role = Qt::DisplayRole) const {
    return m_model.index(row, column).data(role).toString();
  }

  RunsModel m_model;
  test::ModelChecks m_checks{&m_model};
};

TEST_F(RunRowsTest, TellOfEveryRunHowItGoes) {
  show(runningJob());
  ASSERT_EQ(m_model.rowCount(), 5);
  EXPECT_EQ(text(0, 1), QStringLiteral("● finished"));
  EXPECT_EQ(text(0, 4), QStringLiteral("4.00 s"));
  EXPECT_TRUE(text(0, 4, Qt::ToolTipRole).contains(QStringLiteral("3.00 s")));
  EXPECT_EQ(text(0, 5), QStringLiteral("2.500000"));
  EXPECT_EQ(text(0, 6), QStringLiteral("7.0 MiB"));
  EXPECT_EQ(text(1, 1), QStringLiteral("◐ running"));
  EXPECT_EQ(text(1, 2), QStringLiteral("50 %"));
  EXPECT_EQ(text(1, 7), QStringLiteral("forward · model.layers.3"));
  EXPECT_DOUBLE_EQ(m_model.index(1, 2).data(ProgressRole).toDouble(), 0.5);
  EXPECT_EQ(text(1, 3), QStringLiteral("2.00 s"));
  EXPECT_EQ(text(1, 4), QStringLiteral("1.50 s"));
  EXPECT_EQ(text(2, 1), QStringLiteral("○ waiting"));
  EXPECT_EQ(text(3, 1), QStringLiteral("■ failed"));
  EXPECT_EQ(text(3, 7), QStringLiteral("no memory"));
  EXPECT_TRUE(text(3, 7, Qt::ToolTipRole).contains(QStringLiteral("for that")));
  EXPECT_EQ(text(4, 1), QStringLiteral("◌ skipped"));
  for (const int column : {2, 3, 4, 5, 6, 7}) {
    EXPECT_EQ(text(2, column), QStringLiteral("–")) << column << ": unknown is never 0";
  }
}

TEST_F(RunRowsTest, ALossThatIsNoNumberIsAWordAndMarked) {
  queue::JobState job = runningJob();
  job.runs[0].loss = kNan;
  show(job);
  EXPECT_EQ(text(0, 5), QStringLiteral("NaN"));
  EXPECT_TRUE(m_model.index(0, 5).data(NonFiniteRole).toBool());
  job.runs[0].loss = -std::numeric_limits<double>::infinity();
  show(job);
  EXPECT_EQ(text(0, 5), QStringLiteral("−Inf"));
  EXPECT_FALSE(m_model.index(2, 5).data(NonFiniteRole).toBool()) << "waiting is not NaN";
}

TEST_F(RunRowsTest, ARunThatAnEarlierWorkerFinishedHasNoInventedNumbers) {
  queue::JobState job = runningJob();
  job.runs[0] = run("reference", report::RunStatus::Finished);
  show(job);
  EXPECT_EQ(text(0, 1), QStringLiteral("● finished"));
  for (const int column : {4, 5, 6}) {
    EXPECT_EQ(text(0, column), QStringLiteral("–")) << column;
  }
}

TEST_F(RunRowsTest, OfRunsOnSeveralSamplesOnlyTheOneThatHasItsTurnIsRunning) {
  queue::JobState job = runningJob();
  job.runs[2].status = report::RunStatus::Running;
  job.runs[2].fraction = 0.25;
  job.runs[2].elapsedSeconds = 2.5;
  show(job);
  EXPECT_EQ(text(1, 1), QStringLiteral("◐ running"));
  EXPECT_EQ(text(2, 1), QStringLiteral("○ waiting"));
  EXPECT_EQ(text(2, 2), QStringLiteral("25 %")) << "what it has done stays";
  EXPECT_EQ(text(2, 4), QStringLiteral("2.50 s"));
  EXPECT_EQ(text(2, 7), QStringLiteral("–"));
}

TEST_F(RunRowsTest, WhyARunEndedDoesNotRepeatItsName) {
  queue::JobState job = runningJob();
  job.runs[3].error = QStringLiteral("fp8: the study ended after 25 of 400 samples");
  show(job);
  EXPECT_EQ(text(3, 7), QStringLiteral("the study ended after 25 of 400 samples"));
}

TEST_F(RunRowsTest, WhatIsToBeSkippedSaysSo) {
  queue::JobState job = runningJob();
  job.runs[2].isSkipAsked = true;
  show(job);
  EXPECT_EQ(text(2, 1), QStringLiteral("◌ to be skipped"));
}

TEST_F(RunRowsTest, NothingRunsInAJobThatIsOver) {
  queue::JobState job = runningJob();
  job.status = queue::JobStatus::Cancelled;
  job.currentRun = -1;
  job.runs[1].status = report::RunStatus::Cancelled;
  show(job);
  EXPECT_FALSE(m_model.index(1, 2).data(ProgressRole).isValid());
  EXPECT_EQ(text(1, 1), QStringLiteral("▲ stopped"));
  EXPECT_EQ(text(1, 4), QStringLiteral("1.50 s"));
  EXPECT_EQ(text(2, 1), QStringLiteral("○ not run")) << "it no longer waits for anything";
  EXPECT_TRUE(runRows(nullptr)->empty());
}

TEST_F(RunRowsTest, LeaveAsNumbersWithUnits) {
  const queue::JobState job = runningJob();
  const report::DataTable table = runTable(QStringLiteral("a.yaml"), *runRows(&job));
  ASSERT_EQ(table.rows.size(), 5U);
  ASSERT_EQ(table.columns.size(), table.rows[0].size());
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][5]), 2.5);
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][6]), 7 << 20);
  EXPECT_NE(table.title.find("a.yaml"), std::string::npos);
}

queue::JobStatePtr job(queue::JobId id, queue::JobStatus status) {
  auto state = std::make_shared<queue::JobState>();
  state->id = id;
  state->status = status;
  state->request.studyFile = "configs/study" + std::to_string(id) + ".yaml";
  return state;
}

queue::JobState jobUnderWay() {
  queue::JobState state = *job(2, queue::JobStatus::Running);
  state.fraction = 0.42;
  state.etaSeconds = 75;
  state.elapsedSeconds = 60;
  state.memory = ProcessMemory{.residentBytes = 3U << 20, .peakBytes = 5U << 20};
  state.outputDir = "runs/two";
  return state;
}

TEST(JobRows, TellProgressTimesAndMemory) {
  RunsModel model;
  const test::ModelChecks checks(&model);
  model.setContent(jobColumns(),
                   jobRows({std::make_shared<const queue::JobState>(jobUnderWay()),
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
  queue::JobState state = jobUnderWay();
  state.status = queue::JobStatus::Finished;
  const auto rows = jobRows({std::make_shared<const queue::JobState>(state)});
  EXPECT_DOUBLE_EQ((*rows)[0].memory.value(), 5 << 20);
  EXPECT_FALSE((*rows)[0].left);
}

TEST(JobRows, ADeadWorkerIsNoFailedStudy) {
  auto failed = std::make_shared<queue::JobState>(*job(1, queue::JobStatus::Failed));
  failed->error = QStringLiteral("out of memory\ndetails");
  EXPECT_EQ((*jobRows({failed}))[0].state.word, QStringLiteral("failed"));
  EXPECT_EQ((*jobRows({failed}))[0].state.severity, Severity::Broken);
  failed->death = QStringLiteral("the worker was ended by signal 9 (SIGKILL)");
  const auto rows = jobRows({failed});
  EXPECT_EQ((*rows)[0].state.word, QStringLiteral("died"));
  EXPECT_TRUE((*rows)[0].reason.contains(QStringLiteral("SIGKILL")));
  RunsModel model;
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
    EXPECT_FALSE((*jobRows({job(1, status)}))[0].state.word.isEmpty());
  }
}

TEST(JobRows, LeaveAsNumbersWithUnits) {
  const auto rows = jobRows({std::make_shared<const queue::JobState>(jobUnderWay())});
  const report::DataTable table = jobTable(*rows);
  ASSERT_EQ(table.rows.size(), 1U);
  ASSERT_EQ(table.columns.size(), table.rows[0].size());
  EXPECT_EQ(table.columns[3].unit, "s");
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][3]), 75);
  EXPECT_EQ(table.columns[5].unit, "bytes");
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][5]), 3 << 20);
}

TEST(RunText, OnlyWhatHasNotEndedCanBeSkippedAndNeverTheReference) {
  queue::JobState state = jobUnderWay();
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
