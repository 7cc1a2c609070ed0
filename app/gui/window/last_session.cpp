#include "app/gui/window/last_session.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <utility>

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtGui/QGuiApplication>
#include <QtGui/QSessionManager>
#include <QtWidgets/QMainWindow>

#include "app/gui/session/session.h"
#include "app/gui/session/window_settings.h"
#include "app/gui/window/layout_commands.h"
#include "app/gui/window/view_docks.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/folder_turn.h"
#include "core/base/files/folders.h"
#include "runner/queue/cluster_watch.h"

namespace ulp::app {
namespace {

constexpr std::size_t kSessionLimitBytes = std::size_t{1} << 24;
constexpr std::chrono::milliseconds kTurnPatience{300};

Result<SavedSession> readSession(const QString& path) {
  const std::string text = ULP_TRY(readTextFile(path.toStdString(), kSessionLimitBytes));
  return savedSessionFromJson(QByteArray::fromStdString(text));
}

/// The next start may happen in another folder.
QString absolutePath(const QString& path) {
  return path.isEmpty() ? path : QFileInfo(path).absoluteFilePath();
}

}  // namespace

LastSession::LastSession(QMainWindow& window,
                         Session& session,
                         ViewDocks& docks,
                         LayoutCommands& layouts)
    : QObject(&window), m_window(window), m_session(session), m_docks(docks), m_layouts(layouts) {}

void LastSession::restore() {
  views::Messages& messages = m_session.workspace().messages;
  if (const auto problem = m_session.settings().problem()) {
    messages.raise(*problem);
  }
  connect(
      &m_session.settings(), &views::SettingsStore::unwritable, &messages, &views::Messages::raise);
  const QString path = sessionFile(m_session.settings().fileName());
  if (QFile::exists(path)) {
    if (Result<SavedSession> saved = readSession(path)) {
      m_saved = std::move(*saved);
    } else if (saved.error().code() == ErrorCode::Unsupported) {
      messages.raise(
          {.text =
               tr("%1: %2. The file is left as it is, and what is open here is not kept for the "
                  "next start; use the newer version of Ulpscope, or move the file away.")
                   .arg(path, QString::fromStdString(saved.error().message())),
           .topic = QStringLiteral("newer:") + path});
    } else {
      messages.raise(views::setAsideMessage(path, tr("session"), setAside(path.toStdString())));
    }
  }
  if (!m_saved.geometry.isEmpty()) {
    m_window.restoreGeometry(m_saved.geometry);
  }
  m_docks.setFirstState(m_saved.layout);
  m_layouts.setNamed(m_saved.layouts);
  m_docks.showTabs(m_saved.tabs);
  if (!m_session.workspace().reports.document()) {
    m_docks.showStartPage();
  }
  for (const ViewDocks::Place& place : m_docks.places()) {
    if (const auto state = m_saved.viewStates.find(place.descriptor.id);
        state != m_saved.viewStates.end()) {
      place.host->restoreState(state->second);
    }
  }
  for (const QString& id : m_saved.linked) {
    if (views::ViewHost* tab = m_docks.host(id)) {
      m_docks.link().setLinked(*tab, true);
    }
  }
  if (m_session.settings().get(kRestoreSession)) {
    for (const QString& folder : std::as_const(m_saved.clusters)) {
      queue::ClusterWatch::of(m_session.queue()).watch(folder);
    }
    restoreQueue();
  }
  // The desktop ends its session: what the user may not be asked about is at least remembered.
  connect(qApp, &QGuiApplication::commitDataRequest, this, &LastSession::save);
}

bool LastSession::isThere(const QString& path) const {
  if (path.isEmpty() || QFileInfo::exists(path)) {
    return !path.isEmpty();
  }
  m_session.workspace().messages.raise(
      {.text = tr("%1, which was open in the last session, is gone.").arg(path),
       .topic = QStringLiteral("gone:") + path});
  return false;
}

void LastSession::reopen() {
  views::Workspace& workspace = m_session.workspace();
  if (!m_session.settings().get(kRestoreSession)) {
    return;
  }
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
    selectOnceShown();
    QStringList reports{m_saved.report};
    std::ranges::copy_if(m_saved.beside, std::back_inserter(reports), [this](const QString& path) {
      return isThere(path);
    });
    workspace.open(reports);
  }
}

