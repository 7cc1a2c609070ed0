#include "views/plugins/runs/log_pane.h"

#include <gtest/gtest.h>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolButton>

#include "runner/queue/job_events.h"

namespace ulp::views {
namespace {

TEST(LogFilter, LooksAtTextAndLevel) {
  const queue::LogLine warning{QStringLiteral("warning"), QStringLiteral("Low Memory")};
  EXPECT_TRUE(passes(warning, {}));
  EXPECT_TRUE(passes(warning, {.text = QStringLiteral("memory"), .least = LogLevel::Warning}));
  EXPECT_FALSE(passes(warning, {.least = LogLevel::Error}));
  EXPECT_FALSE(passes(warning, {.text = QStringLiteral("disk")}));
  EXPECT_EQ(logText(warning), QStringLiteral("warning: Low Memory"));
  EXPECT_EQ(logText({QStringLiteral("info"), QStringLiteral("x"), QTime(9, 5, 1)}),
            QStringLiteral("09:05:01  x"));
}

class LogPaneTest : public testing::Test {
 protected:
  LogPaneTest()
      : m_log(m_pane.findChild<QPlainTextEdit*>()),
        m_filter(m_pane.findChild<QLineEdit*>()),
        m_level(m_pane.findChild<QComboBox*>()),
        m_follow(m_pane.findChild<QToolButton*>()) {
    m_state.id = 1;
    m_pane.resize(400, 200);
    m_pane.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&m_pane));
  }

  void say(const char* level, const QString& text) {
    queue::appendLog(m_state, QString::fromLatin1(level), text);
  }
  void show() { m_pane.setJob(std::make_shared<const queue::JobState>(m_state)); }
  [[nodiscard]] int lines() const {
    return m_log->toPlainText().isEmpty() ? 0 : m_log->blockCount();
  }

  queue::JobState m_state;
  LogPane m_pane;
  QPlainTextEdit* m_log;
  QLineEdit* m_filter;
  QComboBox* m_level;
  QToolButton* m_follow;
};

TEST_F(LogPaneTest, ShowsWhatIsNewOnceAndFiltersAsOneTypes) {
  say("info", QStringLiteral("loading"));
  say("warning", QStringLiteral("slow disk"));
  show();
  show();
  EXPECT_EQ(lines(), 2);
  QTest::keyClicks(m_filter, QStringLiteral("DISK"));
  EXPECT_EQ(lines(), 1);
  say("error", QStringLiteral("disk full"));
  say("info", QStringLiteral("bye"));
  show();
  EXPECT_EQ(lines(), 2);
  m_filter->clear();
  EXPECT_EQ(lines(), 4);
  m_level->setFocus();
  QTest::keyClick(m_level, Qt::Key_End);
  EXPECT_EQ(lines(), 1);
  EXPECT_TRUE(m_log->toPlainText().endsWith(QStringLiteral("error: disk full")));
  m_pane.copyAll();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), m_log->toPlainText());
}

TEST_F(LogPaneTest, FollowsTheEndUnlessTheUserScrolledUp) {
  for (int i = 0; i < 100; ++i) {
    say("info", QString::number(i));
  }
  show();
  EXPECT_TRUE(m_pane.isFollowing());
  m_log->setFocus();
  QTest::keyClick(m_log, Qt::Key_PageUp);
  QTest::keyClick(m_log, Qt::Key_PageUp);
  m_log->verticalScrollBar()->setValue(10);
  EXPECT_FALSE(m_pane.isFollowing());
  EXPECT_FALSE(m_follow->isChecked());
  say("info", QStringLiteral("news"));
  show();
  EXPECT_EQ(m_log->verticalScrollBar()->value(), 10) << "what is read stays";
  QTest::mouseClick(m_follow, Qt::LeftButton);
  EXPECT_TRUE(m_pane.isFollowing());
  EXPECT_TRUE(m_follow->isChecked());
  say("info", QStringLiteral("more"));
  show();
  EXPECT_TRUE(m_pane.isFollowing());
}

TEST_F(LogPaneTest, StaysBoundedAndStartsAnewWithAnotherJob) {
  for (int i = 0; i < 5 * queue::JobState::kLogLines; ++i) {
    say("info", QString::number(i));
    if (i % 700 == 0) {
      show();
    }
  }
  show();
  EXPECT_EQ(lines(), queue::JobState::kLogLines);
  EXPECT_TRUE(m_log->toPlainText().endsWith(QStringLiteral("4999")));
  queue::JobState other;
  other.id = 2;
  queue::appendLog(other, QStringLiteral("info"), QStringLiteral("other"));
  m_pane.setJob(std::make_shared<const queue::JobState>(other));
  EXPECT_EQ(lines(), 1);
  m_pane.setJob(nullptr);
  EXPECT_EQ(lines(), 0);
}

}  // namespace
}  // namespace ulp::views
