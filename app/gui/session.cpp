#include "app/gui/session.h"

#include "app/gui/window_settings.h"
#include "views/framework/accessible_chart.h"

namespace ulp::app {

Session::Session(const SessionOptions& options)
    : m_settings(options.settingsFile),
      m_translations(m_settings.get(kLanguage), options.pseudoTranslate),
      m_applied(m_settings, m_themes),
      m_workspace(m_background, m_selection, m_settings),
      m_queue(options.workerProgram),
      m_runs(m_workspace, m_background, m_queue),
      m_registry(views::builtinViews()) {
  views::installChartAccessibility();
}

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
