#include <algorithm>

#include <QtGui/QAction>
#include <QtWidgets/QTableView>

#include "runner/queue/job_queue.h"
#include "views/framework/look/icons.h"
#include "views/framework/words/literal_text.h"
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

void RunsView::makeActions() {
  const auto make = [this](const char* icon,
                           const QString& text,
                           const QString& toolTip,
                           const char* name = nullptr) {
    auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
    action->setObjectName(QLatin1String("runs.") + QLatin1String(name == nullptr ? icon : name));
    action->setToolTip(toolTip);
    return action;
  };
  m_actions = {
      .pause = make("pause",
                    tr("Pause the queue"),
                    tr("Start no further study; the one that runs goes on to its end")),
      .add =
          make("add", tr("Add studies…"), tr("Choose study files; they run one after the other")),
      .stop = make("stop", tr("Stop"), tr("Stop this study; what is finished stays")),
      .skip = make("skip",
                   tr("Skip variant"),
                   tr("Leave out the chosen variant, or the one that runs; the study "
                      "goes on with the next")),
      .resume = make("resume",
                     tr("Resume"),
                     tr("Run what failed, was stopped or is missing; what is finished is kept")),
      .resumeRest =
          make("resume",
               tr("Resume without what failed"),
               tr("Run what was stopped or is missing; variants that failed are not tried again"),
               "resume-rest"),
      .runVariant = make(
          "run", tr("Run this variant"), tr("Run this variant alone; what is finished is kept")),
      .edit = make("edit",
                   tr("Edit and run again"),
                   tr("Open the study in the editor, with a new folder for its results")),
      .show =
          make("overview", tr("Show results"), tr("Open the report of this study and follow it")),
      .moveUp = make("up", tr("Move up"), tr("Start this study earlier")),
      .moveDown = make("down", tr("Move down"), tr("Start this study later")),
      .remove = make(
          "remove", tr("Remove from the list"), tr("Take this study off the list; its files stay")),
      .copyLog = make("copy", tr("Copy log"), tr("Copy the messages that are shown in the log"))};
  m_actions.pause->setCheckable(true);
  setKey(*m_actions.moveUp, *m_jobs, QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Up));
  setKey(*m_actions.moveDown, *m_jobs, QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_Down));
  setKey(*m_actions.remove, *m_jobs, QKeySequence(Qt::Key_Delete));
  m_jobs->addActions({m_actions.stop,
                      m_actions.resume,
                      m_actions.resumeRest,
                      m_actions.edit,
                      m_actions.show,
                      m_actions.copyLog});
  m_variants->addActions({m_actions.skip, m_actions.runVariant});
}

void RunsView::connectActions() {
  const auto on = [this](QAction* action, auto act) {
    connect(action, &QAction::triggered, this, act);
  };
  const auto onJob = [this, on](QAction* action, auto act) {
    on(action, [this, act] {
      if (const queue::JobStatePtr job = currentJob()) {
        act(*job);
      }
    });
  };
  const auto onRun = [this, onJob](QAction* action, auto act) {
    onJob(action, [this, act](const queue::JobState& job) {
      if (const queue::JobRun* run = currentRun(job)) {
        act(job, *run);
      }
    });
  };
  using Job = const queue::JobState&;
  using Run = const queue::JobRun&;
  on(m_actions.pause, [this](bool isPaused) { context().queue.setPaused(isPaused); });
  on(m_actions.add, [this] { context().workspace.requests.askForStudies(); });
  on(m_actions.stop, [this] { context().queue.cancel(m_job); });
  on(m_actions.moveUp, [this] { context().queue.move(m_job, -1); });
  on(m_actions.moveDown, [this] { context().queue.move(m_job, 1); });
  on(m_actions.remove, [this] { context().queue.forget(m_job); });
  on(m_actions.copyLog, [this] { m_log->copyAll(); });
  onRun(m_actions.skip, [this](Job job, Run run) { context().queue.skip(job.id, run.name); });
  onRun(m_actions.runVariant, [this](Job job, Run run) { context().runs.resume(job, {run.name}); });
  onJob(m_actions.resume, [this](Job job) { context().runs.resume(job); });
  onJob(m_actions.resumeRest, [this](Job job) { context().runs.resumeWithoutFailed(job); });
  onJob(m_actions.edit, [this](Job job) { context().runs.editAgain(job); });
  onJob(m_actions.show, [this](Job job) { context().runs.show(job); });
  connect(m_summary, &JobSummary::resumeRequested, m_actions.resume, &QAction::trigger);
  connect(m_summary, &JobSummary::editRequested, m_actions.edit, &QAction::trigger);
  connect(m_summary, &JobSummary::copyLogRequested, m_actions.copyLog, &QAction::trigger);
}

void RunsView::updateActions() {
  const queue::JobStatePtr job = currentJob();
  const queue::JobRun* run = job ? currentRun(*job) : nullptr;
  const int place = context().queue.waitingPlace(m_job);
  m_actions.stop->setEnabled(job && !job->isOver() && job->status != queue::JobStatus::Cancelling);
  const bool isSkippable = run != nullptr && canBeSkipped(*job, *run);
  m_actions.skip->setEnabled(isSkippable);
  m_actions.skip->setText(isSkippable ? tr("Skip %1").arg(literalText(run->name))
                                      : tr("Skip variant"));
  m_actions.resume->setEnabled(job && canBeResumed(*job));
  m_actions.resumeRest->setEnabled(job && canLeaveFailed(*job));
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
