#include "app/gui/session.h"

#include <QtCore/QFileInfo>

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
      m_workspace(m_background, m_selection, m_settings),
      m_guard(m_workspace, m_background, stateFolderOf(options)),
      m_queue(options.workerProgram),
      m_runs(m_workspace, m_background, m_queue),
      m_registry(views::builtinViews()) {}

Session::~Session() = default;

views::ViewContext Session::context() {
  return {.workspace = m_workspace,
          .selection = m_selection,
          .themes = m_themes,
          .settings = m_settings,
          .background = m_background,
          .queue = m_queue,
          .runs = m_runs};
}

}  // namespace ulp::app
