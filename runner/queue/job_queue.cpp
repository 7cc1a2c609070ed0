#include "runner/queue/job_queue.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QMetaObject>

#include "runner/queue/job_supervisor.h"
#include "runner/queue/state_mailbox.h"

namespace ulp::queue {

JobQueue::JobQueue(QString workerProgram, CancelPatience patience, QObject* parent)
    : QObject(parent), m_mailbox(std::make_shared<StateMailbox>()) {
  const QString program =
      workerProgram.isEmpty() ? defaultWorkerProgram() : std::move(workerProgram);
  auto supervisor = std::make_unique<JobSupervisor>(
      program, patience, [this, mailbox = m_mailbox](JobStatePtr state) {
        if (mailbox->post(std::move(state))) {
          QMetaObject::invokeMethod(this, &JobQueue::collect, Qt::QueuedConnection);
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
  QMetaObject::invokeMethod(m_supervisor, &JobSupervisor::shutDown, Qt::BlockingQueuedConnection);
  m_thread.quit();
  m_thread.wait();
}

QString JobQueue::defaultWorkerProgram() {
  return QCoreApplication::applicationDirPath() + QStringLiteral("/ulpscope-cli");
}

JobId JobQueue::enqueue(JobRequest request) {
  JobState job;
  job.id = ++m_lastId;
  job.outputDir = request.outputDir;
  job.request = std::move(request);
  m_states.emplace(job.id, std::make_shared<const JobState>(job));
  QMetaObject::invokeMethod(
      m_supervisor,
      [supervisor = m_supervisor, job = std::move(job)]() mutable {
        supervisor->enqueue(std::move(job));
      },
      Qt::QueuedConnection);
  return m_lastId;
}

void JobQueue::cancel(JobId id) {
  QMetaObject::invokeMethod(
      m_supervisor,
      [supervisor = m_supervisor, id] { supervisor->cancel(id); },
      Qt::QueuedConnection);
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
  if (!found->second->isOver()) {
    cancel(id);
  }
  m_states.erase(found);
}

JobStatePtr JobQueue::state(JobId id) const {
  const auto found = m_states.find(id);
  return found == m_states.end() ? nullptr : found->second;
}

std::vector<JobStatePtr> JobQueue::states() const {
  std::vector<JobStatePtr> all;
  all.reserve(m_states.size());
  for (const auto& [id, state] : m_states) {
    all.push_back(state);
  }
  return all;
}

bool JobQueue::isBusy() const {
  return std::any_of(
      m_states.begin(), m_states.end(), [](const auto& job) { return !job.second->isOver(); });
}

void JobQueue::collect() {
  for (const JobStatePtr& state : m_mailbox->take()) {
    deliver(state);
  }
}

void JobQueue::deliver(const JobStatePtr& state) {
  const auto found = m_states.find(state->id);
  if (found == m_states.end()) {
    return;
  }
  const JobStatePtr before = std::exchange(found->second, state);
  // A slot may forget the job, so nothing of m_states is touched from here on.
  Q_EMIT jobChanged(state);
  if (state->reportRevision != before->reportRevision && m_states.contains(state->id)) {
    Q_EMIT reportUpdated(state);
  }
  if (state->isOver() && !before->isOver() && m_states.contains(state->id)) {
    Q_EMIT jobFinished(state);
  }
}

}  // namespace ulp::queue
