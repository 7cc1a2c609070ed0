#pragma once

#include <fstream>
#include <memory>

#include <gtest/gtest.h>

#include <QtCore/QTemporaryDir>
#include <QtGui/QAction>
#include <QtTest/QTest>

#include "app/gui/session/session.h"
#include "app/gui/window/main_window.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/realistic_report.h"

namespace ulp::test {

/// A window with settings of its own, whose worker is the fake one.
class WindowFixture : public testing::Test {
 protected:
  void SetUp() override {
    qputenv("XDG_CACHE_HOME", m_folder.path().toLocal8Bit());
    makeWindow();
  }

  void makeWindow() {
    m_window.reset();
    m_session.reset();
    m_session = std::make_unique<app::Session>(app::SessionOptions{
        .settingsFile = m_folder.filePath(QStringLiteral("settings.ini")),
        .workerProgram = QStringLiteral(ULP_BINARY_DIR "/tests/gui_fake_worker")});
    m_window = std::make_unique<app::MainWindow>(*m_session);
    // Not that of the offscreen screen, which is small.
    m_window->resize(1280, 800);
    m_window->lastSession().restore();
    m_window->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_window.get()));
  }

  void settle() {
    ASSERT_TRUE(test::waitFor([this] { return m_session->background().isIdle(); }));
    QCoreApplication::processEvents();
  }

  /// Opens files and waits for them.
  void open(const QStringList& paths) {
    m_window->open(paths);
    settle();
  }
  /// Brings a view up and waits for it.
  void show(const char* view) {
    m_window->docks().raiseView(QLatin1String(view));
    settle();
  }
  void showEveryView() {
    for (const views::ViewDescriptor& view : m_session->registry().all()) {
      m_window->docks().raiseView(view.id);
      settle();
    }
  }
  void trigger(const char* command) const {
    m_window->actions()[QLatin1String(command)]->trigger();
  }
  [[nodiscard]] views::ViewHost* host(const char* view) const {
    return m_window->docks().host(QLatin1String(view));
  }
  /// Compares dumps and waits for the end.
  void compare(const report::DumpOrigin& origin) {
    workspace().requests.compareDumps(origin);
    settle();
  }

  /// Saves a report as the run folder `name` and returns its path.
  QString reportFolder(const QString& name, const ReportShape& shape = {.layers = 4}) {
    const QString path = m_folder.filePath(name);
    std::filesystem::create_directories(path.toStdString());
    EXPECT_TRUE(report::saveReport(realisticReport(shape), path.toStdString()).has_value());
    return path;
  }

  QString write(const QString& name, const QString& text) {
    const QString path = m_folder.filePath(name);
    std::ofstream(path.toStdString()) << text.toStdString();
    return path;
  }

  /// A valid study whose results go to the folder `output`.
  QString study(const QString& comment = {}) {
    return write(QStringLiteral("study.yaml"),
                 QStringLiteral("# %1\nmodel:\n  path: some/model\nvariants:\n"
                                "  bf16: {precision.compute_dtype: bfloat16}\n"
                                "  fp16: {precision.compute_dtype: float16}\n"
                                "output_dir: %2\n")
                     .arg(comment, m_folder.filePath(QStringLiteral("output"))));
  }

  [[nodiscard]] views::Workspace& workspace() const { return m_session->workspace(); }
  [[nodiscard]] queue::JobQueue& queue() const { return m_session->queue(); }

  QTemporaryDir m_folder;
  std::unique_ptr<app::Session> m_session;
  std::unique_ptr<app::MainWindow> m_window;
};

}  // namespace ulp::test
