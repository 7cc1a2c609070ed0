#include <algorithm>

#include <gtest/gtest.h>

#include <QtCore/QPointer>
#include <QtGui/QAction>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/wait_for.h"
#include "views/framework/widgets/message_bar.h"

namespace ulp::app {
namespace {

class RunStudyTest : public test::WindowFixture {
 protected:
  void openStudy(const QString& comment = {}) {
    open({study(comment)});
    ASSERT_TRUE(workspace().study.isOpen());
  }

  void startRun() {
    trigger("run.start");
    ASSERT_TRUE(test::waitFor([this] { return !queue().states().empty(); }));
  }

  [[nodiscard]] queue::JobStatePtr lastJob() { return queue().states().back(); }

  bool waitUntilOver() {
    return test::waitFor([this] { return lastJob()->isOver(); });
  }

  bool waitForVariants(int count) {
    return test::waitFor([this, count] {
      return workspace().reports.document() &&
             workspace().reports.document()->variantCount() == count;
    });
  }

  /// Of the newest message.
  QString messageText() {
    const auto& last = m_window->messages().last();
    return last ? last->text : QString();
  }

  QPushButton* messageButton(const QString& text) {
    for (QPushButton* button : m_window->messages().findChildren<QPushButton*>()) {
      if (button->isVisible() && button->text() == text) {
        return button;
      }
    }
    return nullptr;
  }
};

TEST_F(RunStudyTest, OpeningAStudyShowsItsText) {
  openStudy();
  EXPECT_FALSE(m_window->docks().isStartPageShown());
  auto* editor = m_window->docks()
                     .host(QStringLiteral("study"))
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
  EXPECT_TRUE(host("runs")->isVisible());
  auto* log = host("runs")->findChild<QPlainTextEdit*>();
  ASSERT_NE(log, nullptr);
  EXPECT_TRUE(test::waitFor(
      [log] { return log->toPlainText().contains(QStringLiteral("computing bf16")); }));
  trigger("run.stop");
  ASSERT_TRUE(waitUntilOver());
  EXPECT_EQ(lastJob()->status, queue::JobStatus::Cancelled);
  EXPECT_EQ(workspace().reports.document()->variantCount(), 1);
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
  auto* editor = m_window->docks()
                     .host(QStringLiteral("study"))
                     ->findChild<QPlainTextEdit*>(QStringLiteral("studyText"));
  editor->moveCursor(QTextCursor::Start);
  QTest::keyClicks(editor, QStringLiteral("# mine"));
  QTest::keyClick(editor, Qt::Key_Return);
  EXPECT_TRUE(workspace().study.content().isModified());
  startRun();
  EXPECT_FALSE(workspace().study.content().isModified());
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, RunsWithWhatIsStillBeingTypedInTheForm) {
  openStudy();
  show("study");
  const auto lines = host("study")->findChildren<QLineEdit*>();
  const auto found = std::ranges::find_if(lines, [](const QLineEdit* line) {
    return line->property("studyKey") == QStringLiteral("output_dir");
  });
  ASSERT_NE(found, lines.end());
  QLineEdit* folder = *found;
  folder->setFocus();
  folder->selectAll();
  const QString typed = m_folder.filePath(QStringLiteral("typed"));
  QTest::keyClicks(folder, typed);
  QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
  ASSERT_TRUE(test::waitFor([this] { return !queue().states().empty(); }));
  EXPECT_EQ(lastJob()->request.outputDir, typed.toStdString());
  EXPECT_EQ(views::readStudyText(workspace().study.content().path)
                .value()
                .section(QStringLiteral("output_dir: "), 1)
                .trimmed(),
            typed);
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, AsksBeforeItTouchesOlderResults) {
  openStudy();
  startRun();
  ASSERT_TRUE(waitUntilOver());
  trigger("run.start");
  settle();
  EXPECT_EQ(queue().states().size(), 1U);
  EXPECT_EQ(messageButton(QStringLiteral("Resume")), nullptr) << "nothing is left to do";
  ASSERT_NE(messageButton(QStringLiteral("Open them")), nullptr);
  ASSERT_NE(messageButton(QStringLiteral("New folder")), nullptr);
  QPushButton* replace = messageButton(QStringLiteral("Replace"));
  ASSERT_NE(replace, nullptr);
  QTest::mouseClick(replace, Qt::LeftButton);
  ASSERT_EQ(queue().states().size(), 2U);
  EXPECT_EQ(lastJob()->request.existing, worker::ExistingResults::Overwrite);
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, ResumesWhatIsMissing) {
  openStudy(QStringLiteral("slow"));
  startRun();
  ASSERT_TRUE(waitForVariants(1));
  trigger("run.stop");
  ASSERT_TRUE(waitUntilOver());
  trigger("run.start");
  settle();
  EXPECT_TRUE(messageText().contains(QStringLiteral("2 of 3 runs are finished")))
      << messageText().toStdString();
  QPushButton* resume = messageButton(QStringLiteral("Resume"));
  ASSERT_NE(resume, nullptr);
  QTest::mouseClick(resume, Qt::LeftButton);
  ASSERT_EQ(queue().states().size(), 2U);
  EXPECT_EQ(lastJob()->request.existing, worker::ExistingResults::Resume);
  trigger("run.stop");
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, SaysHowManySamplesOfAStoppedStudyAreKept) {
  const QString output = m_folder.filePath(QStringLiteral("output"));
  report::Report earlier = test::realisticReport({.layers = 4, .variants = {"bf16"}});
  earlier.provenance.samples = 24;
  earlier.runs.at(0).status = report::RunStatus::Cancelled;
  earlier.runs.at(0).samples = 4;
  earlier.runs.at(1).status = report::RunStatus::Cancelled;
  earlier.runs.at(1).samples = 3;
  std::filesystem::create_directories(output.toStdString());
  ASSERT_TRUE(report::saveReport(earlier, output.toStdString()));
  openStudy();
  trigger("run.start");
  settle();
  EXPECT_TRUE(messageText().endsWith(QStringLiteral(
      "0 of 3 runs are finished, the others have 3–4 of 24 samples. Resume keeps all of that and "
      "makes the rest.")))
      << messageText().toStdString();
}

TEST_F(RunStudyTest, AsksBeforeCodeOfAStudyRuns) {
  openStudy();
  auto* editor = m_window->docks()
                     .host(QStringLiteral("study"))
                     ->findChild<QPlainTextEdit*>(QStringLiteral("studyText"));
  editor->moveCursor(QTextCursor::Start);
  QTest::keyClicks(editor, QStringLiteral("python.prepare: changes.py:halve"));
  QTest::keyClick(editor, Qt::Key_Return);
  trigger("run.start");
  settle();
  EXPECT_TRUE(queue().states().empty());
  EXPECT_TRUE(messageText().contains(QStringLiteral("changes.py:halve. Run it only if you trust")))
      << messageText().toStdString();
  QPushButton* run = messageButton(QStringLiteral("Run it"));
  ASSERT_NE(run, nullptr);
  QTest::mouseClick(run, Qt::LeftButton);
  settle();
  ASSERT_EQ(queue().states().size(), 1U) << messageText().toStdString();
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, ResumesWithoutTheVariantsThatFailed) {
  const QString output = m_folder.filePath(QStringLiteral("output"));
  report::Report earlier = test::realisticReport({.layers = 4, .variants = {"bf16"}});
  earlier.runs.at(1).status = report::RunStatus::Failed;
  std::filesystem::create_directories(output.toStdString());
  ASSERT_TRUE(report::saveReport(earlier, output.toStdString()));
  openStudy();
  trigger("run.start");
  settle();
  EXPECT_TRUE(messageText().endsWith(
      QStringLiteral("1 of 3 runs are finished. Resume keeps them and makes the others. 1 variant "
                     "failed and would be tried again.")))
      << messageText().toStdString();
  ASSERT_NE(messageButton(QStringLiteral("Resume")), nullptr);
  QPushButton* rest = messageButton(QStringLiteral("Resume without them"));
  ASSERT_NE(rest, nullptr);
  QTest::mouseClick(rest, Qt::LeftButton);
  ASSERT_EQ(queue().states().size(), 1U);
  EXPECT_EQ(lastJob()->request.existing, worker::ExistingResults::Resume);
  EXPECT_TRUE(lastJob()->request.keepsFailed);
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, OffersNoResumeWhereASettingOfAFinishedRunHasChanged) {
  const QString output = m_folder.filePath(QStringLiteral("output"));
  report::Report earlier = test::realisticReport({.layers = 4, .variants = {"bf16", "gone"}});
  earlier.effectiveJson =
      R"({"bf16": {"precision.compute_dtype": {"value": "float16", "origin": "variant"}}})";
  std::filesystem::create_directories(output.toStdString());
  ASSERT_TRUE(report::saveReport(earlier, output.toStdString()));
  openStudy();
  trigger("run.start");
  settle();
  EXPECT_EQ(messageText(),
            output + QStringLiteral(" holds results that this study cannot continue: bf16: "
                                    "precision.compute_dtype was float16, is now bfloat16; gone: "
                                    "the study no longer has this variant."));
  EXPECT_EQ(messageButton(QStringLiteral("Resume")), nullptr);
  QPushButton* folder = messageButton(QStringLiteral("New folder"));
  ASSERT_NE(folder, nullptr);
  QTest::mouseClick(folder, Qt::LeftButton);
  ASSERT_TRUE(test::waitFor([this] { return !queue().states().empty(); }));
  EXPECT_EQ(lastJob()->request.outputDir, (output + QStringLiteral("-2")).toStdString());
  ASSERT_TRUE(waitUntilOver());
  EXPECT_EQ(lastJob()->status, queue::JobStatus::Finished) << lastJob()->error.toStdString();
  EXPECT_TRUE(QFile::exists(output + QStringLiteral("-2/precision_report.json")));
}

TEST_F(RunStudyTest, SaysASettingThatChangedInAllRunsOnce) {
  const QString output = m_folder.filePath(QStringLiteral("output"));
  report::Report earlier = test::realisticReport({.layers = 4, .variants = {"bf16", "fp16"}});
  earlier.effectiveJson =
      R"({"reference": {"input.seed": {"value": "1", "origin": "study"}},
          "bf16": {"input.seed": {"value": "1", "origin": "study"}},
          "fp16": {"input.seed": {"value": "1", "origin": "study"}}})";
  std::filesystem::create_directories(output.toStdString());
  ASSERT_TRUE(report::saveReport(earlier, output.toStdString()));
  openStudy();
  trigger("run.start");
  settle();
  EXPECT_EQ(messageText(),
            output + QStringLiteral(" holds results that this study cannot continue: "
                                    "input.seed was 1, is now 0."));
}

