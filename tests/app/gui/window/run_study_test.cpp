#include <gtest/gtest.h>

#include <QtCore/QPointer>
#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "tests/app/gui/window_fixture.h"
#include "views/framework/widgets/message_bar.h"

namespace ulp::app {
namespace {

class RunStudyTest : public test::WindowFixture {
 protected:
  void openStudy(const QString& comment = {}) {
    m_window->open({study(comment)});
    settle();
    ASSERT_TRUE(workspace().hasStudy());
  }

  void startRun() {
    m_window->actions()[QStringLiteral("run.start")]->trigger();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !queue().states().empty(); }, kPatienceMs));
  }

  [[nodiscard]] queue::JobStatePtr lastJob() { return queue().states().back(); }

  bool waitUntilOver() {
    return QTest::qWaitFor([this] { return lastJob()->isOver(); }, kPatienceMs);
  }

  bool waitForVariants(int count) {
    return QTest::qWaitFor(
        [this, count] {
          return workspace().document() && workspace().document()->variantCount() == count;
        },
        kPatienceMs);
  }

  QPushButton* messageButton(const QString& text) {
    for (QPushButton* button : m_window->messages().findChildren<QPushButton*>()) {
      if (button->text() == text) {
        return button;
      }
    }
    return nullptr;
  }
};

TEST_F(RunStudyTest, OpeningAStudyShowsItsText) {
  openStudy();
  EXPECT_FALSE(m_window->isStartPageShown());
  auto* editor = m_window->host(QStringLiteral("study"))
                     ->findChild<QPlainTextEdit*>(QStringLiteral("studyText"));
  ASSERT_NE(editor, nullptr);
  EXPECT_TRUE(editor->isVisible());
  EXPECT_TRUE(editor->toPlainText().contains(QStringLiteral("some/model")));
  EXPECT_FALSE(editor->isReadOnly());
}

TEST_F(RunStudyTest, ResultsAppearWhileTheRestStillRuns) {
  openStudy(QStringLiteral("slow"));
  startRun();
  ASSERT_TRUE(waitForVariants(1));
  EXPECT_EQ(lastJob()->status, queue::JobStatus::Running);
  EXPECT_TRUE(m_window->actions()[QStringLiteral("run.stop")]->isEnabled());
  EXPECT_TRUE(m_window->host(QStringLiteral("runs"))->isVisible());
  auto* log = m_window->host(QStringLiteral("runs"))->findChild<QPlainTextEdit*>();
  ASSERT_NE(log, nullptr);
  EXPECT_TRUE(QTest::qWaitFor(
      [log] { return log->toPlainText().contains(QStringLiteral("computing bf16")); },
      kPatienceMs));
  m_window->actions()[QStringLiteral("run.stop")]->trigger();
  ASSERT_TRUE(waitUntilOver());
  EXPECT_EQ(lastJob()->status, queue::JobStatus::Cancelled);
  EXPECT_EQ(workspace().document()->variantCount(), 1);
}

TEST_F(RunStudyTest, RunsToTheEndAndKeepsTheUsersPlace) {
  openStudy();
  startRun();
  ASSERT_TRUE(waitForVariants(2));
  ASSERT_TRUE(waitUntilOver());
  settle();
  EXPECT_EQ(lastJob()->status, queue::JobStatus::Finished) << lastJob()->error.toStdString();
  EXPECT_EQ(m_session->selection().selection().run(), QStringLiteral("bf16"));
  EXPECT_EQ(m_window->messages().count(), 0);
}

