#pragma once

#include <memory>

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include "core/report/report.h"
#include "runner/queue/job_queue.h"
#include "tests/views/realistic_report.h"
#include "views/framework/background.h"
#include "views/framework/bookmarks.h"
#include "views/framework/export_jobs.h"
#include "views/framework/finding_navigator.h"
#include "views/framework/run_launcher.h"
#include "views/framework/selection_context.h"
#include "views/framework/settings_store.h"
#include "views/framework/theme_manager.h"
#include "views/framework/view.h"
#include "views/framework/workspace.h"

namespace ulp::test {

/// What a window lends to its views, with settings of its own.
struct ContextFixture {
  QTemporaryDir folder;
  views::SettingsStore settings{folder.filePath(QStringLiteral("settings.ini"))};
  views::ThemeManager themes;
  views::Background background;
  views::SelectionContext selection;
  views::Workspace workspace{background, selection, settings};
  queue::JobQueue queue{QStringLiteral("/nonexistent/worker")};
  views::RunLauncher runs{workspace, background, queue};
  views::FindingNavigator findings{workspace, selection, settings, background};
  views::ExportJobs exports{workspace};
  views::Bookmarks bookmarks{workspace, selection, background};

  views::ViewContext context() {
    return {workspace,
            selection,
            themes,
            settings,
            background,
            queue,
            runs,
            findings,
            exports,
            bookmarks};
  }

  /// Saves the report as a run folder and opens it, as the user would.
  void openReport(const report::Report& report) {
    const Result<> saved = report::saveReport(report, folder.path().toStdString());
    ASSERT_TRUE(saved.has_value()) << saved.error().message();
    workspace.open(folder.path());
    settle();
    ASSERT_NE(workspace.document(), nullptr);
  }

  /// Saves the study and waits until it is done.
  [[nodiscard]] Result<> saveStudy(const QString& path) {
    Result<> result = fail(ErrorCode::Internal, "never done");
    workspace.saveStudy(path, [&result](const Result<>& saved) { result = saved; });
    settle();
    return result;
  }

  /// Until nothing waits in the background.
  void settle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return background.isIdle() && exports.isIdle(); }, 30000));
    QCoreApplication::processEvents();
  }
};

/// The picture shows more than one colour.
inline bool isBlank(const QImage& image) {
  const QRgb first = image.pixel(0, 0);
  for (int y = 0; y < image.height(); y += 2) {
    for (int x = 0; x < image.width(); x += 2) {
      if (image.pixel(x, y) != first) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace ulp::test
