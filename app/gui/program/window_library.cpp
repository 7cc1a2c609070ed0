#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>

#include "app/gui/dumps/fetched_paths.h"
#include "app/gui/session/saved_session.h"
#include "app/gui/session/session.h"
#include "app/gui/start/command_line.h"
#include "app/gui/start/first_frame.h"
#include "app/gui/start/single_instance.h"
#include "app/gui/start/ssh_question.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/screenshots.h"
#include "core/base/barrier.h"
#include "core/remote/ssh/ssh_process.h"
#include "views/framework/threads/responsive_application.h"

namespace ulp::app {
namespace {

constexpr int kFailed = 1;
/// Above this a user notices that the window does not answer.
constexpr double kNoticedMs = 100;

int printAndExit(const CommandLineExit& exit) {
  std::fputs(exit.text.toUtf8().constData(), exit.code == 0 ? stdout : stderr);
  return exit.code;
}

/// The offscreen platform complains about windows that have a minimum size or come to the front.
void printMessage(QtMsgType /*type*/, const QMessageLogContext& /*context*/, const QString& text) {
  if (!text.startsWith(QLatin1String("This plugin does not support"))) {
    std::fprintf(stderr, "%s\n", text.toLocal8Bit().constData());
  }
}

/// Must run before the application object exists.
void prepareEnvironment(const CommandLine& options) {
  if (options.screenshotDir.isEmpty()) {
    return;
  }
  qInstallMessageHandler(&printMessage);
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale));
}

/// What the user set holds already; the command line comes before it.
void chooseTheme(Session& session, const CommandLine& options) {
  if (options.theme) {
    session.themes().setChoice(*options.theme);
  }
}

int takeScreenshots(Session& session, MainWindow& window, const CommandLine& options) {
  bool failed = false;
  QObject::connect(&session.workspace().messages,
                   &views::Messages::raise,
                   &window,
                   [&failed](const views::Message& message) {
                     failed = failed || message.severity == views::Severity::Broken;
                     std::fprintf(stderr, "ulpscope: %s\n", message.text.toUtf8().constData());
                   });
  window.open(options.paths);
  const Result<QStringList> files =
      writeScreenshots(session, window, options.screenshotDir, options.size);
  if (!files) {
    std::fprintf(stderr, "ulpscope: %s\n", files.error().message().c_str());
    return kFailed;
  }
  for (const QString& file : *files) {
    std::puts(file.toUtf8().constData());
  }
  return failed ? kFailed : 0;
}

/// Until what was named on the command line has been read and painted.
void waitForFiles(Session& session) {
  while (!session.background().isIdle()) {
    QApplication::processEvents(QEventLoop::WaitForMoreEvents);
  }
  QApplication::processEvents();
}

void printFirstFrame() {
  std::printf("first_frame_ms %.0f\nresident_kib %llu\n",
              millisecondsSinceProcessStart(),
              static_cast<unsigned long long>(residentBytes() / 1024));
  std::fflush(stdout);
}

QStringList absolutePaths(const QStringList& paths) {
  QStringList absolute;
  for (const QString& path : paths) {
    absolute << (isOnHost(path) ? path : QFileInfo(path).absoluteFilePath());
  }
  return absolute;
}

/// Opens what later starts hand over, unless another window does that already.
void receiveFiles(SingleInstance& instance, MainWindow& window) {
  QObject::connect(
      &instance, &SingleInstance::received, &window, [&window](const QStringList& paths) {
        window.open(paths);
        window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
        window.raise();
        window.activateWindow();
      });
  instance.listen();
}

/// Queued: what shows the message may be what the event was about.
void showFailures(const views::ResponsiveApplication& application, views::Messages& messages) {
  QObject::connect(
      &application,
      &views::ResponsiveApplication::failed,
      &messages,
      [&messages](const QString& problem) {
        messages.raise({.severity = views::Severity::Broken,
                        .text = problem,
                        .topic = QStringLiteral("failed-event")});
      },
      Qt::QueuedConnection);
}

