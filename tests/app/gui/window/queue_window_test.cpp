// The queue of studies in the window: several studies, pause, closing, and what comes back.

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>

#include "app/gui/session/window_settings.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/wait_for.h"
#include "views/framework/widgets/message_bar.h"

namespace ulp::app {
namespace {

class QueueWindowTest : public test::WindowFixture {
 protected:
  QString studyFile(const QString& name, const QString& comment = {}) {
    return write(name,
                 QStringLiteral("# %1\nmodel: {path: some/model}\nvariants: {bf16: {}, fp16: {}}\n"
                                "output_dir: %2\n")
                     .arg(comment, m_folder.filePath(name + QStringLiteral(".out"))));
  }

  [[nodiscard]] QAction* action(const char* id) const {
    return m_window->actions()[QLatin1String(id)];
  }
  bool waitUntilOver(queue::JobId id) {
    return test::waitFor([&] { return queue().state(id)->isOver(); });
  }
  bool waitForJobs(std::size_t count) {
    return test::waitFor([&] { return queue().states().size() == count; });
  }
  QMessageBox* closeQuestion() {
    return m_window->findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
  }
  static void answer(QMessageBox& box, QMessageBox::ButtonRole role) {
    for (QAbstractButton* button : box.buttons()) {
      if (box.buttonRole(button) == role) {
        QTest::mouseClick(button, Qt::LeftButton);
        return;
      }
    }
  }
};

TEST_F(QueueWindowTest, ChosenStudiesRunOneAfterTheOther) {
  action("run.add")->trigger();
  auto* dialog = m_window->findChild<QFileDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->fileMode(), QFileDialog::ExistingFiles);
  Q_EMIT dialog->filesSelected(
      {studyFile(QStringLiteral("a.yaml")), studyFile(QStringLiteral("b.yaml"))});
  dialog->reject();
  ASSERT_TRUE(waitForJobs(2));
  for (const queue::JobStatePtr& job : queue().states()) {
    EXPECT_TRUE(waitUntilOver(job->id));
    EXPECT_EQ(queue().state(job->id)->status, queue::JobStatus::Finished)
        << queue().state(job->id)->error.toStdString();
  }
}

TEST_F(QueueWindowTest, PausingIsACommandWithAState) {
  EXPECT_FALSE(action("run.pause")->isChecked());
  action("run.pause")->trigger();
  EXPECT_TRUE(queue().isPaused());
  EXPECT_TRUE(action("run.pause")->isChecked());
  queue().setPaused(false);
  EXPECT_FALSE(action("run.pause")->isChecked()) << "also when a view did it";
}

TEST_F(QueueWindowTest, WhatWaitsComesBackPausedAndGoesOnWhenAsked) {
  action("run.pause")->trigger();
  m_session->runs().enqueueFiles(
      {studyFile(QStringLiteral("a.yaml")), studyFile(QStringLiteral("b.yaml"))});
  ASSERT_TRUE(waitForJobs(2));
  queue().skip(queue().states()[0]->id, QStringLiteral("fp16"));
  queue().move(queue().states()[1]->id, -1);
  queue::JobRequest rest = queue().states()[1]->request;
  rest.existing = worker::ExistingResults::Resume;
  rest.keepsFailed = true;
  queue().enqueue(rest);
  EXPECT_TRUE(m_window->close()) << "nothing runs, nothing is lost: no question";
  makeWindow();
  m_window->lastSession().reopen();
  settle();
  ASSERT_EQ(queue().states().size(), 3U);
  EXPECT_TRUE(queue().states()[2]->request.keepsFailed);
  EXPECT_TRUE(queue().isPaused());
  EXPECT_FALSE(queue().isRunning());
  EXPECT_TRUE(QString::fromStdString(queue().states()[0]->request.studyFile.string())
                  .endsWith(QStringLiteral("b.yaml")));
  EXPECT_TRUE(queue().states()[1]->runs.at(2).isSkipAsked);
  QPushButton* go = nullptr;
  for (QPushButton* button : m_window->messages().findChildren<QPushButton*>()) {
    go = button->text() == QStringLiteral("Run them") ? button : go;
  }
  ASSERT_NE(go, nullptr);
  QTest::mouseClick(go, Qt::LeftButton);
  for (const queue::JobStatePtr& job : queue().states()) {
    EXPECT_TRUE(waitUntilOver(job->id));
  }
  EXPECT_EQ(m_window->messages().count(), 0);
}

TEST_F(QueueWindowTest, ClosingAsksWhenWhatWaitsWouldBeLost) {
  m_session->settings().set(kRestoreSession, false);
  action("run.pause")->trigger();
  m_session->runs().enqueueFiles({studyFile(QStringLiteral("a.yaml"))});
  ASSERT_TRUE(waitForJobs(1));
  EXPECT_FALSE(m_window->close());
  ASSERT_NE(closeQuestion(), nullptr);
  EXPECT_TRUE(closeQuestion()->text().contains(QStringLiteral("will not be run")))
      << closeQuestion()->text().toStdString();
  answer(*closeQuestion(), QMessageBox::DestructiveRole);
  EXPECT_TRUE(test::waitFor([this] { return !m_window->isVisible(); }));
}

TEST_F(QueueWindowTest, ClosingWithARunSaysWhatBecomesOfTheOthers) {
  m_session->runs().enqueueFiles({studyFile(QStringLiteral("a.yaml"), QStringLiteral("slow")),
                                  studyFile(QStringLiteral("b.yaml"))});
  ASSERT_TRUE(waitForJobs(2));
  EXPECT_FALSE(m_window->close());
  ASSERT_NE(closeQuestion(), nullptr);
  EXPECT_TRUE(closeQuestion()->text().contains(QStringLiteral("1 study in the queue will wait")))
      << closeQuestion()->text().toStdString();
  answer(*closeQuestion(), QMessageBox::DestructiveRole);
  ASSERT_TRUE(test::waitFor([this] { return !m_window->isVisible(); }));
  makeWindow();
  m_window->lastSession().reopen();
  settle();
  EXPECT_EQ(queue().states().size(), 1U);
  EXPECT_TRUE(queue().isPaused());
}

TEST_F(QueueWindowTest, AStudyThatWaitsTakesNothingAwayFromTheOneThatRuns) {
  m_session->runs().enqueueFiles({studyFile(QStringLiteral("a.yaml"), QStringLiteral("slow")),
                                  studyFile(QStringLiteral("b.yaml"))});
  ASSERT_TRUE(waitForJobs(2));
  const queue::JobId first = queue().states()[0]->id;
  EXPECT_EQ(m_session->runs().followedJob(), first);
  ASSERT_TRUE(test::waitFor([this] {
    return workspace().reports.document() && workspace().reports.document()->variantCount() == 1;
  }));
  queue().cancel(first);
  EXPECT_TRUE(waitUntilOver(queue().states()[1]->id));
}

}  // namespace
}  // namespace ulp::app
