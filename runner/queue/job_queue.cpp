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
    : QObject(parent),
      m_program(workerProgram.isEmpty() ? defaultWorkerProgram() : std::move(workerProgram)),
      m_patience(patience),
      m_mailbox(std::make_shared<StateMailbox>()) {
  new ClusterWatch(m_program, this);  // ClusterWatch::of()
  m_thread.setObjectName(QStringLiteral("job queue"));
  m_thread.start();
}

JobQueue::~JobQueue() {
  for (const auto& [host, each] : m_supervisors) {
    QMetaObject::invokeMethod(
        each, HandedOver([supervisor = each] { supervisor->tellToEnd(); }), Qt::QueuedConnection);
  }
  for (const auto& [host, each] : m_supervisors) {
    QMetaObject::invokeMethod(each,
                              HandedOver([supervisor = each] { supervisor->shutDown(); }),
                              Qt::BlockingQueuedConnection);
  }
  m_thread.quit();
  m_thread.wait();
}

JobSupervisor& JobQueue::supervisorOf(const QString& host) {
  JobSupervisor*& known = m_supervisors[host];
  if (known == nullptr) {
    auto made = std::make_unique<JobSupervisor>(
        m_program, m_patience, [this, mailbox = m_mailbox](JobStatePtr state) {
          if (mailbox->post(std::move(state))) {
            QMetaObject::invokeMethod(
                this, HandedOver([this] { collect(); }), Qt::QueuedConnection);
          }
        });
    made->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, made.get(), &QObject::deleteLater);
    known = made.release();  // owned by its thread from here on
  }
  return *known;
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

void JobQueue::post(const QString& host, const std::function<void(JobSupervisor&)>& task) {
  const auto found = m_supervisors.find(host);
  if (found != m_supervisors.end()) {
    QMetaObject::invokeMethod(found->second,
                              HandedOver([supervisor = found->second, task] { task(*supervisor); }),
                              Qt::QueuedConnection);
  }
}

void JobQueue::startNext() {
  for (auto next = m_waiting.begin(); !m_isPaused && next != m_waiting.end();) {
    const JobId id = *next;
    const JobState& job = *m_states.at(id);
    if (!m_active.emplace(job.request.host, id).second) {
      ++next;  // its machine is at work
      continue;
    }
    next = m_waiting.erase(next);
    static_cast<void>(supervisorOf(job.request.host));
    post(job.request.host, [job](JobSupervisor& supervisor) { supervisor.start(job); });
  }
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

int JobQueue::jobsBefore(JobId id) const {
  const int place = waitingPlace(id);
  if (place < 0) {
    return 0;
  }
  const QString& host = m_states.at(id)->request.host;
  const auto isOfHost = [&](JobId other) { return m_states.at(other)->request.host == host; };
  return static_cast<int>(std::count_if(m_waiting.begin(), m_waiting.begin() + place, isOfHost)) +
         static_cast<int>(m_active.contains(host));
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
  if (const JobStatePtr job = state(id)) {
    post(job->request.host, [id, run](JobSupervisor& supervisor) { supervisor.skip(id, run); });
  }
}

void JobQueue::cancel(JobId id) {
  if (std::erase(m_waiting, id) > 0) {
    auto job = std::make_shared<JobState>(*m_states.at(id));
    job->status = JobStatus::Cancelled;
    deliver(job);
    return;
  }
  if (const JobStatePtr job = state(id)) {
    post(job->request.host, [id](JobSupervisor& supervisor) { supervisor.cancel(id); });
  }
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
  for (const auto& [host, id] : m_active) {
    add(id);
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
  const auto active = m_active.find(state->request.host);
  if (state->isOver() && active != m_active.end() && active->second == id) {
    m_active.erase(active);
    startNext();
  }
  const auto found = m_states.find(id);
  if (found == m_states.end()) {
    return;
  }
  const JobStatePtr before = std::exchange(found->second, state);
  const bool hasEnded = state->isOver() && !before->isOver();
  const bool tellsGpus =
      state->request.host.isEmpty() && !state->gpus.empty() && state->gpus != m_gpus;
  if (tellsGpus) {
    m_gpus = state->gpus;
  }
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
  if (tellsGpus) {
    Q_EMIT gpusTold();
  }
}

}  // namespace ulp::queue
