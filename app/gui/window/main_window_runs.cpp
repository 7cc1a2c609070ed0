#include <QtCore/QFileInfo>
#include <QtGui/QAction>
#include <QtWidgets/QFileDialog>

#include "app/gui/session/window_settings.h"
#include "app/gui/window/main_window.h"

namespace ulp::app {

void MainWindow::makeRunActions() {
  m_actions.add({.id = QStringLiteral("run.start"),
                 .text = tr("&Run study"),
                 .toolTip = tr("Save and run the open study"),
                 .icon = QStringLiteral("run"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_R)},
                 .handler = [this] { m_session.runs().launch(); }});
  m_actions.add({.id = QStringLiteral("run.add"),
                 .text = tr("Add &studies to the queue…"),
                 .toolTip = tr("Choose study files; they run one after the other"),
                 .icon = QStringLiteral("add"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
                 .handler = [this] { askForStudies(); }});
  QAction* pause = m_actions.add(
      {.id = QStringLiteral("run.pause"),
       .text = tr("&Pause the queue"),
       .toolTip = tr("Start no further study; the one that runs goes on to its end"),
       .icon = QStringLiteral("pause"),
       .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F5)},
       .handler = [this] { m_session.queue().setPaused(!m_session.queue().isPaused()); }});
  pause->setCheckable(true);
  m_actions.add({.id = QStringLiteral("run.stop"),
                 .text = tr("&Stop"),
                 .toolTip = tr("Stop what is running; what is finished stays"),
                 .icon = QStringLiteral("stop"),
                 .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_F5)},
                 .handler = [this] { stopRunning(); }});
}

void MainWindow::stopRunning() {
  m_session.comparer().stopAll();
  m_session.queue().cancelAll();
}

void MainWindow::askForStudies() {
  auto* dialog = new QFileDialog(this, tr("Add studies to the queue"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  dialog->setNameFilters({tr("Studies (*.yaml *.yml)"), tr("All files (*)")});
  connect(
      dialog, &QFileDialog::filesSelected, &m_session.runs(), &views::RunLauncher::enqueueFiles);
  dialog->open();
}

QString MainWindow::workQuestion() const {
  const queue::JobQueue& jobs = m_session.queue();
  QStringList sentences;
  if (m_session.comparer().isRunning()) {
    sentences << tr("Dumps are being compared. What is finished of that is lost.");
  }
  if (const int others = m_session.comparer().waitingCount(); others > 0) {
    sentences << tr("%n comparison(s) of dumps will not be made.", nullptr, others);
  }
  if (jobs.isRunning()) {
    sentences << tr("A study is running. What it has finished stays in its run folder.");
  }
  const int waiting = jobs.waitingCount();
  const bool isKept = m_session.settings().get(kRestoreSession);
  if (waiting > 0 && !isKept) {
    sentences << tr("%n study(s) in the queue will not be run.", nullptr, waiting);
  } else if (waiting > 0 && jobs.isRunning()) {
    sentences << tr("%n study(s) in the queue will wait for the next start.", nullptr, waiting);
  }
  return sentences.join(QLatin1Char(' '));
}

std::vector<queue::JobRequest> MainWindow::waitingRequests() const {
  std::vector<queue::JobRequest> waiting;
  for (const queue::JobStatePtr& job : m_session.queue().statesInQueueOrder()) {
    if (m_session.queue().waitingPlace(job->id) < 0) {
      continue;
    }
    waiting.push_back(job->request);
    // The next start may happen in another folder.
    std::error_code ignored;
    waiting.back().studyFile = std::filesystem::absolute(job->request.studyFile, ignored);
    if (!job->request.outputDir.empty()) {
      waiting.back().outputDir = std::filesystem::absolute(job->request.outputDir, ignored);
    }
  }
  return waiting;
}

void MainWindow::restoreQueue(const std::vector<queue::JobRequest>& waiting) {
  if (waiting.empty()) {
    return;
  }
  queue::JobQueue& jobs = m_session.queue();
  jobs.setPaused(true);
  for (const queue::JobRequest& request : waiting) {
    jobs.enqueue(request);
  }
  m_session.workspace().messages.raise(
      {.severity = views::Severity::Look,
       .text = tr("The queue is paused, with %n study(s) of the last session.",
                  nullptr,
                  static_cast<int>(waiting.size())),
       .topic = QStringLiteral("queue"),
       .actions = {{tr("Run them"), [this] {
                      m_session.workspace().messages.dismiss(QStringLiteral("queue"));
                      raisePurpose(views::ViewPurpose::Queue);
                      m_session.queue().setPaused(false);
                    }}}});
}

}  // namespace ulp::app
