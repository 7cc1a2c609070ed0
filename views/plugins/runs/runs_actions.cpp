#include <algorithm>

#include <QtGui/QAction>
#include <QtWidgets/QTableView>

#include "runner/queue/job_queue.h"
#include "views/framework/look/icons.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/runs/job_summary.h"
#include "views/plugins/runs/log_pane.h"
#include "views/plugins/runs/run_text.h"
#include "views/plugins/runs/runs_view.h"
#include "views/studies/run_launcher.h"

namespace ulp::views {
namespace {

/// A run of a job that is over, which can be tried alone.
bool canRunAlone(const queue::JobState& job, const queue::JobRun& run) {
  return job.isOver() && run.status != report::RunStatus::Finished &&
         job.runs.front().name != run.name;
}

void setKey(QAction& action, QTableView& table, const QKeySequence& key) {
  action.setShortcut(key);
  action.setShortcutContext(Qt::WidgetShortcut);
  action.setToolTip(
      QStringLiteral("%1 (%2)").arg(action.toolTip(), key.toString(QKeySequence::NativeText)));
  table.addAction(&action);
}

}  // namespace

QAction* RunsView::makeAction(const QString& icon, const QString& text, const QString& toolTip) {
  auto* action = new QAction(themedIcon(icon), text, this);
  action->setObjectName(QStringLiteral("runs.") + icon);
  action->setToolTip(toolTip);
  return action;
}

void RunsView::makeActions() {
  m_actions.pause = makeAction(QStringLiteral("pause"),
                               tr("Pause the queue"),
                               tr("Start no further study; the one that runs goes on to its end"));
  m_actions.pause->setCheckable(true);
  m_actions.add = makeAction(QStringLiteral("add"),
                             tr("Add studies…"),
                             tr("Choose study files; they run one after the other"));
  m_actions.stop =
      makeAction(QStringLiteral("stop"), tr("Stop"), tr("Stop this study; what is finished stays"));
  m_actions.skip = makeAction(QStringLiteral("skip"),
                              tr("Skip variant"),
                              tr("Leave out the chosen variant, or the one that runs; the study "
                                 "goes on with the next"));
  m_actions.resume =
      makeAction(QStringLiteral("resume"),
                 tr("Resume"),
                 tr("Run what failed, was stopped or is missing; what is finished is kept"));
  m_actions.runVariant = makeAction(QStringLiteral("run"),
                                    tr("Run this variant"),
                                    tr("Run this variant alone; what is finished is kept"));
  m_actions.edit =
      makeAction(QStringLiteral("edit"),
                 tr("Edit and run again"),
                 tr("Open the study in the editor, with a new folder for its results"));
  m_actions.show = makeAction(QStringLiteral("overview"),
                              tr("Show results"),
                              tr("Open the report of this study and follow it"));
  m_actions.moveUp =
      makeAction(QStringLiteral("up"), tr("Move up"), tr("Start this study earlier"));
  m_actions.moveDown =
      makeAction(QStringLiteral("down"), tr("Move down"), tr("Start this study later"));
  m_actions.remove = makeAction(QStringLiteral("remove"),
                                tr("Remove from the list"),
                                tr("Take this study off the list; its files stay"));
  m_actions.copyLog = makeAction(
      QStringLiteral("copy"), tr("Copy log"), tr("Copy the messages that are shown in the log"));
  setKey(*m_actions.moveUp, *m_jobs, QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Up));
  setKey(*m_actions.moveDown, *m_jobs, QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Down));
  setKey(*m_actions.remove, *m_jobs, QKeySequence(Qt::Key_Delete));
  m_jobs->addActions(
      {m_actions.stop, m_actions.resume, m_actions.edit, m_actions.show, m_actions.copyLog});
  m_variants->addActions({m_actions.skip, m_actions.runVariant});
}

void RunsView::connectQueueActions() {
  queue::JobQueue& jobs = context().queue;
  connect(m_actions.pause, &QAction::triggered, &jobs, &queue::JobQueue::setPaused);
  connect(m_actions.add, &QAction::triggered, this, [this] {
    context().workspace.requests.askForStudies();
  });
  connect(m_actions.stop, &QAction::triggered, this, [this] { context().queue.cancel(m_job); });
  connect(m_actions.moveUp, &QAction::triggered, this, [this] { context().queue.move(m_job, -1); });
  connect(
      m_actions.moveDown, &QAction::triggered, this, [this] { context().queue.move(m_job, 1); });
  connect(m_actions.remove, &QAction::triggered, this, [this] { context().queue.forget(m_job); });
}

void RunsView::connectActions() {
  connect(m_actions.skip, &QAction::triggered, this, [this] {
    const queue::JobStatePtr job = currentJob();
    const queue::JobRun* run = job ? currentRun(*job) : nullptr;
    if (run != nullptr) {
      context().queue.skip(m_job, run->name);
    }
  });
  connect(m_actions.runVariant, &QAction::triggered, this, [this] {
    const queue::JobStatePtr job = currentJob();
    const queue::JobRun* run = job ? currentRun(*job) : nullptr;
    if (run != nullptr) {
      context().runs.resume(*job, {run->name});
    }
  });
  connect(m_actions.resume, &QAction::triggered, this, [this] {
    if (const queue::JobStatePtr job = currentJob()) {
      context().runs.resume(*job);
    }
  });
  connect(m_actions.edit, &QAction::triggered, this, [this] {
    if (const queue::JobStatePtr job = currentJob()) {
      context().runs.editAgain(*job);
    }
  });
  connect(m_actions.show, &QAction::triggered, this, [this] {
    if (const queue::JobStatePtr job = currentJob(); job && !job->reportPath.empty()) {
      context().runs.show(*job);
    }
  });
  connect(m_actions.copyLog, &QAction::triggered, m_log, &LogPane::copyAll);
  connect(m_summary, &JobSummary::resumeRequested, m_actions.resume, &QAction::trigger);
  connect(m_summary, &JobSummary::editRequested, m_actions.edit, &QAction::trigger);
  connect(m_summary, &JobSummary::copyLogRequested, m_actions.copyLog, &QAction::trigger);
}

void RunsView::updateActions() {
  const queue::JobStatePtr job = currentJob();
  const queue::JobRun* run = job ? currentRun(*job) : nullptr;
  const int place = context().queue.waitingPlace(m_job);
  m_actions.stop->setEnabled(job && !job->isOver() && job->status != queue::JobStatus::Cancelling);
  m_actions.skip->setEnabled(run != nullptr && canBeSkipped(*job, *run));
  m_actions.skip->setText(run != nullptr && canBeSkipped(*job, *run) ? tr("Skip %1").arg(run->name)
                                                                     : tr("Skip variant"));
  m_actions.resume->setEnabled(job && canBeResumed(*job));
  m_actions.runVariant->setEnabled(run != nullptr && canRunAlone(*job, *run));
  m_actions.edit->setEnabled(job != nullptr);
  m_actions.show->setEnabled(job && !job->reportPath.empty());
  m_actions.moveUp->setEnabled(place > 0);
  m_actions.moveDown->setEnabled(place >= 0 && place + 1 < context().queue.waitingCount());
  m_actions.remove->setEnabled(job && (job->isOver() || place >= 0));
  m_actions.copyLog->setEnabled(job != nullptr);
}

QList<QAction*> RunsView::viewActions() const {
  return {m_actions.pause,
          m_actions.add,
          m_actions.stop,
          m_actions.skip,
          m_actions.resume,
          m_actions.edit,
          m_actions.show};
}

}  // namespace ulp::views
