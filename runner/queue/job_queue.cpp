#include "runner/queue/job_queue.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QMetaObject>

#include "core/base/handed_over.h"
#include "core/base/list_of.h"
#include "runner/queue/cluster_watch.h"
#include "runner/queue/job_events.h"
#include "runner/queue/job_supervisor.h"
#include "runner/queue/state_mailbox.h"

namespace ulp::queue {

JobQueue::JobQueue(QString workerProgram, CancelPatience patience, QObject* parent)
    : QObject(parent), m_mailbox(std::make_shared<StateMailbox>()) {
  const QString program =
      workerProgram.isEmpty() ? defaultWorkerProgram() : std::move(workerProgram);
  new ClusterWatch(program, this);  // ClusterWatch::of()
  auto supervisor = std::make_unique<JobSupervisor>(
      program, patience, [this, mailbox = m_mailbox](JobStatePtr state) {
        if (mailbox->post(std::move(state))) {
          QMetaObject::invokeMethod(this, HandedOver([this] { collect(); }), Qt::QueuedConnection);
        }
      });
  m_supervisor = supervisor.get();
  supervisor->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_supervisor, &QObject::deleteLater);
  supervisor.release();  // NOLINT(bugprone-unused-return-value): owned by its thread from here on
  m_thread.setObjectName(QStringLiteral("job queue"));
  m_thread.start();
}

JobQueue::~JobQueue() {
  QMetaObject::invokeMethod(m_supervisor,
                            HandedOver([supervisor = m_supervisor] { supervisor->shutDown(); }),
                            Qt::BlockingQueuedConnection);
  m_thread.quit();
  m_thread.wait();
}

QString JobQueue::defaultWorkerProgram() {
  return QCoreApplication::applicationDirPath() + QStringLiteral("/ulpscope-cli");
}

JobId JobQueue::enqueue(JobRequest request) {
  auto job = std::make_shared<JobState>();
  job->id = ++m_lastId;
  job->outputDir = request.outputDir;
  job->request = std::move(request);
  expectRuns(*job);
  m_states.emplace(job->id, job);
  m_waiting.push_back(job->id);
  startNext();
  Q_EMIT queueChanged();
  return job->id;
}

void JobQueue::post(const std::function<void(JobSupervisor&)>& task) {
  QMetaObject::invokeMethod(m_supervisor,
                            HandedOver([supervisor = m_supervisor, task] { task(*supervisor); }),
                            Qt::QueuedConnection);
}

void JobQueue::startNext() {
  if (m_active || m_isPaused || m_waiting.empty()) {
    return;
  }
  m_active = m_waiting.front();
  m_waiting.pop_front();
  post([job = *m_states.at(*m_active)](JobSupervisor& supervisor) { supervisor.start(job); });
}

void JobQueue::setPaused(bool paused) {
  if (m_isPaused == paused) {
    return;
  }
  m_isPaused = paused;
  startNext();
  Q_EMIT queueChanged();
}

int JobQueue::waitingPlace(JobId id) const {
  const auto found = std::ranges::find(m_waiting, id);
  return found == m_waiting.end() ? -1 : static_cast<int>(found - m_waiting.begin());
}

void JobQueue::move(JobId id, int places) {
  const int from = waitingPlace(id);
  if (from < 0) {
    return;
  }
  const int to = std::clamp(from + places, 0, waitingCount() - 1);
  m_waiting.erase(m_waiting.begin() + from);
  m_waiting.insert(m_waiting.begin() + to, id);
  Q_EMIT queueChanged();
}

void JobQueue::skip(JobId id, const QString& run) {
  if (waitingPlace(id) >= 0) {
    auto job = std::make_shared<JobState>(*m_states.at(id));
    if (!job->request.skips.contains(run)) {
      job->request.skips << run;
    }
    for (JobRun& each : job->runs) {
      each.isSkipAsked = each.isSkipAsked || each.name == run;
    }
    m_states[id] = job;
    Q_EMIT jobChanged(job);
    return;
  }
  post([id, run](JobSupervisor& supervisor) { supervisor.skip(id, run); });
}

void JobQueue::cancel(JobId id) {
  if (std::erase(m_waiting, id) > 0) {
    auto job = std::make_shared<JobState>(*m_states.at(id));
    job->status = JobStatus::Cancelled;
    deliver(job);
    return;
  }
  post([id](JobSupervisor& supervisor) { supervisor.cancel(id); });
}

void JobQueue::cancelAll() {
  // Newest first, so that none of those that wait is started by the end of another.
  std::vector<JobStatePtr> all = states();
  std::reverse(all.begin(), all.end());
  for (const JobStatePtr& job : all) {
    if (!job->isOver()) {
      cancel(job->id);
    }
  }
}

void JobQueue::forget(JobId id) {
  const auto found = m_states.find(id);
  if (found == m_states.end()) {
    return;
  }
  if (std::erase(m_waiting, id) == 0 && !found->second->isOver()) {
    cancel(id);
  }
  m_states.erase(id);
  std::erase(m_ended, id);
  Q_EMIT queueChanged();
}

JobStatePtr JobQueue::state(JobId id) const {
  const auto found = m_states.find(id);
  return found == m_states.end() ? nullptr : found->second;
}

std::vector<JobStatePtr> JobQueue::states() const {
  return listOf(m_states, [](const auto& job) { return job.second; });
}

std::vector<JobStatePtr> JobQueue::statesInQueueOrder() const {
  std::vector<JobStatePtr> all;
  all.reserve(m_states.size());
  const auto add = [this, &all](JobId id) {
    if (const JobStatePtr job = state(id)) {
      all.push_back(job);
    }
  };
  if (m_active) {
    add(*m_active);
  }
  std::ranges::for_each(m_waiting, add);
  std::for_each(m_ended.rbegin(), m_ended.rend(), add);
  return all;
}

bool JobQueue::isBusy() const {
  return std::ranges::any_of(m_states, [](const auto& job) { return !job.second->isOver(); });
}

void JobQueue::collect() {
  for (const JobStatePtr& state : m_mailbox->take()) {
    deliver(state);
  }
}

void JobQueue::deliver(const JobStatePtr& state) {
  const JobId id = state->id;
  if (state->isOver() && m_active == id) {
    m_active.reset();
    startNext();
  }
  const auto found = m_states.find(id);
  if (found == m_states.end()) {
    return;
  }
  const JobStatePtr before = std::exchange(found->second, state);
  const bool hasEnded = state->isOver() && !before->isOver();
  if (hasEnded) {
    m_ended.push_back(id);
  }
  // A slot may forget the job, so nothing of m_states is touched from here on.
  Q_EMIT jobChanged(state);
  if (state->reportRevision != before->reportRevision && m_states.contains(id)) {
    Q_EMIT reportUpdated(state);
  }
  if (hasEnded && m_states.contains(id)) {
    Q_EMIT jobFinished(state);
  }
}

}  // namespace ulp::queue