void LastSession::selectOnceShown() {
  connect(
      &m_session.workspace().reports,
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
}

void LastSession::save() {
  const SavedSession before = m_saved;
  const views::Workspace& workspace = m_session.workspace();
  m_saved.geometry = m_window.saveGeometry();
  if (!m_docks.isStartPageShown()) {
    m_saved.layout = m_docks.state();
  }
  for (const ViewDocks::Place& place : m_docks.places()) {
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
  m_saved.tabs = m_docks.addedTabs();
  m_saved.linked = m_docks.link().linkedIds();
  m_saved.layouts = m_layouts.named();
  m_saved.study = absolutePath(workspace.study.content().path);
  m_saved.selection = m_session.selection().selection();
  m_saved.waiting = waitingRequests();
  m_saved.clusters.clear();
  for (const queue::ClusterState& state : queue::ClusterWatch::of(m_session.queue()).states()) {
    m_saved.clusters << state.folder;
  }
  m_session.settings().sync();
  if (const Result<> written = write(before); !written) {
    qWarning("%s", written.error().message().c_str());
  }
}

Result<> LastSession::write(const SavedSession& before) const {
  const QString path = sessionFile(m_session.settings().fileName());
  const std::filesystem::path file = path.toStdString();
  // Nobody has made it where no setting was ever changed.
  ULP_TRY(makeFolders(file.parent_path()));
  // A window that hangs in its turn keeps this one from nothing.
  const auto turn = FolderTurn::take(file.parent_path(), kTurnPatience);
  SavedSession kept = m_saved;
  if (QFile::exists(path)) {
    const Result<SavedSession> theirs = readSession(path);
    if (theirs) {
      kept = merged(before, m_saved, *theirs);
    } else if (theirs.error().code() == ErrorCode::Unsupported) {
      return failWhile(file.string(), Result<SavedSession>(theirs));
    } else if (theirs.error().code() != ErrorCode::Io) {
      // Where it cannot be moved, writing says so.
      static_cast<void>(setAside(file));
    }
  }
  return writeFileAtomically(file, toJson(kept).toStdString(), LinkPolicy::Follow);
}

std::vector<queue::JobRequest> LastSession::waitingRequests() const {
  std::vector<queue::JobRequest> waiting;
  for (const queue::JobStatePtr& job : m_session.queue().statesInQueueOrder()) {
    const bool goesOnElsewhere =
        !job->isOver() && !job->request.host.isEmpty() && job->status != queue::JobStatus::Queued;
    if (m_session.queue().waitingPlace(job->id) < 0 && !goesOnElsewhere) {
      continue;
    }
    waiting.push_back(job->request);
    if (goesOnElsewhere) {
      // The next start takes it up, in the folder that it writes to.
      waiting.back().existing = worker::ExistingResults::Resume;
      waiting.back().outputDir = job->outputDir;
      waiting.back().expectedRuns = job->runs;
    }
    // The next start may happen in another folder.
    std::error_code ignored;
    waiting.back().studyFile = std::filesystem::absolute(job->request.studyFile, ignored);
    if (!waiting.back().outputDir.empty()) {
      waiting.back().outputDir = std::filesystem::absolute(waiting.back().outputDir, ignored);
    }
  }
  return waiting;
}

void LastSession::restoreQueue() {
  if (m_saved.waiting.empty()) {
    return;
  }
  queue::JobQueue& jobs = m_session.queue();
  // What has been going on meanwhile is taken up at once; what waited waits for the user.
  auto first = m_saved.waiting.begin();
  while (first != m_saved.waiting.end() && !first->host.isEmpty() &&
         first->existing == worker::ExistingResults::Resume) {
    jobs.enqueue(*first++);
  }
  if (first == m_saved.waiting.end()) {
    return;
  }
  jobs.setPaused(true);
  std::for_each(
      first, m_saved.waiting.end(), [&jobs](const queue::JobRequest& each) { jobs.enqueue(each); });
  const QString topic = QStringLiteral("queue");
  m_session.workspace().messages.raise(
      {.text = tr("The queue is paused, with %n study(s) of the last session.",
                  nullptr,
                  static_cast<int>(m_saved.waiting.end() - first)),
       .topic = topic,
       .actions = {{tr("Run them"), [this, topic] {
                      m_session.workspace().messages.dismiss(topic);
                      Q_EMIT queueResumed();
                      m_session.queue().setPaused(false);
                    }}}});
}

}  // namespace ulp::app
