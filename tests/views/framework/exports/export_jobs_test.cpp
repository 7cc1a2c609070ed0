#include "views/framework/exports/export_jobs.h"

#include <atomic>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include "core/base/files/atomic_file.h"
#include "core/base/stop_pace.h"
#include "tests/support/window/wait_for.h"
#include "views/framework/widgets/message.h"

namespace ulp::views {
namespace {

using namespace std::chrono_literals;

/// What a job does until its stop is requested or `isOver` is set.
Result<std::string> makeLong(const std::atomic<bool>& isOver) {
  while (!isOver) {
    if (currentStop().stop_requested()) {
      return stopped();
    }
    std::this_thread::sleep_for(1ms);
  }
  return std::string("new");
}

class ExportJobsTest : public testing::Test {
 protected:
  ExportJobsTest() {
    EXPECT_TRUE(writeFileAtomically(m_file.toStdString(), "old"));
    QObject::connect(&m_messages, &Messages::raise, &m_messages, [this](const Message& message) {
      m_last = message;
    });
  }
  void writeLong() {
    m_jobs->writeFile(m_file, [this] { return makeLong(m_isOver); });
  }
  [[nodiscard]] std::string content() const {
    return readTextFile(m_file.toStdString()).value_or("");
  }

  QTemporaryDir m_folder;
  QString m_file = m_folder.filePath(QStringLiteral("out.csv"));
  Messages m_messages;
  Message m_last;
  std::atomic<bool> m_isOver = false;
  std::unique_ptr<ExportJobs> m_jobs = std::make_unique<ExportJobs>(m_messages);
};

TEST_F(ExportJobsTest, ALongOneSaysSoAndCanBeStopped) {
  writeLong();
  ASSERT_TRUE(test::waitFor([this] { return !m_last.actions.empty(); }));
  EXPECT_EQ(m_last.text, QStringLiteral("Writing %1…").arg(m_file));
  EXPECT_TRUE(m_last.stays);
  m_last.actions.front().run();
  ASSERT_TRUE(test::waitFor([this] { return m_jobs->isIdle(); }));
  EXPECT_EQ(m_last.text, QStringLiteral("Stopped; %1 was not written.").arg(m_file));
  EXPECT_EQ(m_last.severity, Severity::Fine);
  EXPECT_EQ(content(), "old");
}

TEST_F(ExportJobsTest, ALongOneTellsHowFarItIsAndHowLongTheRestTakes) {
  std::atomic<int> steps = 0;
  m_jobs->writeFile(m_file, [this, &steps]() -> Result<std::string> {
    StopPace pace(1, 100);
    for (int done = 0; !m_isOver;) {
      for (; done < steps; ++done) {
        static_cast<void>(pace.isStopped());
      }
      std::this_thread::sleep_for(1ms);
    }
    return std::string("new");
  });
  EXPECT_FALSE(m_jobs->longExport()) << "short ones say nothing";
  steps = 11;
  ASSERT_TRUE(test::waitFor([this] { return m_jobs->longExport().has_value(); }));
  EXPECT_EQ(m_jobs->longExport()->file, m_file);
  EXPECT_DOUBLE_EQ(m_jobs->longExport()->fraction, 0.1);
  EXPECT_FALSE(m_jobs->longExport()->secondsLeft) << "nothing is known of how fast it is";
  steps = 51;
  ASSERT_TRUE(test::waitFor([this] { return m_jobs->longExport()->secondsLeft.has_value(); }));
  EXPECT_DOUBLE_EQ(m_jobs->longExport()->fraction, 0.5);
  int told = 0;
  QObject::connect(m_jobs.get(), &ExportJobs::progressed, m_jobs.get(), [&] {
    told += m_jobs->longExport() ? 0 : 1;
  });
  m_isOver = true;
  ASSERT_TRUE(test::waitFor([this] { return m_jobs->isIdle(); }));
  EXPECT_FALSE(m_jobs->longExport());
  EXPECT_EQ(told, 1) << "that it is over";
}

TEST_F(ExportJobsTest, OneThatSeesNoStopIsOverAtOnceAndHoldsUpNoClosing) {
  std::atomic<bool> isLeft = false;
  m_jobs->writeFile(m_file, [this, &isLeft]() -> Result<std::string> {
    while (!m_isOver) {
      std::this_thread::sleep_for(1ms);
    }
    isLeft = true;
    return std::string("new");
  });
  ASSERT_TRUE(test::waitFor([this] { return !m_last.actions.empty(); }));
  m_last.actions.front().run();
  EXPECT_TRUE(m_jobs->isIdle());
  EXPECT_EQ(m_last.text, QStringLiteral("Stopped; %1 was not written.").arg(m_file));
  m_jobs.reset();
  EXPECT_FALSE(isLeft);
  m_isOver = true;
  ASSERT_TRUE(test::waitFor([&] { return isLeft.load(); }));
  EXPECT_EQ(content(), "old");
}

TEST_F(ExportJobsTest, ANewOneForTheFileStopsTheOlder) {
  writeLong();
  m_jobs->writeFile(m_file, []() -> Result<std::string> { return std::string("newest"); });
  ASSERT_TRUE(test::waitFor([this] { return m_jobs->isIdle(); }));
  EXPECT_EQ(content(), "newest");
}

TEST_F(ExportJobsTest, ClosingStopsNone) {
  writeLong();
  const std::jthread later([this] {
    std::this_thread::sleep_for(100ms);
    m_isOver = true;
  });
  m_jobs.reset();
  EXPECT_EQ(content(), "new");
}

TEST_F(ExportJobsTest, FilesThatWorkWritesItselfAreSaidWithTheirNotes) {
  m_jobs->write(m_file, []() -> Result<WrittenFiles> {
    return WrittenFiles{.text = QStringLiteral("Wrote two."),
                        .notes = {QStringLiteral("one"),
                                  QStringLiteral("two"),
                                  QStringLiteral("three"),
                                  QStringLiteral("four")}};
  });
  ASSERT_TRUE(test::waitFor([this] { return m_jobs->isIdle(); }));
  EXPECT_EQ(m_last.text, QStringLiteral("Wrote two.\none\ntwo\nthree\n… and 1 more note(s)."));
  EXPECT_EQ(m_last.severity, Severity::Look);
  EXPECT_FALSE(m_jobs->isWriting());
}

TEST_F(ExportJobsTest, WorkThatWritesItselfEndsAtAStopAndSaysWhatIsLeft) {
  m_jobs->write(m_file, [this]() -> Result<WrittenFiles> {
    while (!m_isOver) {
      if (currentStop().stop_requested()) {
        return fail(ErrorCode::Cancelled, "nothing was written");
      }
      std::this_thread::sleep_for(1ms);
    }
    return WrittenFiles{};
  });
  EXPECT_TRUE(m_jobs->isWriting());
  ASSERT_TRUE(test::waitFor([this] { return !m_last.actions.empty(); }));
  EXPECT_TRUE(m_last.stays);
  m_last.actions.front().run();
  ASSERT_TRUE(test::waitFor([this] { return m_jobs->isIdle(); }));
  EXPECT_EQ(m_last.text, QStringLiteral("nothing was written"));
  EXPECT_EQ(m_last.severity, Severity::Fine);
  EXPECT_FALSE(m_last.stays);
}

TEST_F(ExportJobsTest, WhyWorkCouldNotWriteIsSaid) {
  m_jobs->write(m_file, []() -> Result<WrittenFiles> {
    return fail(ErrorCode::Io, "/full: no space left on device");
  });
  ASSERT_TRUE(test::waitFor([this] { return m_jobs->isIdle(); }));
  EXPECT_TRUE(m_last.text.contains(QStringLiteral("/full: no space left")));
  EXPECT_EQ(m_last.severity, Severity::Broken);
}

}  // namespace
}  // namespace ulp::views
