#include "runner/queue/job_queue.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <sys/wait.h>
#include <thread>

#include <gtest/gtest.h>

#include <QtCore/QElapsedTimer>
#include <QtCore/QProcess>
#include <QtTest/QSignalSpy>

#include "runner/worker/events/events.h"
#include "tests/runner/queue/fake_nvml.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/wait_for.h"

namespace ulp::queue {
namespace {

class JobQueueTest : public testing::Test {
 protected:
  static QString worker() {
    return QStringLiteral(ULP_BINARY_DIR) + QStringLiteral("/tests/queue_fake_worker");
  }

  JobRequest study(const std::string& script) {
    const auto file = m_folder.write("study" + std::to_string(m_count++) + ".txt", script);
    return {.studyFile = file};
  }

  static JobStatePtr waitUntilOver(JobQueue& queue, JobId id) {
    EXPECT_TRUE(test::waitFor([&] { return queue.state(id)->isOver(); }));
    return queue.state(id);
  }

  static bool waitForLog(JobQueue& queue, JobId id, const QString& text) {
    return test::waitFor([&] {
      return std::ranges::any_of(queue.state(id)->log,
                                 [&](const LogLine& line) { return line.text.contains(text); });
    });
  }

  pid_t pidFrom(const std::string& name) {
    pid_t pid = 0;
    EXPECT_TRUE(
        test::waitFor([&] { return static_cast<bool>(std::ifstream(m_folder / name) >> pid); }));
    return pid;
  }

