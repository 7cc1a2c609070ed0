// The window's queue with ulpscope-cli itself as its worker; only the engine is a fake one.

#include <algorithm>
#include <csignal>
#include <fstream>

#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtCore/QTemporaryDir>
#include <QtWidgets/QLabel>

#include "app/gui/session/session.h"
#include "app/gui/window/main_window.h"
#include "core/report/model/report.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/window/wait_for.h"

namespace ulp::app {
namespace {

class RealWorkerTest : public testing::Test {
 protected:
  RealWorkerTest() {
    qputenv("ULP_ENGINE_LIBRARY", ULP_BINARY_DIR "/tests/fake_engine_library.so");
    qputenv("ULP_FAKE_DELAY_US", "20000");
    m_session = std::make_unique<Session>(
        SessionOptions{.settingsFile = m_folder.filePath(QStringLiteral("settings.ini")),
                       .workerProgram = QStringLiteral(ULP_BINARY_DIR "/bin/ulpscope-cli")});
    m_window = std::make_unique<MainWindow>(*m_session);
    m_window->show();
    QDir(m_folder.path()).mkdir(QStringLiteral("model"));
    write(QStringLiteral("model/config.json"), "{}");
    write(QStringLiteral("study.yaml"),
          "model: {path: " + m_folder.filePath(QStringLiteral("model")).toStdString() +
              "}\ninput: {sequence_length: 8}\ncapture: {tensors: none}\ndevice: cpu\n"
              "variants:\n  bf16: {precision.compute_dtype: bfloat16}\n"
              "  head: {precision.lm_head_dtype: bfloat16}\n"
              "  fp16: {precision.compute_dtype: float16}\noutput_dir: " +
              out().toStdString() + "\n");
  }
  void TearDown() override {
    qunsetenv("ULP_ENGINE_LIBRARY");
    qunsetenv("ULP_FAKE_DELAY_US");
  }

  void write(const QString& name, const std::string& text) const {
    std::ofstream(m_folder.filePath(name).toStdString()) << text;
  }
  [[nodiscard]] QString out() const { return m_folder.filePath(QStringLiteral("out")); }

  queue::JobId start() {
    m_session->runs().enqueueFiles({m_folder.filePath(QStringLiteral("study.yaml"))});
    EXPECT_TRUE(test::waitFor([this] { return !m_session->queue().states().empty(); }));
    return m_session->queue().states().back()->id;
  }
  [[nodiscard]] queue::JobStatePtr state(queue::JobId id) const {
    return m_session->queue().state(id);
  }
  bool waitForRun(queue::JobId id, std::size_t run, report::RunStatus status) {
    return test::waitFor(
        [&] { return state(id)->runs.size() > run && state(id)->runs[run].status == status; });
  }
  bool waitUntilOver(queue::JobId id) {
    return test::waitFor([&] { return state(id)->isOver(); });
  }
  [[nodiscard]] report::RunStatus saved(const char* run) const {
    const auto loaded = report::loadReport(out().toStdString());
    EXPECT_TRUE(loaded.has_value());
    const report::Run* found = loaded ? loaded->report->findRun(run) : nullptr;
    return found == nullptr ? report::RunStatus::Pending : found->status;
  }

