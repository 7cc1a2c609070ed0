#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtGui/QImage>

#include "core/report/model/report.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/realistic_report.h"
#include "views/framework/view/view_registry.h"

namespace ulp::app {
namespace {

struct Outcome {
  int code = -1;
  QString out;
  QString err;
};

Outcome runProgram(const QStringList& arguments) {
  const QTemporaryDir runtime;
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
  // Where there is no session, Qt says on standard error that it takes another folder.
  environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), runtime.path());
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(ULP_BINARY_DIR "/bin/ulpscope"), arguments);
  EXPECT_TRUE(process.waitForFinished(60000));
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
          QString::fromUtf8(process.readAllStandardOutput()),
          QString::fromUtf8(process.readAllStandardError())};
}

/// The window opens files of others, and HDF5 does not survive all of them.
TEST(GuiProgram, IsNotLinkedWithHdf5) {
  for (const char* file : {"lib/libulpscope_window.so", "lib/libulpscope_pictures.so"}) {
    QProcess process;
    process.start(QStringLiteral("ldd"),
                  {QStringLiteral(ULP_BINARY_DIR "/") + QLatin1String(file)});
    ASSERT_TRUE(process.waitForFinished(60000));
    const QString libraries = QString::fromUtf8(process.readAllStandardOutput());
    EXPECT_TRUE(libraries.contains(QLatin1String("libQt6Core"))) << file;
    EXPECT_FALSE(libraries.contains(QLatin1String("hdf5"))) << libraries.toStdString();
  }
}

/// A window of a user who has nothing else open.
class RunningWindow {
 public:
  explicit RunningWindow(const QStringList& arguments) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    for (const char* name : {"HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"}) {
      environment.insert(QLatin1String(name), m_home.path());
    }
    m_process.setProcessEnvironment(environment);
    m_process.start(QStringLiteral(ULP_BINARY_DIR "/bin/ulpscope"), arguments);
  }
  ~RunningWindow() {
    m_process.kill();
    m_process.waitForFinished();
  }
  RunningWindow(const RunningWindow&) = delete;
  RunningWindow& operator=(const RunningWindow&) = delete;

  [[nodiscard]] bool listens() const {
    const QDir folder(m_home.path());
    return !folder.entryList({QStringLiteral("ulpscope-*")}, QDir::System).isEmpty();
  }
  /// Exit code of a second start of the same user.
  int startAgain(const QStringList& arguments) {
    QProcess second;
    second.setProcessEnvironment(m_process.processEnvironment());
    second.start(QStringLiteral(ULP_BINARY_DIR "/bin/ulpscope"), arguments);
    const bool ended = second.waitForFinished(20000);
    second.kill();
    return ended && second.exitStatus() == QProcess::NormalExit ? second.exitCode() : -1;
  }

 private:
  QTemporaryDir m_home;
  QProcess m_process;
};

struct Start {
  double milliseconds = -1;
  double kibibytes = -1;
};

Start measureStart(const QStringList& paths) {
  const Outcome outcome = runProgram(QStringList{QStringLiteral("--benchmark-start")} + paths);
  EXPECT_EQ(outcome.code, 0) << outcome.err.toStdString();
  const QStringList words = outcome.out.simplified().split(QLatin1Char(' '));
  if (words.size() != 4 || words[0] != QStringLiteral("first_frame_ms")) {
    ADD_FAILURE() << outcome.out.toStdString();
    return {};
  }
  return {words[1].toDouble(), words[3].toDouble()};
}

TEST(Program, MeasuresItsStart) {
  const Start start = measureStart({});
  EXPECT_GT(start.milliseconds, 0) << "how many are allowed is a matter of start_bench";
  EXPECT_GT(start.kibibytes, 0);
  EXPECT_LT(start.kibibytes, 150.0 * 1024);
}

TEST(Program, MeasuresItsStartUntilTheReportIsShown) {
  const QTemporaryDir folder;
  const test::ReportShape shape{.layers = 200};
  ASSERT_TRUE(report::saveReport(test::realisticReport(shape), folder.path().toStdString()));
  // A report that was read and shown takes memory.
  EXPECT_GT(measureStart({folder.path()}).kibibytes, measureStart({}).kibibytes + 1024);
}

TEST(Program, WritesPicturesOfEveryView) {
  const QTemporaryDir folder;
  const QString run = folder.filePath(QStringLiteral("run"));
  ASSERT_TRUE(QDir().mkpath(run));
  ASSERT_TRUE(report::saveReport(test::realisticReport({.layers = 4}), run.toStdString()));
  const QString pictures = folder.filePath(QStringLiteral("pictures"));
  const Outcome outcome = runProgram({run,
                                      QStringLiteral("--screenshot"),
                                      pictures,
                                      QStringLiteral("--size"),
                                      QStringLiteral("800x600"),
                                      QStringLiteral("--scale"),
                                      QStringLiteral("2"),
                                      QStringLiteral("--theme"),
                                      QStringLiteral("dark")});
  EXPECT_EQ(outcome.code, 0) << outcome.err.toStdString();
  EXPECT_TRUE(outcome.err.isEmpty()) << outcome.err.toStdString();
  const QImage window(pictures + QStringLiteral("/window.png"));
  EXPECT_EQ(window.size(), QSize(1600, 1200));
  EXPECT_LT(window.pixelColor(5, 5).lightness(), 100);
  const views::ViewRegistry registry = views::builtinViews();
  for (const views::ViewDescriptor& view : registry.all()) {
    EXPECT_FALSE(QImage(pictures + QLatin1Char('/') + view.id + QStringLiteral(".png")).isNull())
        << view.id.toStdString();
  }
}

TEST(Program, ASecondStartHandsItsFilesToTheWindowThatIsOpen) {
  RunningWindow window({});
  ASSERT_TRUE(test::waitFor([&] { return window.listens(); }));
  EXPECT_EQ(window.startAgain({QStringLiteral("/some/report.json")}), 0);
}

TEST(Program, SaysWhatIsWrongWithAReport) {
  const QTemporaryDir folder;
  const Outcome outcome = runProgram({QStringLiteral("/nonexistent/run"),
                                      QStringLiteral("--screenshot"),
                                      folder.filePath(QStringLiteral("p"))});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.err.contains(QStringLiteral("/nonexistent/run")))
      << outcome.err.toStdString();
}

TEST(Program, ItsHelpNamesIt) {
  const Outcome outcome = runProgram({QStringLiteral("--help")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.startsWith(QStringLiteral("Usage: ulpscope [options] [PATH…]\n")))
      << outcome.out.toStdString();
}

TEST(Program, RefusesWrongUse) {
  const Outcome outcome = runProgram({QStringLiteral("--no-such-option")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_FALSE(outcome.err.isEmpty());
}

TEST(Program, SaysThatTheFolderOfARelativePathWasDeleted) {
  const QTemporaryDir folder;
  QProcess process;
  process.start(QStringLiteral("/bin/sh"),
                {QStringLiteral("-c"),
                 QStringLiteral("cd \"$0\" && rmdir \"$0\" && exec " ULP_BINARY_DIR
                                "/bin/ulpscope --benchmark-start run.json"),
                 folder.path()});
  ASSERT_TRUE(process.waitForFinished(60000));
  EXPECT_EQ(process.exitCode(), 2);
  EXPECT_EQ(process.readAllStandardError(),
            QByteArray("ulpscope: run.json: the folder that this was started in does not exist any "
                       "more; give a path that begins with /\n"));
}

}  // namespace
}  // namespace ulp::app