TEST_F(RunStudyTest, AWorkerThatCannotResumeIsAnsweredWithWaysOut) {
  openStudy(QStringLiteral("slow"));
  startRun();
  ASSERT_TRUE(waitForVariants(1));
  trigger("run.stop");
  ASSERT_TRUE(waitUntilOver());
  openStudy(QStringLiteral("changed"));
  trigger("run.start");
  settle();
  QPushButton* resume = messageButton(QStringLiteral("Resume"));
  ASSERT_NE(resume, nullptr);
  QTest::mouseClick(resume, Qt::LeftButton);
  ASSERT_EQ(queue().states().size(), 2U);
  ASSERT_TRUE(waitUntilOver());
  settle();
  EXPECT_TRUE(messageText().endsWith(
      QStringLiteral("cannot continue: the weights digest was a, is now b.")))
      << messageText().toStdString();
  QPushButton* replace = messageButton(QStringLiteral("Replace"));
  ASSERT_NE(replace, nullptr);
  EXPECT_EQ(messageButton(QStringLiteral("Resume")), nullptr);
  QTest::mouseClick(replace, Qt::LeftButton);
  ASSERT_EQ(queue().states().size(), 3U);
  ASSERT_TRUE(waitUntilOver());
  EXPECT_EQ(lastJob()->status, queue::JobStatus::Finished) << lastJob()->error.toStdString();
}

