#include "runner/queue/job_events.h"

#include <csignal>

#include <gtest/gtest.h>

namespace ulp::queue {
namespace {

JobState startedState() {
  JobState state;
  applyEvent(state, worker::StudyStarted{{"reference", "bf16"}, "runs/a", true});
  return state;
}

TEST(ApplyEvent, StudyStartedListsTheRunsAsPending) {
  const JobState state = startedState();
  ASSERT_EQ(state.runs.size(), 2U);
  EXPECT_EQ(state.runs[1].name, QStringLiteral("bf16"));
  EXPECT_EQ(state.runs[1].status, report::RunStatus::Pending);
  EXPECT_EQ(state.outputDir, "runs/a");
  EXPECT_TRUE(state.resumed);
}

TEST(ApplyEvent, ARunStartsAndFinishesWithItsNumbers) {
  JobState state = startedState();
  applyEvent(state, worker::RunStarted{"bf16", 1, 2});
  EXPECT_EQ(state.currentRun, 1);
  EXPECT_EQ(state.runs[1].status, report::RunStatus::Running);
  applyEvent(state, worker::RunFinished{"bf16", "finished", 2.5, 0.5, 77, ""});
  EXPECT_EQ(state.currentRun, -1);
  EXPECT_EQ(state.runs[1].status, report::RunStatus::Finished);
  EXPECT_DOUBLE_EQ(state.runs[1].loss, 2.5);
  EXPECT_EQ(state.runs[1].peakBytes, 77U);
}

TEST(ApplyEvent, ARunGoesOnWithItsNextSampleWhereItStopped) {
  JobState state = startedState();
  applyEvent(state, worker::RunStarted{.run = "bf16", .index = 1, .total = 4, .samples = 2});
  state.runs[1].elapsedSeconds = 1.5;
  state.runs[1].fraction = 0.5;
  applyEvent(state,
             worker::RunStarted{.run = "bf16", .index = 3, .total = 4, .sample = 1, .samples = 2});
  EXPECT_EQ(state.runs[1].elapsedSeconds, 1.5);
  EXPECT_EQ(state.runs[1].fraction, 0.5);
  applyEvent(state, worker::RunStarted{.run = "bf16", .index = 1, .total = 4, .samples = 2});
  EXPECT_EQ(state.runs[1].elapsedSeconds, 0) << "begins anew";
  EXPECT_EQ(state.runs[1].fraction, 0);
}

TEST(ApplyEvent, AFailedRunKeepsItsReason) {
  JobState state = startedState();
  applyEvent(state, worker::RunFinished{"bf16", "failed", 0, 0, 0, "out of memory"});
  EXPECT_EQ(state.runs[1].status, report::RunStatus::Failed);
  EXPECT_EQ(state.runs[1].error, QStringLiteral("out of memory"));
}

TEST(ApplyEvent, ARunThatWasNeverAnnouncedIsAdded) {
  JobState state = startedState();
  applyEvent(state, worker::RunStarted{"extra", 7, 9});
  ASSERT_EQ(state.runs.size(), 3U);
  EXPECT_EQ(state.currentRun, 2);
}

TEST(ApplyEvent, AStudyThatStartsAgainHasNoRunGoingOn) {
  JobState state = startedState();
  applyEvent(state, worker::RunStarted{"bf16", 1, 2});
  applyEvent(state, worker::StudyStarted{{"reference"}, "runs/a", true});
  EXPECT_EQ(state.currentRun, -1);
  worker::Progress progress{.run = "bf16", .phase = "forward", .fraction = 0.5};
  progress.runFraction = 0.5;
  applyEvent(state, progress);
  ASSERT_EQ(state.runs.size(), 1U);
  EXPECT_DOUBLE_EQ(state.runs[0].fraction, JobRun().fraction);
}

TEST(ApplyEvent, ProgressNeverFallsNorLeavesItsRange) {
  JobState state = startedState();
  applyEvent(state, worker::Progress{"bf16", "forward", "norm", 0.5, 3.0});
  applyEvent(state, worker::Progress{"bf16", "backward", "norm", 0.4, {}});
  EXPECT_DOUBLE_EQ(state.fraction, 0.5);
  EXPECT_EQ(state.phase, QStringLiteral("backward"));
  EXPECT_FALSE(state.etaSeconds);
  applyEvent(state, worker::Progress{"bf16", "backward", "norm", 7, {}});
  EXPECT_DOUBLE_EQ(state.fraction, 1);
}

TEST(ApplyEvent, EveryReportUpdateIsANewRevision) {
  JobState state = startedState();
  applyEvent(state, worker::ReportUpdated{"runs/a/precision_report.json"});
  applyEvent(state, worker::ReportUpdated{"runs/a/precision_report.json"});
  EXPECT_EQ(state.reportRevision, 2);
  EXPECT_EQ(state.reportPath, "runs/a/precision_report.json");
}

TEST(ApplyEvent, MemoryOfAHostIsThatOfTheWorker) {
  JobState state = startedState();
  applyEvent(state, worker::MemoryUse{100, 300});
  applyEvent(state, worker::MemoryUse{200, 300});
  ASSERT_TRUE(state.memory);
  EXPECT_EQ(state.memory->residentBytes, 200U);
  EXPECT_EQ(state.memory->peakBytes, 300U);
  EXPECT_EQ(state.memoryHistory, (QList<quint64>{100, 200}));
  EXPECT_EQ(state.logTotal, startedState().logTotal);
}

TEST(AppendLog, KeepsTheNewestLinesAndCountsAll) {
  JobState state;
  for (int i = 0; i < JobState::kLogLines + 10; ++i) {
    appendLog(state, QStringLiteral("info"), QString::number(i));
  }
  EXPECT_EQ(state.log.size(), JobState::kLogLines);
  EXPECT_EQ(state.logTotal, JobState::kLogLines + 10U);
  EXPECT_EQ(state.log.front().text, QStringLiteral("10"));
  EXPECT_EQ(state.log.back().text, QString::number(JobState::kLogLines + 9));
}

TEST(CloseOpenRun, TouchesOnlyTheRunThatWasGoingOn) {
  JobState state = startedState();
  applyEvent(state, worker::RunFinished{"reference", "finished", 1, 1, 0, ""});
  applyEvent(state, worker::RunStarted{"bf16", 1, 2});
  closeOpenRun(state, report::RunStatus::Failed, QStringLiteral("died"));
  EXPECT_EQ(state.runs[0].status, report::RunStatus::Finished);
  EXPECT_EQ(state.runs[1].status, report::RunStatus::Failed);
  EXPECT_EQ(state.runs[1].error, QStringLiteral("died"));
  EXPECT_EQ(state.currentRun, -1);
}

TEST(LineSplitter, JoinsPiecesToLines) {
  LineSplitter splitter;
  EXPECT_TRUE(splitter.feed("ab").isEmpty());
  EXPECT_EQ(splitter.feed("c\nd\n\nef"), (QList<QByteArray>{"abc", "d", ""}));
  EXPECT_EQ(splitter.rest(), QByteArray("ef"));
  EXPECT_TRUE(splitter.rest().isEmpty());
}

TEST(LineSplitter, DropsALineWithoutEndAndGoesOnAfterIt) {
  LineSplitter splitter;
  const QByteArray piece(LineSplitter::kLongestLine / 4, 'x');
  for (int i = 0; i < 40; ++i) {
    EXPECT_TRUE(splitter.feed(piece).isEmpty());
  }
  EXPECT_EQ(splitter.feed("tail\nnext\n"), QList<QByteArray>{"next"});
  EXPECT_EQ(splitter.dropped(), 1);
}

TEST(DescribeExit, SaysInWordsHowTheWorkerEnded) {
  EXPECT_EQ(describeExit({.code = 2}),
            QStringLiteral("the worker ended with exit code 2 (wrong use or bad input)"));
  const QString killed = describeExit({.crashed = true, .code = SIGKILL});
  EXPECT_TRUE(killed.contains(QStringLiteral("signal 9 (SIGKILL)"))) << killed.toStdString();
  EXPECT_TRUE(killed.contains(QStringLiteral("memory"))) << killed.toStdString();
  EXPECT_TRUE(describeExit({.crashed = true, .code = SIGSEGV}).contains(QStringLiteral("a crash")));
  EXPECT_TRUE(describeExit({.started = false, .startError = QStringLiteral("no such file")})
                  .contains(QStringLiteral("no such file")));
}

TEST(WorkerArguments, SayWhatTheRequestSays) {
  const JobRequest request{.studyFile = "a b.yaml",
                           .outputDir = "out",
                           .sets = {QStringLiteral("input.seed=1")},
                           .variants = {QStringLiteral("x"), QStringLiteral("y")},
                           .device = QStringLiteral("cpu"),
                           .threads = 2,
                           .existing = worker::ExistingResults::Resume};
  EXPECT_EQ(workerArguments(request).join(QLatin1Char('|')),
            QStringLiteral("run|a b.yaml|--progress|jsonl|--output|out|--set|input.seed=1|"
                           "--variant|x|--variant|y|--device|cpu|--threads|2|--resume|--control"));
}

TEST(WorkerArguments, KeepWhatFailedWithResumeAlone) {
  JobRequest request{.studyFile = "s.yaml", .keepsFailed = true};
  EXPECT_FALSE(workerArguments(request).contains(QStringLiteral("--keep-failed")));
  request.existing = worker::ExistingResults::Resume;
  EXPECT_EQ(workerArguments(request).join(QLatin1Char('|')),
            QStringLiteral("run|s.yaml|--progress|jsonl|--resume|--keep-failed|--control"));
}

TEST(WorkerArguments, LeaveOutWhatTheStudyDecides) {
  EXPECT_EQ(workerArguments({.studyFile = "s.yaml"}).join(QLatin1Char('|')),
            QStringLiteral("run|s.yaml|--progress|jsonl|--control"));
  EXPECT_TRUE(
      workerArguments({.studyFile = "s.yaml", .existing = worker::ExistingResults::Overwrite})
          .contains(QStringLiteral("--overwrite")));
}

TEST(WorkerArguments, NameTheHost) {
  JobRequest request{.studyFile = "s.yaml", .host = QStringLiteral("gpubox")};
  EXPECT_EQ(workerArguments(request).join(QLatin1Char('|')),
            QStringLiteral("run|s.yaml|--progress|jsonl|--control|--on|gpubox"));
  request.installs = true;
  EXPECT_TRUE(workerArguments(request).contains(QStringLiteral("--install")));
}

TEST(JobEvents, WorkersOnSeveralDevicesAreAtRunsOfTheirOwn) {
  JobState state;
  applyEvent(state, worker::StudyStarted{{"reference", "bf16", "fp16", "fp8"}, "out"});
  applyEvent(state, worker::RunStarted{.run = "bf16", .index = 1, .total = 4, .device = "cuda:0"});
  applyEvent(
      state,
      worker::RunStarted{.run = "fp16", .index = 2, .total = 4, .device = "cuda:1", .worker = 1});
  EXPECT_EQ(state.currentRun, 2);
  EXPECT_TRUE(state.isCurrent(1) && state.isCurrent(2) && !state.isCurrent(3));
  applyEvent(state,
             worker::Progress{.run = "bf16", .phase = "forward", .site = "a", .runFraction = 0.5});
  applyEvent(state,
             worker::Progress{.run = "fp16",
                              .phase = "backward",
                              .site = "b",
                              .runFraction = 0.75,
                              .runEtaSeconds = 3,
                              .worker = 1});
  // A reference that a worker runs for itself is no news of its own.
  applyEvent(
      state,
      worker::Progress{.run = "reference", .phase = "forward", .site = "c", .runFraction = 0.1});
  EXPECT_EQ(state.runs[1].fraction, 0.5);
  EXPECT_EQ(state.runs[1].site, QStringLiteral("a"));
  EXPECT_EQ(state.runs[2].fraction, 0.75);
  EXPECT_EQ(state.runs[2].phase, QStringLiteral("backward"));
  EXPECT_EQ(state.runs[2].etaSeconds, 3);
  EXPECT_LT(state.runs[0].fraction, 0);
  applyEvent(state, worker::RunFinished{.run = "fp16", .status = "finished"});
  EXPECT_EQ(state.currentRun, 1);
  EXPECT_FALSE(state.isCurrent(2));
  closeOpenRun(state, report::RunStatus::Cancelled, {});
  EXPECT_EQ(state.runs[1].status, report::RunStatus::Cancelled);
  EXPECT_FALSE(state.isCurrent(1));
}

TEST(JobEvents, TellWhetherTheHostAnswers) {
  JobState state;
  applyEvent(state, worker::Message{"warning", "lost", "lost"});
  EXPECT_TRUE(state.isDisconnected);
  applyEvent(state, worker::Message{"info", "of something else"});
  EXPECT_TRUE(state.isDisconnected);
  applyEvent(state, worker::Message{"info", "connected again", "made"});
  EXPECT_FALSE(state.isDisconnected);
}

TEST(JobEvents, AResumedStudyKnowsWhatIsFinishedAndWhatWasSkipped) {
  JobState state;
  state.request.expectedRuns = {{.name = QStringLiteral("reference"),
                                 .status = report::RunStatus::Finished,
                                 .loss = 2.5,
                                 .error = {}},
                                {.name = QStringLiteral("fp16"),
                                 .status = report::RunStatus::Failed,
                                 .error = QStringLiteral("no memory")}};
  expectRuns(state);
  applyEvent(
      state,
      worker::StudyStarted{{"reference", "bf16", "fp16"}, "out", true, {"reference"}, {"bf16"}});
  ASSERT_EQ(state.runs.size(), 3U);
  EXPECT_EQ(state.runs[0].status, report::RunStatus::Finished);
  EXPECT_DOUBLE_EQ(state.runs[0].loss, 2.5) << "known from the job before";
  EXPECT_EQ(state.runs[1].status, report::RunStatus::Skipped);
  EXPECT_EQ(state.runs[2].status, report::RunStatus::Pending) << "it is tried again";
  EXPECT_TRUE(state.runs[2].error.isEmpty());
}

TEST(JobEvents, AFailedRunStaysSoInAStudyThatGoesOnInANewProcess) {
  JobState state;
  applyEvent(state, worker::StudyStarted{{"reference", "bf16", "fp16"}, "out", false});
  applyEvent(state, worker::RunFinished{"reference", "finished", 2.5, 0, 0, ""});
  applyEvent(state, worker::RunFinished{"bf16", "failed", 0, 0, 0, "the device was lost"});
  applyEvent(state, worker::Progress{"", "load", "", 0.75, {}});
  applyEvent(state,
             worker::StudyStarted{
                 {"reference", "bf16", "fp16"}, "out", true, {"reference"}, {}, {"bf16"}});
  EXPECT_EQ(state.runs[0].status, report::RunStatus::Finished);
  EXPECT_DOUBLE_EQ(state.runs[0].loss, 2.5);
  EXPECT_EQ(state.runs[1].status, report::RunStatus::Failed);
  EXPECT_EQ(state.runs[1].error, QStringLiteral("the device was lost"));
  EXPECT_EQ(state.runs[2].status, report::RunStatus::Pending);
  EXPECT_DOUBLE_EQ(state.fraction, 0.75) << "it never falls";
}

TEST(JobEvents, ARunHasAProgressOfItsOwn) {
  JobState state;
  applyEvent(state, worker::StudyStarted{{"a", "b"}, "out", false});
  EXPECT_LT(state.runs[0].fraction, 0);
  applyEvent(state, worker::Progress{"a", "choose", "1/4", 0.1, {}, 0.25, 6.0});
  EXPECT_DOUBLE_EQ(state.runs[0].fraction, 0.25) << "before it has started";
  EXPECT_DOUBLE_EQ(state.runs[0].etaSeconds.value_or(0), 6);
  applyEvent(state, worker::RunStarted{"a", 0, 2, "cuda:0"});
  EXPECT_DOUBLE_EQ(state.runs[0].fraction, 0);
  EXPECT_FALSE(state.runs[0].etaSeconds.has_value());
  EXPECT_EQ(state.device, QStringLiteral("cuda:0"));
  applyEvent(state, worker::Progress{"a", "forward", "x", 0.25, {}, 0.5, 3.0});
  EXPECT_DOUBLE_EQ(state.runs[0].fraction, 0.5);
  EXPECT_DOUBLE_EQ(state.runs[0].etaSeconds.value_or(0), 3);
  EXPECT_LT(state.runs[1].fraction, 0);
  EXPECT_EQ(state.site, QStringLiteral("x"));
  applyEvent(state, worker::RunFinished{"a", "skipped", 0, 0, 0, ""});
  EXPECT_EQ(state.runs[0].status, report::RunStatus::Skipped);
  EXPECT_FALSE(state.runs[0].etaSeconds.has_value());
  applyEvent(state, worker::RunStarted{"b", 1, 2});
  EXPECT_TRUE(state.site.isEmpty()) << "that was the place of the run before";
}

TEST(JobEvents, TheHistoryOfTheMemoryIsBoundedAndCoversTheWholeRun) {
  JobState state;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    applyMemory(state, ProcessMemory{i, i});
  }
  EXPECT_LE(state.memoryHistory.size(), JobState::kMemorySamples);
  EXPECT_GE(state.memoryHistory.size(), JobState::kMemorySamples / 2);
  EXPECT_EQ(state.memoryHistory.front(), 0U);
  const auto step = state.memoryHistory[1];
  for (qsizetype i = 0; i < state.memoryHistory.size(); ++i) {
    EXPECT_EQ(state.memoryHistory[i], static_cast<quint64>(i) * step) << "at equal distances";
  }
  EXPECT_EQ(state.memory->residentBytes, 999U);
  applyMemory(state, std::nullopt);
  EXPECT_EQ(state.memory->residentBytes, 999U) << "a process that has ended tells nothing new";
}

TEST(JobEvents, TheLogTellsTheStepsOfAStudy) {
  JobState state;
  applyEvent(state, worker::StudyStarted{{"reference", "bf16"}, "out", false});
  applyEvent(state, worker::RunStarted{"bf16", 1, 2});
  applyEvent(state, worker::Progress{"bf16", "forward", "x", 0.25, {}});
  applyEvent(state, worker::RunFinished{"bf16", "failed", 0, 0, 0, "no memory"});
  ASSERT_EQ(state.log.size(), 3);
  EXPECT_EQ(state.log[1].text, QStringLiteral("run 2 of 2: bf16"));
  EXPECT_EQ(state.log[2].level, QStringLiteral("error"));
  EXPECT_EQ(state.log[2].text, QStringLiteral("bf16 failed: no memory"));
  EXPECT_TRUE(state.log[2].time.isValid());
}

}  // namespace
}  // namespace ulp::queue
