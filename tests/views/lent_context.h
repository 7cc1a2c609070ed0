#pragma once

#include <QtCore/QTemporaryDir>

#include "runner/queue/job_queue.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/exports/export_jobs.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/settings/settings_store.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view.h"
#include "views/framework/workspace/bookmarks.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/workspace.h"
#include "views/studies/run_launcher.h"

namespace ulp::test {

/// What a window lends to its views, with settings of its own.
struct LentContext {
  QTemporaryDir folder;
  views::SettingsStore settings{folder.filePath(QStringLiteral("settings.ini"))};
  views::ThemeManager themes;
  views::Background background;
  views::SelectionContext selection;
  views::Workspace workspace{background, selection, settings};
  queue::JobQueue queue{QStringLiteral("/nonexistent/worker")};
  views::RunLauncher runs{workspace, background, queue};
  views::FindingNavigator findings{
      workspace.reports, workspace.messages, selection, settings, background};
  views::ExportJobs exports{workspace.messages};
  views::Bookmarks bookmarks{workspace.reports, workspace.messages, selection, background};

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
};

}  // namespace ulp::test