TEST_F(RunStudyTest, AMistakeInTheStudyStopsItBeforeTheWorker) {
  openStudy();
  workspace().study.setText(workspace().study.content().text + QStringLiteral("colour: red\n"));
  trigger("run.start");
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
  ASSERT_TRUE(test::waitFor([&] { return asked.isNull() || !asked->isVisible(); }));
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
  EXPECT_TRUE(test::waitFor([this] { return !m_window->isVisible(); }));
}

TEST_F(RunStudyTest, OpeningAnotherReportStopsFollowingTheRun) {
  openStudy(QStringLiteral("slow"));
  startRun();
  ASSERT_TRUE(waitForVariants(1));
  open({reportFolder(QStringLiteral("other"))});
  EXPECT_EQ(workspace().reports.document()->variantCount(), 4);
  EXPECT_FALSE(m_session->runs().followedJob().has_value());
  trigger("run.stop");
  EXPECT_TRUE(waitUntilOver());
}

TEST_F(RunStudyTest, ANewStudyRunsAsSoonAsItHasAFile) {
  openStudy();
  const QString text = workspace().study.content().text;
  workspace().study.openNew();
  workspace().study.setText(text);
  trigger("run.start");
  auto* dialog = m_window->findChild<QFileDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(queue().states().empty());
  Q_EMIT dialog->fileSelected(m_folder.filePath(QStringLiteral("new.yaml")));
  dialog->reject();
  ASSERT_TRUE(test::waitFor([this] { return !queue().states().empty(); }));
  EXPECT_TRUE(waitUntilOver());
  EXPECT_TRUE(QFile::exists(m_folder.filePath(QStringLiteral("new.yaml"))));
}

}  // namespace
}  // namespace ulp::app
