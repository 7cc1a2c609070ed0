#include "app/gui/session/session.h"

#include <QtCore/QFileInfo>

#include "app/gui/session/window_settings.h"
#include "views/framework/widgets/accessible_chart.h"

namespace ulp::app {
namespace {

QString stateFolderOf(const SessionOptions& options) {
  if (!options.stateFolder.isEmpty()) {
    return options.stateFolder;
  }
  return options.settingsFile.isEmpty() ? views::StudyGuard::defaultFolder()
                                        : QFileInfo(options.settingsFile).absolutePath();
}

}  // namespace

Session::Session(const SessionOptions& options)
    : m_settings(options.settingsFile),
      m_translations(m_settings.get(kLanguage), options.pseudoTranslate),
      m_applied(m_settings, m_themes),
      m_workspace(m_background, m_selection, m_settings),
      m_comparer(m_workspace.reports,
                 m_workspace.messages,
                 m_workspace.requests,
                 m_settings,
                 m_background),
      m_guard(m_workspace.study, m_workspace.messages, m_background, stateFolderOf(options)),
      m_workerProgram(options.workerProgram.isEmpty() ? queue::JobQueue::defaultWorkerProgram()
                                                      : options.workerProgram),
      m_queue(m_workerProgram),
      m_runs(m_workspace, m_background, m_queue),
      m_reportWatch(m_workspace.reports,
                    m_workspace.messages,
                    m_background,
                    [this] { return m_runs.followedJob().has_value(); }),
      m_findings(m_workspace.reports, m_workspace.messages, m_selection, m_settings, m_background),
      m_exports(m_workspace.messages),
      m_bookmarks(m_workspace.reports, m_workspace.messages, m_selection, m_background),
      m_registry(views::builtinViews()) {
  views::installChartAccessibility();
  QObject::connect(&m_background,
                   &views::Background::failed,
                   &m_workspace.messages,
                   [this](const QString& tag, const QString& problem) {
                     m_workspace.messages.raise(
                         {.severity = views::Severity::Broken, .text = problem, .topic = tag});
                   });
}

views::ViewContext Session::context() {
  return {.workspace = m_workspace,
          .selection = m_selection,
          .themes = m_themes,
          .settings = m_settings,
          .background = m_background,
          .queue = m_queue,
          .runs = m_runs,
          .findings = m_findings,
          .exports = m_exports,
          .bookmarks = m_bookmarks};
}

}  // namespace ulp::app