  test::TempDir m_folder;
  int m_count = 0;
};

TEST_F(JobQueueTest, FollowsAStudyToItsEnd) {
  JobQueue queue(worker());
  QSignalSpy finished(&queue, &JobQueue::jobFinished);
  QSignalSpy updated(&queue, &JobQueue::reportUpdated);
  const JobId id = queue.enqueue(
      study("started reference bf16\nrun reference 0 2\nprogress 0.25\nfinish reference\n"
            "report out/precision_report.json\nrun bf16 1 2\nprogress 0.75\nfinish bf16\n"
            "report out/precision_report.json\ndone\n"));
  EXPECT_EQ(queue.state(id)->status, JobStatus::Queued);
  EXPECT_TRUE(queue.isBusy());
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_EQ(state->status, JobStatus::Finished) << state->error.toStdString();
  EXPECT_EQ(state->exitCode, 0);
  EXPECT_EQ(state->runs.size(), 2U);
  EXPECT_EQ(state->runs[1].status, report::RunStatus::Finished);
  EXPECT_DOUBLE_EQ(state->fraction, 1);
  EXPECT_EQ(state->reportPath, "out/precision_report.json");
  EXPECT_EQ(state->reportRevision, 2);
  EXPECT_GE(updated.count(), 1);
  EXPECT_EQ(finished.count(), 1);
  EXPECT_FALSE(queue.isBusy());
}

TEST_F(JobQueueTest, TellsTheWorkerWhatTheRequestSays) {
  JobQueue queue(worker());
  JobRequest request = study("args\nstarted a\ndone\n");
  request.outputDir = m_folder / "out";
  request.existing = worker::ExistingResults::Overwrite;
  const JobId id = queue.enqueue(request);
  waitUntilOver(queue, id);
  EXPECT_TRUE(waitForLog(queue, id, QStringLiteral("--progress|jsonl|--output")));
  EXPECT_TRUE(waitForLog(queue, id, QStringLiteral("|--overwrite")));
}

TEST_F(JobQueueTest, RunsJobsInTheirOrderOneAtATime) {
  JobQueue queue(worker());
  std::vector<JobId> order;
  QObject::connect(&queue, &JobQueue::jobFinished, &queue, [&](const JobStatePtr& state) {
    order.push_back(state->id);
    for (const JobStatePtr& other : queue.states()) {
      EXPECT_TRUE(other->id <= state->id || other->status == JobStatus::Queued);
    }
  });
  std::vector<JobId> ids;
  for (int i = 0; i < 4; ++i) {
    ids.push_back(queue.enqueue(study("started a\nsleep 30\ndone\n")));
  }
  for (const JobId id : ids) {
    EXPECT_EQ(waitUntilOver(queue, id)->status, JobStatus::Finished);
  }
  EXPECT_EQ(order, ids);
}

TEST_F(JobQueueTest, ACancelledWorkerStopsInOrder) {
  JobQueue queue(worker());
  const JobId id = queue.enqueue(study("started a b\nrun a 0 2\nsay ready\nsleep 60000\n"));
  ASSERT_TRUE(waitForLog(queue, id, QStringLiteral("ready")));
  queue.cancel(id);
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_EQ(state->status, JobStatus::Cancelled);
  EXPECT_EQ(state->exitCode, 130);
  EXPECT_TRUE(state->error.isEmpty()) << "a wish that was granted is no error";
  EXPECT_EQ(state->runs[0].status, report::RunStatus::Cancelled);
  EXPECT_EQ(state->runs[1].status, report::RunStatus::Pending);
}

TEST_F(JobQueueTest, CancelsAResponsiveWorkerByTheFirstSignalAtOnce) {
  // So patient that only a worker that is asked at once, and listens, ends within the test.
  JobQueue queue(worker(),
                 {.terminateMs = 10 * test::kPatienceMs, .killMs = 10 * test::kPatienceMs});
  const JobId id = queue.enqueue(study("started a\nsay ready\nsleep 600000\n"));
  ASSERT_TRUE(waitForLog(queue, id, QStringLiteral("ready")));
  queue.cancel(id);
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_EQ(state->status, JobStatus::Cancelled);
  EXPECT_EQ(state->exitCode, 130);
}

TEST_F(JobQueueTest, SaysThatItCancelsWhileTheWorkerGoesOn) {
  JobQueue queue(worker(),
                 {.terminateMs = 10 * test::kPatienceMs, .killMs = 10 * test::kPatienceMs});
  const std::string pidFile = (m_folder / "pid").string();
  const JobId id = queue.enqueue(study("deaf INT\npid " + pidFile + "\nsay ready\nsleep 600000\n"));
  ASSERT_TRUE(waitForLog(queue, id, QStringLiteral("ready")));
  queue.cancel(id);
  EXPECT_TRUE(test::waitFor([&] { return queue.state(id)->status == JobStatus::Cancelling; }));
  // The queue would leave it to itself for as long as it is patient.
  ASSERT_EQ(::kill(pidFrom("pid"), SIGKILL), 0);
  waitUntilOver(queue, id);
}

TEST_F(JobQueueTest, TellsADeafWorkerMoreFirmly) {
  JobQueue queue(worker(), {.terminateMs = 100, .killMs = 5000});
  const JobId id = queue.enqueue(study("deaf INT\nsay ready\nsleep 60000\n"));
  ASSERT_TRUE(waitForLog(queue, id, QStringLiteral("ready")));
  queue.cancel(id);
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_EQ(state->status, JobStatus::Cancelled);
  EXPECT_EQ(state->exitCode, 130) << "ended by SIGTERM, still in order";
}

TEST_F(JobQueueTest, KillsAWorkerThatListensToNothing) {
  JobQueue queue(worker(), {.terminateMs = 100, .killMs = 100});
  const JobId id = queue.enqueue(study("deaf INT\ndeaf TERM\nsay ready\nsleep 60000\n"));
  ASSERT_TRUE(waitForLog(queue, id, QStringLiteral("ready")));
  queue.cancel(id);
  EXPECT_TRUE(test::waitFor([&] { return queue.state(id)->status != JobStatus::Running; }));
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_EQ(state->status, JobStatus::Cancelled);
  EXPECT_EQ(state->exitCode, -1);
}

TEST_F(JobQueueTest, CancelsAWaitingJobWithoutStartingIt) {
  JobQueue queue(worker());
  const JobId first = queue.enqueue(study("started a\nsleep 60000\n"));
  const JobId second = queue.enqueue(study("pid " + (m_folder / "second").string() + "\n"));
  queue.cancel(second);
  EXPECT_EQ(waitUntilOver(queue, second)->status, JobStatus::Cancelled);
  EXPECT_FALSE(queue.state(first)->isOver());
  queue.cancel(first);
  waitUntilOver(queue, first);
  EXPECT_FALSE(std::filesystem::exists(m_folder / "second"));
}

TEST_F(JobQueueTest, CancelAllEndsEverything) {
  JobQueue queue(worker());
  std::vector<JobId> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(queue.enqueue(study("started a\nsleep 60000\n")));
  }
  queue.cancelAll();
  for (const JobId id : ids) {
    EXPECT_EQ(waitUntilOver(queue, id)->status, JobStatus::Cancelled);
  }
}

TEST_F(JobQueueTest, AKilledWorkerFailsWithSignalAndLastMessages) {
  JobQueue queue(worker());
  const std::string pidFile = (m_folder / "pid").string();
  const JobId id = queue.enqueue(
      study("started a\nrun a 0 1\nsay allocating\npid " + pidFile + "\nsleep 60000\n"));
  ASSERT_TRUE(waitForLog(queue, id, QStringLiteral("allocating")));
  ASSERT_EQ(::kill(pidFrom("pid"), SIGKILL), 0);
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_EQ(state->status, JobStatus::Failed);
  EXPECT_TRUE(state->error.contains(QStringLiteral("signal 9"))) << state->error.toStdString();
  EXPECT_TRUE(state->error.contains(QStringLiteral("allocating"))) << state->error.toStdString();
  EXPECT_EQ(state->runs[0].status, report::RunStatus::Failed);
  EXPECT_EQ(state->exitCode, -1);
}

TEST_F(JobQueueTest, ACrashLeavesTheQueueReadyForTheNextJob) {
  JobQueue queue(worker());
  // SIGABRT, which AddressSanitizer leaves alone.
  const JobId crash = queue.enqueue(study("started a\nraise 6\n"));
  const JobId good = queue.enqueue(study("started a\ndone\n"));
  EXPECT_EQ(waitUntilOver(queue, crash)->status, JobStatus::Failed);
  EXPECT_TRUE(queue.state(crash)->error.contains(QStringLiteral("a crash")));
  EXPECT_EQ(waitUntilOver(queue, good)->status, JobStatus::Finished);
}

TEST_F(JobQueueTest, AnExitCodeIsSaidInWords) {
  JobQueue queue(worker());
  const JobId id = queue.enqueue(study("say study.yaml:3:5: unknown key\nexit 2\n"));
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_EQ(state->status, JobStatus::Failed);
  EXPECT_EQ(state->exitCode, 2);
  EXPECT_TRUE(state->error.contains(QStringLiteral("bad input")));
  EXPECT_TRUE(state->error.contains(QStringLiteral("study.yaml:3:5")));
}

TEST_F(JobQueueTest, AWorkerWithoutAResultFails) {
  JobQueue queue(worker());
  const JobId id = queue.enqueue(study("started a\n"));
  EXPECT_EQ(waitUntilOver(queue, id)->status, JobStatus::Failed);
  EXPECT_FALSE(queue.state(id)->error.isEmpty());
}

TEST_F(JobQueueTest, GarbageDoesNoHarm) {
  JobQueue queue(worker());
  std::string script = "started a\nbytes 5000000\nline\n";
  for (int i = 0; i < 30; ++i) {
    script += "line {\"event\": \xff\xfe}\nline [1,2\nline {\"event\":\"unheard_of\"}\n";
  }
  script +=
      "line {\"event\":\"progress\",\"fraction\":\"x\"}\nline {\"event\":\"study_started\","
      "\"schema\":\"ulpscope.events/9\"}\nrun a 0 1\nfinish a\ndone\n";
  const JobId id = queue.enqueue(study(script));
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_EQ(state->status, JobStatus::Finished) << state->error.toStdString();
  EXPECT_EQ(state->runs[0].status, report::RunStatus::Finished);
  EXPECT_LT(state->logTotal, 60U);
}

TEST_F(JobQueueTest, AMissingWorkerIsNamed) {
  JobQueue queue(QStringLiteral("/nonexistent/ulpscope-cli"));
  const JobId id = queue.enqueue(study(""));
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_EQ(state->status, JobStatus::Failed);
  EXPECT_TRUE(state->error.contains(QStringLiteral("/nonexistent/ulpscope-cli")));
}

TEST_F(JobQueueTest, ManyEventsAreDeliveredAsFewStates) {
  JobQueue queue(worker());
  QSignalSpy changed(&queue, &JobQueue::jobChanged);
  std::string script = "started a\nrun a 0 1\n";
  for (int i = 0; i < 2000; ++i) {
    script += "progress " + std::to_string(i / 2000.0) + "\n";
    script += i % 500 == 0 ? "sleep 20\n" : "";
  }
  QElapsedTimer timer;
  timer.start();
  const JobId id = queue.enqueue(study(script + "done\n"));
  waitUntilOver(queue, id);
  EXPECT_LE(changed.count(), timer.elapsed() / 50 + 4);
}

TEST_F(JobQueueTest, NothingOfAForgottenJobArrives) {
  JobQueue queue(worker());
  const JobId old = queue.enqueue(study("started a\nsay ready\nsleep 60000\n"));
  ASSERT_TRUE(waitForLog(queue, old, QStringLiteral("ready")));
  queue.forget(old);
  EXPECT_EQ(queue.state(old), nullptr);
  bool named = false;
  const auto watch = [&](const JobStatePtr& state) { named = named || state->id == old; };
  QObject::connect(&queue, &JobQueue::jobChanged, &queue, watch);
  QObject::connect(&queue, &JobQueue::jobFinished, &queue, watch);
  const JobId next = queue.enqueue(study("started a\ndone\n"));
  EXPECT_EQ(waitUntilOver(queue, next)->status, JobStatus::Finished);
  EXPECT_FALSE(named);
}

TEST_F(JobQueueTest, DestroyingTheQueueEndsTheWorker) {
  const std::string pidFile = (m_folder / "pid").string();
  pid_t pid = 0;
  {
    JobQueue queue(worker());
    queue.enqueue(study("started a\npid " + pidFile + "\nsleep 60000\n"));
    queue.enqueue(study("pid " + (m_folder / "second").string() + "\n"));
    pid = pidFrom("pid");
    ASSERT_GT(pid, 0);
  }
  EXPECT_EQ(::kill(pid, 0), -1) << "the worker still lives";
  EXPECT_FALSE(std::filesystem::exists(m_folder / "second"));
}

/// Waits for a process that the queue left to itself, and gives what waitpid() says of its end.
int endOf(pid_t worker) {
  int status = 0;
  EXPECT_TRUE(test::waitFor([&] { return ::waitpid(worker, &status, WNOHANG) == worker; }));
  return status;
}

TEST_F(JobQueueTest, DestroyingTheQueueWaitsForNoWorkerThatDoesNotEnd) {
  const std::string pidFile = (m_folder / "pid").string();
  for (const bool isStopped : {false, true}) {
    std::filesystem::remove(pidFile);
    auto queue =
        std::make_unique<JobQueue>(worker(), CancelPatience{.terminateMs = 100, .killMs = 200});
    queue->enqueue(study("deaf TERM\nstarted a\npid " + pidFile + "\nsleep 600000\n"));
    const pid_t pid = pidFrom("pid");
    ASSERT_GT(pid, 0);
    if (isStopped) {
      ASSERT_EQ(::kill(pid, SIGSTOP), 0);
    }
    QElapsedTimer timer;
    timer.start();
    queue.reset();
    EXPECT_LT(timer.elapsed(), 10'000) << "the worker sleeps for ten";
    const int status = endOf(pid);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
  }
}

/// A worker that says that it computes on a GPU, and then goes on for a minute.
std::string studyOnGpu(const std::vector<std::string>& gpus = {}) {
  return "started a\nline " +
         worker::toJsonLine(
             worker::RunStarted{.run = "a", .total = 1, .device = "cuda:0", .gpus = gpus}) +
         "\nsay ready\nsleep 60000\n";
}

TEST_F(JobQueueTest, TellsWhatTheWorkerUsesOfItsGpu) {
  const FakeNvml driver;
  JobQueue queue(worker());
  const JobId id = queue.enqueue(study(studyOnGpu()));
  ASSERT_TRUE(test::waitFor([&] { return queue.state(id)->gpu.has_value(); }));
  EXPECT_EQ(queue.state(id)->gpu->usedBytes, 3000U);
  EXPECT_EQ(queue.state(id)->gpu->totalBytes, 8000U);
}

TEST_F(JobQueueTest, KnowsDifferentGpusAsTheWorkerTellsThem) {
  FakeNvml driver;
  driver.rename("T400", "H200");
  JobQueue queue(worker());
  EXPECT_TRUE(queue.gpus().empty());
  int told = 0;
  QObject::connect(&queue, &JobQueue::gpusTold, [&told] { ++told; });
  const std::vector<std::string> gpus{"GPU-bb22", "GPU-aa11"};
  const JobId first = queue.enqueue(study(studyOnGpu(gpus)));
  ASSERT_TRUE(test::waitFor([&] { return queue.state(first)->gpu.has_value(); }));
  EXPECT_EQ(queue.state(first)->gpu->totalBytes, 9000U);
  EXPECT_EQ(queue.gpus(), gpus);
  queue.cancel(first);
  waitUntilOver(queue, first);
  const JobId second = queue.enqueue(study(studyOnGpu(gpus)));
  ASSERT_TRUE(test::waitFor([&] { return queue.state(second)->gpu.has_value(); }));
  EXPECT_EQ(told, 1);
}

TEST_F(JobQueueTest, ADriverThatDoesNotAnswerHoldsUpNothing) {
  FakeNvml driver;
  driver.hang(true);
  auto queue = std::make_unique<JobQueue>(worker());
  const JobId first = queue->enqueue(study(studyOnGpu()));
  ASSERT_TRUE(test::waitFor([&] { return driver.questions() == 1; }));
  QElapsedTimer timer;
  timer.start();
  queue->cancel(first);
  EXPECT_EQ(waitUntilOver(*queue, first)->status, JobStatus::Cancelled);
  const JobId second = queue->enqueue(study(studyOnGpu()));
  EXPECT_TRUE(waitForLog(*queue, second, QStringLiteral("ready")));
  queue.reset();
  EXPECT_LT(timer.elapsed(), 30'000) << "the driver hangs for a minute";
  EXPECT_EQ(driver.questions(), 1) << "nobody is asked who has not answered";
}

TEST_F(JobQueueTest, WhatADriverSaidLastIsMarkedAsOldUntilItAnswersAgain) {
  FakeNvml driver;
  JobQueue queue(worker());
  const JobId id = queue.enqueue(study(studyOnGpu()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return queue.state(id)->gpu.has_value(); }, test::kPatienceMs));
  EXPECT_FALSE(queue.state(id)->isUseStale);
  driver.hang(true);
  ASSERT_TRUE(waitForLog(queue, id, QStringLiteral("The GPU's driver does not answer")));
  driver.hang(false);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !queue.state(id)->isUseStale; }, test::kPatienceMs));
}