int run(views::ResponsiveApplication& application, const CommandLine& options) {
  std::optional<SingleInstance> instance(std::in_place);
  const bool mayHandOver = !options.isScripted() && !options.newWindow && !options.resetSettings;
  if (mayHandOver && instance->handOver(absolutePaths(options.paths))) {
    return 0;
  }
  // Scripted starts neither read nor change what the user set.
  std::optional<QTemporaryDir> scratch;
  SessionOptions sessionOptions;
  if (options.isScripted()) {
    scratch.emplace();
    sessionOptions.settingsFile = scratch->filePath(QStringLiteral("settings.ini"));
  }
  sessionOptions.pseudoTranslate = options.pseudoTranslate;
  Session session(sessionOptions);
  if (options.resetSettings) {
    forgetEverything(session.settings());
  }
  chooseTheme(session, options);
  showFailures(application, session.workspace().messages);
  MainWindow window(session);
  if (!options.screenshotDir.isEmpty()) {
    return takeScreenshots(session, window, options);
  }
  window.lastSession().restore();
  const FirstFrame frame(window, [&] {
    if (options.benchmarkStart) {
      waitForFiles(session);
      printFirstFrame();
      QApplication::quit();
      return;
    }
    session.themes().followPortal();
    // Starting up takes as long as it takes; from here on the window has to answer.
    QObject::connect(
        &application, &views::ResponsiveApplication::stalled, &window, &views::logStall);
    application.watch(kNoticedMs);
  });
  if (options.paths.isEmpty()) {
    window.lastSession().reopen();
  }
  window.open(options.paths);
  if (!options.isScripted()) {
    receiveFiles(*instance, window);
  }
  window.show();
  const int code = QApplication::exec();
  // What is still being saved takes its time; another window may open meanwhile.
  instance.reset();
  return code;
}

/// ssh asks the user by this program, wherever it is started from here on.
void answerForSsh() {
  if (!qEnvironmentVariableIsSet("ULP_ASKPASS")) {
    qputenv("ULP_ASKPASS", QCoreApplication::applicationFilePath().toLocal8Bit());
  }
}

/// ssh has started this program to ask something.
int answerOneQuestion(int argc, char** argv) {
  // Other programs that the answer leads to are started as usual.
  qunsetenv(remote::kAskingVariable);
  const QString question = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString();
  views::ResponsiveApplication application(argc, argv);
  QApplication::setApplicationDisplayName(QStringLiteral("Ulpscope"));
  const QTemporaryDir scratch;
  const Session session({.settingsFile = scratch.filePath(QStringLiteral("settings.ini"))});
  return answerSsh(question);
}

int runApplication(int& argc, char** argv, const CommandLine& options) {
  views::ResponsiveApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("ulpscope"));
  QApplication::setApplicationDisplayName(QStringLiteral("Ulpscope"));
  QApplication::setApplicationVersion(QStringLiteral(ULP_VERSION));
  QApplication::setDesktopFileName(QStringLiteral(ULP_DESKTOP_ID));
  answerForSsh();
  return run(application, options);
}

int start(int argc, char** argv) {
  if (qEnvironmentVariableIsSet(remote::kAskingVariable)) {
    return answerOneQuestion(argc, argv);
  }
  QStringList arguments;
  for (int i = 0; i < argc; ++i) {
    arguments << QString::fromLocal8Bit(argv[i]);
  }
  const CommandLineResult parsed = parseCommandLine(arguments);
  if (parsed.exit) {
    return printAndExit(*parsed.exit);
  }
  prepareEnvironment(parsed.options);
  return runApplication(argc, argv, parsed.options);
}

}  // namespace
}  // namespace ulp::app

extern "C" __attribute__((visibility("default"))) int ulpscopeWindow(int argc, char** argv) {
  const auto end = ulp::behindBarrier(
      "ulpscope", [&]() -> ulp::Result<int> { return ulp::app::start(argc, argv); });
  if (!end) {
    std::fprintf(stderr, "%s\n", end.error().message().c_str());
  }
  return end ? *end : ulp::app::kFailed;
}
