#include <algorithm>
#include <iterator>
#include <utility>

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtGui/QGuiApplication>
#include <QtGui/QSessionManager>

#include "app/gui/session/window_settings.h"
#include "app/gui/window/main_window.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/set_aside.h"
#include "views/framework/view/viewport_link.h"

namespace ulp::app {
namespace {

constexpr std::size_t kSessionLimitBytes = std::size_t{1} << 24;

Result<SavedSession> readSession(const QString& path) {
  const std::string text = ULP_TRY(readTextFile(path.toStdString(), kSessionLimitBytes));
  return savedSessionFromJson(QByteArray::fromStdString(text));
}

/// The next start may happen in another folder.
QString absolutePath(const QString& path) {
  return path.isEmpty() ? path : QFileInfo(path).absoluteFilePath();
}

}  // namespace

void MainWindow::restoreSession() {
  views::Workspace& workspace = m_session.workspace();
  if (const auto problem = m_session.settings().problem()) {
    workspace.messages.raise(*problem);
  }
  const QString path = sessionFile(m_session.settings().fileName());
  if (QFile::exists(path)) {
    if (Result<SavedSession> saved = readSession(path)) {
      m_saved = std::move(*saved);
    } else {
      workspace.messages.raise(
          views::setAsideMessage(path, tr("session"), setAside(path.toStdString())));
    }
  }
  if (!m_saved.geometry.isEmpty()) {
    restoreGeometry(m_saved.geometry);
  }
  restoreTabs(m_saved.tabs);
  for (const Place& place : m_places) {
    if (const auto state = m_saved.viewStates.find(place.descriptor.id);
        state != m_saved.viewStates.end()) {
      place.host->restoreState(state->second);
    }
  }
  for (const QString& id : m_saved.linked) {
    if (views::ViewHost* tab = host(id)) {
      m_link->setLinked(*tab, true);
    }
  }
  if (m_session.settings().get(kRestoreSession)) {
    restoreQueue(m_saved.waiting);
  }
  // The desktop ends its session: what the user may not be asked about is at least remembered.
  connect(qApp, &QGuiApplication::commitDataRequest, this, &MainWindow::saveSession);
}

void MainWindow::reopenLastSession() {
  views::Workspace& workspace = m_session.workspace();
  if (!m_session.settings().get(kRestoreSession)) {
    return;
  }
  const auto isThere = [&](const QString& path) {
    if (!path.isEmpty() && !QFileInfo::exists(path)) {
      workspace.messages.raise(
          {.severity = views::Severity::Look,
           .text = tr("%1, which was open in the last session, is gone.").arg(path),
           .topic = QStringLiteral("gone:") + path,
           .actions = {}});
    }
    return !path.isEmpty() && QFileInfo::exists(path);
  };
  const bool hasStudy = isThere(m_saved.study);
  const bool hasReport = isThere(m_saved.report);
  m_isReopening = hasStudy || hasReport;
  const auto follow = [this] {
    m_isReopening = m_isReopening && m_session.workspace().isLoading();
  };
  connect(&workspace.reports, &views::ReportSet::loadingChanged, this, follow);
  connect(&workspace.study, &views::StudyDocument::loadingChanged, this, follow);
  if (hasStudy) {
    workspace.open({m_saved.study});
  }
  if (hasReport) {
    connect(
        &workspace.reports,
        &views::ReportSet::reportShown,
        this,
        [this, wanted = m_saved.selection] {
          const views::DocumentPtr& document = m_session.workspace().reports.document();
          views::Selection selection = views::adaptSelection(wanted, *document);
          m_session.selection().reset(selection);
          if (!wanted.baseline.isEmpty()) {
            selection.baseline = wanted.baseline;
            selection.relation = wanted.relation;
            selection.runs = wanted.runs;
            m_session.selection().amend(selection);
          }
        },
        Qt::SingleShotConnection);
    QStringList reports{m_saved.report};
    std::ranges::copy_if(m_saved.beside, std::back_inserter(reports), isThere);
    workspace.open(reports);
  }
}

void MainWindow::saveSession() {
  const views::Workspace& workspace = m_session.workspace();
  m_saved.geometry = saveGeometry();
  if (!isStartPageShown()) {
    m_saved.layout = saveState(kLayoutVersion);
  }
  for (const Place& place : m_places) {
    m_saved.viewStates[place.descriptor.id] = place.host->saveState();
  }
  m_saved.report.clear();
  m_saved.beside.clear();
  for (const analysis::ReportSource& source : workspace.reports.sources()) {
    // What was never written can be compared again: the recent ones know how.
    if (views::isUnsaved(source.loaded)) {
      continue;
    }
    const QString file = absolutePath(QString::fromStdString(source.loaded.file.string()));
    if (m_saved.report.isEmpty()) {
      m_saved.report = file;
    } else {
      m_saved.beside << file;
    }
  }
  m_saved.tabs = addedTabs();
  m_saved.linked = m_link->linkedIds();
  m_saved.study =
      workspace.study.isOpen() ? absolutePath(workspace.study.content().path) : QString();
  m_saved.selection = m_session.selection().selection();
  m_saved.waiting = waitingRequests();
  m_session.settings().sync();
  const QString path = sessionFile(m_session.settings().fileName());
  const Result<> written = writeFileAtomically(path.toStdString(), toJson(m_saved).toStdString());
  if (!written) {
    qWarning("%s", written.error().message().c_str());
  }
}

}  // namespace ulp::app
