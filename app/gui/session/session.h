#pragma once

#include <QtCore/QString>

#include "app/gui/session/translations.h"
#include "app/gui/session/window_settings.h"
#include "runner/queue/job_queue.h"
#include "views/comparing/dump_comparer.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/exports/export_jobs.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/settings/settings_store.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/workspace/bookmarks.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/workspace.h"
#include "views/studies/report_watch.h"
#include "views/studies/run_launcher.h"
#include "views/studies/study_guard.h"

namespace ulp::app {

/// Where the parts of a window come from; empty: the usual ones.
struct SessionOptions {
  QString settingsFile;
  QString workerProgram;
  QString
      stateFolder;  ///< of copies of unsaved studies; with a settings file of its own: beside it
  bool pseudoTranslate = false;
};

/// Owns what the views share, in the order in which it may die.
class Session {
 public:
  explicit Session(const SessionOptions& options = {});

  [[nodiscard]] views::ViewContext context();

  [[nodiscard]] views::SettingsStore& settings() { return m_settings; }
  [[nodiscard]] views::ThemeManager& themes() { return m_themes; }
  [[nodiscard]] views::Background& background() { return m_background; }
  [[nodiscard]] views::SelectionContext& selection() { return m_selection; }
  [[nodiscard]] views::Workspace& workspace() { return m_workspace; }
  [[nodiscard]] views::DumpComparer& comparer() { return m_comparer; }
  [[nodiscard]] views::StudyGuard& studyGuard() { return m_guard; }
  [[nodiscard]] queue::JobQueue& queue() { return m_queue; }
  /// The ulpscope-cli that runs studies.
  [[nodiscard]] const QString& workerProgram() const { return m_workerProgram; }
  [[nodiscard]] views::RunLauncher& runs() { return m_runs; }
  [[nodiscard]] views::FindingNavigator& findings() { return m_findings; }
  [[nodiscard]] views::ExportJobs& exports() { return m_exports; }
  [[nodiscard]] views::Bookmarks& bookmarks() { return m_bookmarks; }
  [[nodiscard]] const views::ViewRegistry& registry() const { return m_registry; }

 private:
  views::SettingsStore m_settings;
  Translations m_translations;
  views::ThemeManager m_themes;
  AppliedSettings m_applied;
  views::Background m_background;
  views::SelectionContext m_selection;
  views::Workspace m_workspace;
  views::DumpComparer m_comparer;
  views::StudyGuard m_guard;
  QString m_workerProgram;
  queue::JobQueue m_queue;
  views::RunLauncher m_runs;
  views::ReportWatch m_reportWatch;
  views::FindingNavigator m_findings;
  views::ExportJobs m_exports;
  views::Bookmarks m_bookmarks;
  views::ViewRegistry m_registry;
};

}  // namespace ulp::app