  QTemporaryDir m_folder;
  std::unique_ptr<Session> m_session;
  std::unique_ptr<MainWindow> m_window;
};

TEST_F(RealWorkerTest, SkipsWhatRunsAndWhatWaitsAndResultsAppear) {
  const queue::JobId id = start();
  ASSERT_TRUE(waitForRun(id, 1, report::RunStatus::Running));
  m_session->queue().skip(id, QStringLiteral("fp16"));
  m_session->queue().skip(id, QStringLiteral("bf16"));
  ASSERT_TRUE(waitForRun(id, 1, report::RunStatus::Skipped));
  EXPECT_FALSE(state(id)->isOver());
  ASSERT_TRUE(waitUntilOver(id));
  EXPECT_EQ(state(id)->status, queue::JobStatus::Finished) << state(id)->error.toStdString();
  EXPECT_EQ(saved("bf16"), report::RunStatus::Skipped);
  EXPECT_EQ(saved("head"), report::RunStatus::Finished);
  EXPECT_EQ(saved("fp16"), report::RunStatus::Skipped);
  EXPECT_GT(state(id)->memory.value_or(ProcessMemory{}).peakBytes, 1U << 20);
  EXPECT_EQ(state(id)->device, QStringLiteral("cpu"));
  EXPECT_TRUE(
      test::waitFor([this] { return m_session->workspace().reports.document() != nullptr; }));

  m_session->runs().resume(*state(id), {QStringLiteral("fp16")});
  const queue::JobId again = m_session->queue().states().back()->id;
  ASSERT_NE(again, id);
  ASSERT_TRUE(waitUntilOver(again));
  EXPECT_EQ(state(again)->status, queue::JobStatus::Finished) << state(again)->error.toStdString();
  EXPECT_EQ(saved("fp16"), report::RunStatus::Finished);
  EXPECT_EQ(saved("bf16"), report::RunStatus::Skipped) << "it was not asked for";
}

TEST_F(RealWorkerTest, AKilledWorkerLeavesTheWindowAndResumes) {
  const queue::JobId id = start();
  ASSERT_TRUE(waitForRun(id, 2, report::RunStatus::Running));
  ASSERT_TRUE(test::waitFor([&] { return state(id)->pid > 0; }));
  ASSERT_EQ(::kill(static_cast<pid_t>(state(id)->pid), SIGKILL), 0);
  ASSERT_TRUE(waitUntilOver(id));
  EXPECT_EQ(state(id)->status, queue::JobStatus::Failed);
  EXPECT_TRUE(state(id)->death.contains(QStringLiteral("SIGKILL")));
  auto* reason = m_window->findChild<QLabel*>(QStringLiteral("jobReason"));
  ASSERT_NE(reason, nullptr);
  EXPECT_TRUE(
      test::waitFor([reason] { return reason->text().contains(QStringLiteral("SIGKILL")); }));
  EXPECT_TRUE(m_window->isVisible());

  m_session->runs().resume(*state(id));
  const queue::JobId again = m_session->queue().states().back()->id;
  ASSERT_TRUE(waitUntilOver(again));
  EXPECT_EQ(state(again)->status, queue::JobStatus::Finished) << state(again)->error.toStdString();
  EXPECT_TRUE(state(again)->resumed);
  for (const char* run : {"reference", "bf16", "head", "fp16"}) {
    EXPECT_EQ(saved(run), report::RunStatus::Finished) << run;
  }
}

TEST_F(RealWorkerTest, RunsOfSeveralDevicesGoOnAtOnceAndOneIsSkipped) {
  const std::string study = m_folder.filePath(QStringLiteral("study.yaml")).toStdString();
  std::ofstream(study, std::ios::app) << "noise_floor: [repeat]\n";
  std::string text = test::contentOf(study);
  text.replace(text.find("device: cpu"), 11, "device: [cpu, cpu]");
  write(QStringLiteral("study.yaml"), text);
  const queue::JobId id = start();
  ASSERT_TRUE(test::waitFor([&] { return state(id)->runOfWorker.size() == 2; }));
  const auto at = state(id)->runOfWorker;
  EXPECT_NE(at.at(0), at.at(1));
  ASSERT_TRUE(test::waitFor([&] {
    const auto now = state(id);
    return std::ranges::all_of(now->runOfWorker, [&](const auto& each) {
      return now->runs[static_cast<std::size_t>(each.second)].elapsedSeconds > 0;
    });
  }));
  m_session->queue().skip(id, QStringLiteral("fp16"));
  ASSERT_TRUE(waitUntilOver(id));
  EXPECT_EQ(state(id)->status, queue::JobStatus::Finished) << state(id)->error.toStdString();
  EXPECT_EQ(saved("bf16"), report::RunStatus::Finished);
  EXPECT_EQ(saved("head"), report::RunStatus::Finished);
  EXPECT_EQ(saved("fp16"), report::RunStatus::Skipped);
  EXPECT_EQ(saved("floor.repeat"), report::RunStatus::Finished);
}

TEST_F(RealWorkerTest, ALostDeviceCostsOneRunAndTheJobGoesOn) {
  qputenv("ULP_FAKE_LOST_IN", "bfloat16");
  const queue::JobId id = start();
  ASSERT_TRUE(waitUntilOver(id));
  qunsetenv("ULP_FAKE_LOST_IN");
  EXPECT_EQ(state(id)->status, queue::JobStatus::Failed);
  EXPECT_TRUE(state(id)->error.contains(QStringLiteral("1 of 3 variants failed")))
      << state(id)->error.toStdString();
  EXPECT_TRUE(state(id)->death.isEmpty()) << state(id)->death.toStdString();
  ASSERT_EQ(state(id)->runs.size(), 4U);
  EXPECT_EQ(state(id)->runs[1].status, report::RunStatus::Failed);
  EXPECT_TRUE(state(id)->runs[1].error.contains(QStringLiteral("illegal access")))
      << state(id)->runs[1].error.toStdString();
  EXPECT_EQ(saved("bf16"), report::RunStatus::Failed);
  EXPECT_EQ(saved("head"), report::RunStatus::Finished);
  EXPECT_EQ(saved("fp16"), report::RunStatus::Finished);
}

TEST_F(RealWorkerTest, StopsAtTheNextSite) {
  const queue::JobId id = start();
  ASSERT_TRUE(waitForRun(id, 1, report::RunStatus::Running));
  m_session->queue().cancel(id);
  ASSERT_TRUE(waitUntilOver(id));
  EXPECT_EQ(state(id)->status, queue::JobStatus::Cancelled);
  EXPECT_EQ(saved("bf16"), report::RunStatus::Cancelled);
}

}  // namespace
}  // namespace ulp::app
