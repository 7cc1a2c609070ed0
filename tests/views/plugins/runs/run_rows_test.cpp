#include "views/plugins/runs/run_rows.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/window/model_checks.h"

namespace ulp::views {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

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

}  // namespace
}  // namespace ulp::views
