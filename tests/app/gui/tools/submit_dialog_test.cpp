#include "app/gui/tools/submit_dialog.h"

#include <gtest/gtest.h>

#include <QtCore/QFile>
#include <QtGui/QScreen>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

#include "app/gui/tools/form_rows.h"
#include "tests/app/gui/window_fixture.h"

namespace ulp::app {
namespace {

TEST(SubmitWish, IsSaidInTheWordsOfTheCommandLine) {
  EXPECT_EQ(SubmitWish{.study = QStringLiteral("a.yaml")}.words(),
            QStringList{QStringLiteral("a.yaml")});
  EXPECT_EQ((SubmitWish{.study = QStringLiteral("a.yaml"),
                        .output = QStringLiteral("/shared/a"),
                        .partition = QStringLiteral("my gpus"),
                        .time = QStringLiteral("1:00"),
                        .gpus = QStringLiteral("2"),
                        .options = QStringLiteral("--mem=4G -A me"),
                        .device = QStringLiteral("cuda"),
                        .variants = QStringLiteral("bf16 \"my own\""),
                        .sets = QStringLiteral("input.seed=1 capture.level=op"),
                        .threads = 8,
                        .samplesPerTask = 3,
                        .sharesReference = true}
                 .words()
                 .join(QLatin1Char('|'))),
            QStringLiteral(
                "a.yaml|--output|/shared/a|--set|input.seed=1|--set|capture.level=op|"
                "--variant|bf16|--variant|my own|--device|cuda|--threads|8|--samples-per-task|3|"
                "--share-reference|--sbatch='--partition=my gpus'|--sbatch=--time=1:00|"
                "--sbatch=--gpus=2|--sbatch=--mem=4G -A me"));
}

class SubmitDialogTest : public test::WindowFixture {
 protected:
  QString worker(const QString& script) {
    const QString path = write(QStringLiteral("worker"), QStringLiteral("#!/bin/sh\n") + script);
    QFile::setPermissions(path, QFile::ReadOwner | QFile::ExeOwner);
    return path;
  }
  static void submit(SubmitDialog& dialog) {
    for (auto* button : dialog.findChildren<QPushButton*>()) {
      if (button->text() == QStringLiteral("&Submit")) {
        QTest::mouseClick(button, Qt::LeftButton);
      }
    }
  }
};

TEST_F(SubmitDialogTest, HandsTheStudyOverAndFollowsIt) {
  queue::ClusterWatch watch(worker(QStringLiteral(
                                       R"(echo "$@" >>%1/words
echo '{"folder":"/shared/a","summary":"1 running, 2 done","counts":{"waiting":0,"pending":0,"running":1,"done":2,"failed":0}}'
)")
                                       .arg(m_folder.path())));
  SubmitDialog dialog(watch, QStringLiteral("/s/my study.yaml"));
  dialog.show();
  QTest::keyClicks(dialog.findChild<QLineEdit*>(QStringLiteral("partition")),
                   QStringLiteral("gpu"));
  EXPECT_EQ(dialog.findChild<QPlainTextEdit*>(QStringLiteral("preview"))->toPlainText(),
            QStringLiteral("ulpscope-cli submit '/s/my study.yaml' --sbatch=--partition=gpu"));
  submit(dialog);
  EXPECT_TRUE(watch.isSubmitting());
  EXPECT_TRUE(test::waitFor(
      [&] { return !watch.states().empty() && watch.states().front().tasks() == 3; }));
  EXPECT_TRUE(dialog.stateText().startsWith(QStringLiteral("Submitted: /shared/a.")))
      << dialog.stateText().toStdString();
  EXPECT_FALSE(watch.states().front().isOver());
  EXPECT_EQ(watch.states().front().summary, QStringLiteral("1 running, 2 done"));
  QFile words(m_folder.filePath(QStringLiteral("words")));
  ASSERT_TRUE(words.open(QFile::ReadOnly));
  EXPECT_EQ(QString::fromUtf8(words.readLine()).trimmed(),
            QStringLiteral("submit /s/my study.yaml --sbatch=--partition=gpu --format json"));
}

TEST_F(SubmitDialogTest, ShowsWhatItsEmptyLinesSay) {
  queue::ClusterWatch watch(worker(QStringLiteral("exit 1\n")));
  SubmitDialog dialog(watch, QStringLiteral("/s/a.yaml"));
  auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("set"));
  // As long as the longest translation.
  line->setPlaceholderText(QString(120, QLatin1Char('m')));
  const int wanted = widthForPlaceholders(dialog);
  EXPECT_GE(wanted,
            std::min(dialog.screen()->availableGeometry().width(),
                     line->fontMetrics().horizontalAdvance(line->placeholderText())));
  line->setPlaceholderText({});
  EXPECT_LT(widthForPlaceholders(dialog), wanted);
  dialog.show();
  for (const QLineEdit* each : dialog.findChildren<QLineEdit*>()) {
    EXPECT_GE(each->width(), each->fontMetrics().horizontalAdvance(each->placeholderText()))
        << each->objectName().toStdString();
  }
}

TEST_F(SubmitDialogTest, ShowsARefusal) {
  queue::ClusterWatch watch(
      worker(QStringLiteral("echo 'ulpscope-cli: sbatch: no; do this' >&2; exit 2\n")));
  SubmitDialog dialog(watch, QStringLiteral("/s/a.yaml"));
  dialog.show();
  submit(dialog);
  EXPECT_TRUE(test::waitFor([&] { return !watch.isSubmitting(); }));
  EXPECT_TRUE(dialog.stateText().endsWith(QStringLiteral("sbatch: no; do this")))
      << dialog.stateText().toStdString();
  EXPECT_TRUE(watch.states().empty());
}

TEST(ClusterState, IsReadOrNot) {
  queue::ClusterState state;
  EXPECT_FALSE(queue::readClusterState("{}", state));
  EXPECT_FALSE(queue::readClusterState("nothing", state));
  EXPECT_TRUE(
      queue::readClusterState(R"({"summary":"1 failed","counts":{"failed":1,"done":2}})", state));
  EXPECT_EQ(state.failed, 1);
  EXPECT_EQ(state.tasks(), 3);
  EXPECT_TRUE(state.isOver());
}

}  // namespace
}  // namespace ulp::app