TEST_F(JobQueueTest, AWorkerThatTakesItsTimeEndsInOrderBehindTheQueue) {
  const std::string pidFile = (m_folder / "pid").string();
  pid_t pid = 0;
  {
    JobQueue queue(worker(), {.terminateMs = 100, .killMs = 10 * test::kPatienceMs});
    queue.enqueue(study("deaf TERM\nstarted a\npid " + pidFile + "\nsleep 900\nexit 7\n"));
    pid = pidFrom("pid");
    ASSERT_GT(pid, 0);
  }
  const int status = endOf(pid);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(JobQueueTest, SurvivesFiftyStartsAndCancels) {
  JobQueue queue(worker());
  for (int i = 0; i < 50; ++i) {
    const JobId id = queue.enqueue(study("started a\nrun a 0 1\nsleep 60000\n"));
    // Before the worker is started, while it starts, and when it runs.
    if (i % 3 > 0) {
      const std::size_t runs = i % 3 == 2 ? 1 : 0;
      EXPECT_TRUE(test::waitFor([&] {
        const JobStatePtr state = queue.state(id);
        return state->status == JobStatus::Running && state->runs.size() >= runs;
      }));
    }
    queue.cancel(id);
    ASSERT_EQ(waitUntilOver(queue, id)->status, JobStatus::Cancelled) << i;
  }
  EXPECT_FALSE(queue.isBusy());
}

TEST_F(JobQueueTest, APausedQueueStartsNothingAndGoesOnWhenAsked) {
  JobQueue queue(worker());
  QSignalSpy changed(&queue, &JobQueue::queueChanged);
  const JobId first = queue.enqueue(study("started a\nsay ready\nsleep 300\ndone\n"));
  const JobId second = queue.enqueue(study("started a\ndone\n"));
  ASSERT_TRUE(waitForLog(queue, first, QStringLiteral("ready")));
  queue.setPaused(true);
  EXPECT_EQ(changed.count(), 3);
  EXPECT_EQ(waitUntilOver(queue, first)->status, JobStatus::Finished) << "what runs ends";
  EXPECT_EQ(queue.state(second)->status, JobStatus::Queued);
  EXPECT_FALSE(queue.isRunning());
  EXPECT_TRUE(queue.isBusy());
  queue.setPaused(false);
  EXPECT_EQ(waitUntilOver(queue, second)->status, JobStatus::Finished);
}

TEST_F(JobQueueTest, WaitingJobsCanBeMovedAndRemoved) {
  JobQueue queue(worker());
  queue.setPaused(true);
  std::vector<JobId> ids;
  for (int i = 0; i < 4; ++i) {
    ids.push_back(queue.enqueue(study("started a\ndone\n")));
  }
  queue.move(ids[3], -2);
  queue.move(ids[0], 100);
  queue.forget(ids[2]);
  EXPECT_EQ(queue.waitingPlace(ids[2]), -1);
  EXPECT_EQ(queue.waitingCount(), 3);
  std::vector<JobId> order;
  for (const JobStatePtr& job : queue.statesInQueueOrder()) {
    order.push_back(job->id);
  }
  EXPECT_EQ(order, (std::vector<JobId>{ids[3], ids[1], ids[0]}));
  std::vector<JobId> ended;
  QObject::connect(&queue, &JobQueue::jobFinished, &queue, [&](const JobStatePtr& state) {
    ended.push_back(state->id);
  });
  queue.setPaused(false);
  waitUntilOver(queue, ids[0]);
  EXPECT_EQ(ended, order);
  EXPECT_EQ(queue.statesInQueueOrder().front()->id, ids[0]) << "what ended last is first";
}

TEST_F(JobQueueTest, MachinesWorkBesideEachOtherAndEachOnOneJob) {
  JobQueue queue(worker());
  const auto of = [this](const char* host) {
    JobRequest request = study("started a\nrun a 0 1\nsay ready\nsleep 60000\n");
    request.host = QString::fromLatin1(host);
    return request;
  };
  const JobId here = queue.enqueue(of(""));
  const JobId hereNext = queue.enqueue(of(""));
  const JobId there = queue.enqueue(of("gpubox"));
  const JobId thereNext = queue.enqueue(of("gpubox"));
  const JobId elsewhere = queue.enqueue(of("other"));
  for (const JobId id : {here, there, elsewhere}) {
    ASSERT_TRUE(waitForLog(queue, id, QStringLiteral("ready")));
  }
  EXPECT_TRUE(queue.isRunningHere());
  EXPECT_EQ(queue.waitingCount(), 2);
  EXPECT_EQ(queue.jobsBefore(thereNext), 1) << "of its machine alone";
  EXPECT_EQ(queue.jobsBefore(there), 0);
  EXPECT_EQ(queue.statesInQueueOrder()[3]->id, hereNext) << "behind the three that run";
  queue.cancel(there);
  EXPECT_EQ(waitUntilOver(queue, there)->status, JobStatus::Cancelled);
  ASSERT_TRUE(waitForLog(queue, thereNext, QStringLiteral("ready")));
  EXPECT_EQ(queue.state(hereNext)->status, JobStatus::Queued);
  EXPECT_EQ(queue.state(here)->status, JobStatus::Running);
  queue.forget(hereNext);
  queue.cancel(here);
  waitUntilOver(queue, here);
  EXPECT_FALSE(queue.isRunningHere());
  EXPECT_TRUE(queue.isRunning()) << "on hosts";
  queue.cancelAll();
  for (const JobId id : {thereNext, elsewhere}) {
    EXPECT_EQ(waitUntilOver(queue, id)->status, JobStatus::Cancelled);
  }
}

TEST_F(JobQueueTest, ASkippedVariantIsToldToTheWorkerThatRuns) {
  JobQueue queue(worker());
  const JobId id = queue.enqueue(
      study("started reference bf 16\nrun reference 0 3\nsay ready\nhear\nskipped bf\n"
            "finish reference\ndone\n"));
  ASSERT_TRUE(waitForLog(queue, id, QStringLiteral("ready")));
  queue.skip(id, QStringLiteral("bf"));
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_TRUE(waitForLog(queue, id, QStringLiteral("heard skip bf")));
  EXPECT_EQ(state->status, JobStatus::Finished) << state->error.toStdString();
  EXPECT_TRUE(state->runs[1].isSkipAsked);
  EXPECT_EQ(state->runs[1].status, report::RunStatus::Skipped);
  EXPECT_EQ(state->runs[0].status, report::RunStatus::Finished);
}

TEST_F(JobQueueTest, AVariantOfAWaitingJobIsSkippedFromTheStart) {
  JobQueue queue(worker());
  queue.setPaused(true);
  JobRequest request = study("started reference fp16\nhear\nskipped fp16\ndone\n");
  request.expectedRuns = {{.name = QStringLiteral("reference"), .error = {}},
                          {.name = QStringLiteral("fp16"), .error = {}}};
  const JobId id = queue.enqueue(request);
  ASSERT_EQ(queue.state(id)->runs.size(), 2U);
  queue.skip(id, QStringLiteral("fp16"));
  EXPECT_TRUE(queue.state(id)->runs[1].isSkipAsked);
  queue.setPaused(false);
  const JobStatePtr state = waitUntilOver(queue, id);
  EXPECT_TRUE(waitForLog(queue, id, QStringLiteral("heard skip fp16")));
  EXPECT_EQ(state->runs[1].status, report::RunStatus::Skipped);
}

TEST_F(JobQueueTest, SamplesTheMemoryOfTheWorkerWhileItRuns) {
  JobQueue queue(worker());
  const JobId id = queue.enqueue(study("started a\nrun a 0 1\nsleep 60000\n"));
  ASSERT_TRUE(test::waitFor([&] { return queue.state(id)->memoryHistory.size() >= 3; }));
  const JobStatePtr state = queue.state(id);
  ASSERT_TRUE(state->memory.has_value());
  EXPECT_GT(state->memory->residentBytes, 1U << 18);
  EXPECT_GE(state->memory->peakBytes, state->memory->residentBytes);
  EXPECT_FALSE(state->gpu.has_value()) << "the worker did not say that it uses one";
  EXPECT_GT(state->pid, 0);
  EXPECT_GT(state->elapsedSeconds, 0.5) << "time goes on though the worker is silent";
  EXPECT_GT(state->runs[0].elapsedSeconds, 0.3);
  queue.cancel(id);
  EXPECT_EQ(waitUntilOver(queue, id)->pid, 0);
}

TEST_F(JobQueueTest, ADeathIsToldApartFromAFailure) {
  JobQueue queue(worker());
  const JobId dead = queue.enqueue(study("started a\nrun a 0 1\nsay bad address\nraise 11\n"));
  const JobStatePtr state = waitUntilOver(queue, dead);
  EXPECT_TRUE(state->death.contains(QStringLiteral("SIGSEGV"))) << state->death.toStdString();
  EXPECT_EQ(state->lastMessages, QStringList{QStringLiteral("bad address")});
  const JobId failed = queue.enqueue(
      study("line {\"event\":\"study_finished\",\"status\":\"failed\",\"seconds\":1,"
            "\"report\":\"\",\"error_code\":\"i/o error\",\"error\":\"disk full\"}\nexit 3\n"));
  EXPECT_EQ(waitUntilOver(queue, failed)->status, JobStatus::Failed);
  EXPECT_TRUE(queue.state(failed)->death.isEmpty());
  EXPECT_EQ(queue.state(failed)->error, QStringLiteral("disk full"));
}

}  // namespace
}  // namespace ulp::queue
