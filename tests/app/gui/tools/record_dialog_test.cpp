#include "app/gui/tools/record_dialog.h"

#include <gtest/gtest.h>

#include <QtCore/QFile>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

#include "tests/app/gui/window_fixture.h"

namespace ulp::app {
namespace {

TEST(RecordWish, IsSaidInTheWordsOfTheCommandLine) {
  const auto text = [](const char* word) { return QString::fromLatin1(word); };
  EXPECT_EQ((RecordWish{.command = {text("python"), text("train.py")}, .folder = text("dump")}
                 .words()
                 .join(QLatin1Char(' '))),
            QStringLiteral("record --progress jsonl --out dump -- python train.py"));
  EXPECT_EQ((RecordWish{.command = {text("a")},
                        .config = text("c.json"),
                        .level = text("mix"),
                        .task = text("checksum"),
                        .modules = text("mlp"),
                        .list = {text("linear"), text("silu")},
                        .scope = {text("x"), text("y")},
                        .dataMode = {text("forward")},
                        .ranks = text("0"),
                        .steps = text("1-2"),
                        .tokens = text("0:3"),
                        .hasStack = true,
                        .hasWeights = true}
                 .words()
                 .join(QLatin1Char(' '))),
            QStringLiteral("record --progress jsonl --config c.json --level mix --task checksum "
                           "--modules mlp --list linear --list silu --scope x y --data-mode "
                           "forward --ranks 0 --steps 1-2 --tokens 0:3 --stack --weights -- a"));
}

TEST(RecordWish, WordsAreThoseOfAShell) {
  const auto words = [](const char* line) {
    return wordsOf(QString::fromLatin1(line)).join(QLatin1Char('|'));
  };
  EXPECT_EQ(words("  python  train.py --lr 1e-4 "), QStringLiteral("python|train.py|--lr|1e-4"));
  EXPECT_EQ(words(R"('my train.py' "a b"c \"d\" e\ f '' 'g\h')"),
            QStringLiteral("my train.py|a bc|\"d\"|e f||g\\h"));
  EXPECT_EQ(words("a 'b c"), QStringLiteral("a|b c"));
  EXPECT_EQ(words(""), QString());
}

class RecordDialogTest : public test::WindowFixture {
 protected:
  /// A worker that does what a script of the shell says; "$@" are its words.
  QString worker(const QString& script) {
    const QString path = write(QStringLiteral("worker"), QStringLiteral("#!/bin/sh\n") + script);
    QFile::setPermissions(path, QFile::ReadOwner | QFile::ExeOwner);
    return path;
  }
  static void type(const RecordDialog& dialog, const char* field, const QString& text) {
    QTest::keyClicks(dialog.findChild<QLineEdit*>(QLatin1String(field)), text);
  }
  static QPushButton* button(const RecordDialog& dialog, const QString& text) {
    for (auto* each : dialog.findChildren<QPushButton*>()) {
      if (each->text() == text) {
        return each;
      }
    }
    return nullptr;
  }
  static void start(RecordDialog& dialog) {
    dialog.QDialog::show();
    type(dialog, "command", QStringLiteral("python 'my train.py'"));
    type(dialog, "out", QStringLiteral("/dump"));
    QTest::mouseClick(button(dialog, QStringLiteral("&Record")), Qt::LeftButton);
  }
  static QString log(const RecordDialog& dialog) {
    return dialog.findChild<QPlainTextEdit*>(QStringLiteral("log"))->toPlainText();
  }
};

TEST_F(RecordDialogTest, ShowsHowFarItIsAndOpensTheResult) {
  RecordDialog dialog(worker(QStringLiteral(R"(
for word in "$@"; do echo "<$word>" >&2; done
echo '{"event":"progress","steps":2,"tensors":48,"bytes":2048,"ranks":1,"seconds":1}'
while ! [ -e %1/go ]; do sleep 0.05; done
echo '{"event":"finished","steps":3,"tensors":72,"bytes":3072,"ranks":1,"seconds":2,"folder":"/dump","exit_code":0,"problem":""}'
)")
                                 .arg(m_folder.path())));
  QString opened;
  QObject::connect(&dialog, &RecordDialog::recorded, [&](const QString& path) { opened = path; });
  EXPECT_FALSE(button(dialog, QStringLiteral("&Record"))->isEnabled());
  start(dialog);
  EXPECT_TRUE(test::waitFor([&] {
    return dialog.stateText().startsWith(QStringLiteral("2 steps"));
  })) << dialog.stateText().toStdString();
  EXPECT_TRUE(dialog.stateText().startsWith(QStringLiteral("2 steps, 48 tensors, 2.0 KiB; 0:0")))
      << dialog.stateText().toStdString();
  EXPECT_FALSE(button(dialog, QStringLiteral("&Record"))->isEnabled());
  // Closed, it goes on.
  dialog.reject();
  EXPECT_FALSE(dialog.isVisible());
  EXPECT_TRUE(dialog.isRecording());
  write(QStringLiteral("go"), {});
  EXPECT_TRUE(test::waitFor([&] { return !dialog.isRecording(); }));
  EXPECT_EQ(opened, QStringLiteral("/dump"));
  EXPECT_EQ(dialog.stateText(), QStringLiteral("Recorded 3 steps, 72 tensors, 3.0 KiB: /dump"));
  EXPECT_TRUE(
      log(dialog).endsWith(QStringLiteral("<--out>\n</dump>\n<-->\n<python>\n<my train.py>")))
      << log(dialog).toStdString();
}

TEST_F(RecordDialogTest, StopEndsItWithinASecond) {
  // It hears nothing: the second signal is that of the worker to kill the program.
  RecordDialog dialog(worker(QStringLiteral(R"(
trap 'if [ "$told" ]; then echo "{\"event\":\"finished\",\"steps\":1,\"tensors\":4,\"ranks\":1,\"folder\":\"/dump\",\"exit_code\":137,\"problem\":\"\"}"; exit 137; fi; told=1' INT
echo '{"event":"progress","steps":1,"tensors":4,"bytes":16,"ranks":1,"seconds":1}'
while true; do sleep 0.05; done
)")));
  QString opened;
  QObject::connect(&dialog, &RecordDialog::recorded, [&](const QString& path) { opened = path; });
  start(dialog);
  EXPECT_TRUE(
      test::waitFor([&] { return dialog.stateText().startsWith(QStringLiteral("1 step,")); }));
  QTest::mouseClick(button(dialog, QStringLiteral("&Stop")), Qt::LeftButton);
  EXPECT_TRUE(test::waitFor([&] { return !dialog.isRecording(); }));
  EXPECT_EQ(opened, QStringLiteral("/dump"));
  EXPECT_TRUE(dialog.stateText().startsWith(QStringLiteral("Recorded 1 step,")))
      << dialog.stateText().toStdString();
}

TEST_F(RecordDialogTest, ProblemsAreShown) {
  RecordDialog failing(worker(QStringLiteral(
      "echo '{\"event\":\"finished\",\"steps\":0,\"tensors\":0,\"folder\":\"\",\"exit_code\":0,"
      "\"problem\":\"nothing was recorded: no torch\"}'; exit 3")));
  start(failing);
  EXPECT_TRUE(test::waitFor([&] { return !failing.isRecording(); }));
  EXPECT_TRUE(failing.stateText().endsWith(QStringLiteral("nothing was recorded: no torch")));

  RecordDialog refusing(
      worker(QStringLiteral("echo 'ulpscope-cli: /dump: a recording is there' >&2; exit 2")));
  start(refusing);
  EXPECT_TRUE(test::waitFor([&] { return !refusing.isRecording(); }));
  EXPECT_TRUE(refusing.stateText().endsWith(QStringLiteral("a recording is there")));

  RecordDialog missing(QStringLiteral("/nowhere/ulpscope-cli"));
  start(missing);
  EXPECT_TRUE(test::waitFor([&] { return !missing.isRecording(); }));
  EXPECT_TRUE(
      missing.stateText().contains(QStringLiteral("/nowhere/ulpscope-cli cannot be started")));
}

TEST_F(RecordDialogTest, TheWindowHasOne) {
  trigger("file.record");
  trigger("file.record");
  const auto dialogs = m_window->findChildren<RecordDialog*>();
  ASSERT_EQ(dialogs.size(), 1);
  EXPECT_TRUE(dialogs.front()->isVisible());
  type(*dialogs.front(), "tokens", QStringLiteral("0:3"));
  EXPECT_FALSE(dialogs.front()->findChild<QComboBox*>(QStringLiteral("steps-by"))->isEnabled());
  EXPECT_EQ(dialogs.front()->wish().tokens, QStringLiteral("0:3"));
}

}  // namespace
}  // namespace ulp::app