TEST_F(RunStudyTest, SavesEditsBeforeRunning) {
  openStudy();
  auto* editor = m_window->host(QStringLiteral("study"))
                     ->findChild<QPlainTextEdit*>(QStringLiteral("studyText"));
  editor->moveCursor(QTextCursor::Start);
  QTest::keyClicks(editor, QStringLiteral("# mine"));
  QTest::keyClick(editor, Qt::Key_Return);
  EXPECT_TRUE(workspace().study().isModified());
  startRun();
  EXPECT_FALSE(workspace().study().isModified());
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, AsksBeforeItTouchesOlderResults) {
  openStudy();
  startRun();
  ASSERT_TRUE(waitUntilOver());
  m_window->actions()[QStringLiteral("run.start")]->trigger();
  settle();
  EXPECT_EQ(queue().states().size(), 1U);
  QPushButton* overwrite = messageButton(QStringLiteral("Overwrite"));
  ASSERT_NE(overwrite, nullptr);
  ASSERT_NE(messageButton(QStringLiteral("Resume")), nullptr);
  QTest::mouseClick(overwrite, Qt::LeftButton);
  ASSERT_EQ(queue().states().size(), 2U);
  EXPECT_EQ(lastJob()->request.existing, worker::ExistingResults::Overwrite);
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, AMistakeInTheStudyStopsItBeforeTheWorker) {
  openStudy();
  workspace().setStudyText(workspace().study().text + QStringLiteral("colour: red\n"));
  m_window->actions()[QStringLiteral("run.start")]->trigger();
  settle();
  EXPECT_TRUE(queue().states().empty());
  EXPECT_EQ(m_window->messages().count(), 1);
}

TEST_F(RunStudyTest, AWorkerThatDiesLeavesTheWindowAndWhatItMade) {
  openStudy(QStringLiteral("crash"));
  startRun();
  ASSERT_TRUE(waitUntilOver());
  ASSERT_TRUE(waitForVariants(1));
  EXPECT_EQ(lastJob()->status, queue::JobStatus::Failed);
  EXPECT_EQ(m_window->messages().count(), 1);
}

TEST_F(RunStudyTest, ClosingWithARunAsks) {
  openStudy(QStringLiteral("slow"));
  startRun();
  ASSERT_TRUE(waitForVariants(1));
  EXPECT_FALSE(m_window->close());
  EXPECT_TRUE(m_window->isVisible());
  auto* box = m_window->findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
  ASSERT_NE(box, nullptr);
  const QPointer<QMessageBox> asked(box);
  QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([&] { return asked.isNull() || !asked->isVisible(); }, kPatienceMs));
  EXPECT_TRUE(m_window->isVisible());
  EXPECT_EQ(lastJob()->status, queue::JobStatus::Running);

  EXPECT_FALSE(m_window->close());
  box = m_window->findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
  ASSERT_NE(box, nullptr);
  for (QAbstractButton* button : box->buttons()) {
    if (box->buttonRole(button) == QMessageBox::DestructiveRole) {
      QTest::mouseClick(button, Qt::LeftButton);
      break;
    }
  }
  EXPECT_TRUE(QTest::qWaitFor([this] { return !m_window->isVisible(); }, kPatienceMs));
}

TEST_F(RunStudyTest, OpeningAnotherReportStopsFollowingTheRun) {
  openStudy(QStringLiteral("slow"));
  startRun();
  ASSERT_TRUE(waitForVariants(1));
  m_window->open({reportFolder(QStringLiteral("other"))});
  settle();
  EXPECT_EQ(workspace().document()->variantCount(), 4);
  EXPECT_FALSE(m_session->runs().followedJob().has_value());
  m_window->actions()[QStringLiteral("run.stop")]->trigger();
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, ANewStudyRunsAsSoonAsItHasAFile) {
  openStudy();
  const QString text = workspace().study().text;
  workspace().newStudy();
  workspace().setStudyText(text);
  m_window->actions()[QStringLiteral("run.start")]->trigger();
  auto* dialog = m_window->findChild<QFileDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(queue().states().empty());
  Q_EMIT dialog->fileSelected(m_folder.filePath(QStringLiteral("new.yaml")));
  dialog->reject();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !queue().states().empty(); }, kPatienceMs));
  EXPECT_TRUE(waitUntilOver());
  EXPECT_TRUE(QFile::exists(m_folder.filePath(QStringLiteral("new.yaml"))));
}

}  // namespace
}  // namespace ulp::app
