#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QThread>

#include "runner/queue/job_state.h"

namespace ulp::queue {

class JobSupervisor;
class StateMailbox;

/// How long a worker that was asked to stop may take before it is told more firmly.
struct CancelPatience {
  /// From SIGINT to SIGTERM. One that computes ends by itself in a second; one that writes results
  /// needs longer.
  int terminateMs = 15000;
  int killMs = 5000;  ///< from SIGTERM to SIGKILL
};

/// Runs studies, each in a worker process of its own that a background thread supervises: on every
/// machine, this one or a host, one after the other, and beside those of other machines; whatever
/// happens to the worker, this process only reads its events. Belongs to the thread that made it
/// (the GUI thread); no call blocks, but the destructor, which tells a running worker to end and
/// gives it half a second, besides what the thread is doing at that moment; one that takes longer
/// ends, or is killed, without us.
class JobQueue : public QObject {
  Q_OBJECT

 public:
  /// `workerProgram`: the ulpscope-cli to start; empty: the one beside this application.
  explicit JobQueue(QString workerProgram = {},
                    CancelPatience patience = {},
                    QObject* parent = nullptr);
  ~JobQueue() override;
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  /// Appends a job; it starts when those of its machine before it are over, unless the queue is
  /// paused.
  JobId enqueue(JobRequest request);
  /// A paused queue starts nothing; what runs goes on to its end.
  void setPaused(bool paused);
  [[nodiscard]] bool isPaused() const { return m_isPaused; }
  /// Moves a waiting job by so many places towards the end, or, negative, towards the front.
  void move(JobId id, int places);
  /// Place of a job among those that wait, from 0; -1: it does not wait.
  [[nodiscard]] int waitingPlace(JobId id) const;
  [[nodiscard]] int waitingCount() const { return static_cast<int>(m_waiting.size()); }
  /// Jobs of the same machine that are over before a waiting one starts; 0: it does not wait.
  [[nodiscard]] int jobsBefore(JobId id) const;
  /// Asks for a variant of a job that waits or runs to be left out.
  void skip(JobId id, const QString& run);
  /// A waiting job is over at once. A running one is asked to stop, and told more firmly when it
  /// does not listen; what it had finished stays in its run folder.
  void cancel(JobId id);
  void cancelAll();
  /// Cancels the job and drops whatever may still arrive of it: no signal names it again.
  void forget(JobId id);

  /// Newest state of a job; null when it is unknown or forgotten.
  [[nodiscard]] JobStatePtr state(JobId id) const;
  /// All jobs that are not forgotten, oldest first.
  [[nodiscard]] std::vector<JobStatePtr> states() const;
  /// The jobs that run, those that wait as they will start, then those that are over, the one that
  /// ended last first.
  [[nodiscard]] std::vector<JobStatePtr> statesInQueueOrder() const;
  /// A job waits or runs.
  [[nodiscard]] bool isBusy() const;
  /// A worker process is at work.
  [[nodiscard]] bool isRunning() const { return !m_active.empty(); }
  /// One that computes on this machine.
  [[nodiscard]] bool isRunningHere() const { return m_active.contains(QString()); }

  /// UUIDs of cuda:0, cuda:1, …, as a worker of this machine told them last; empty: none did.
  [[nodiscard]] const std::vector<std::string>& gpus() const { return m_gpus; }

  /// Finds the worker program when none is named.
  [[nodiscard]] static QString defaultWorkerProgram();

 Q_SIGNALS:
  /// A job has news; at most every 50 ms a job, the last state always.
  void jobChanged(const ulp::queue::JobStatePtr& state);
  /// precision_report.json was replaced; it holds every finished run.
  void reportUpdated(const ulp::queue::JobStatePtr& state);
  /// The last signal of a job.
  void jobFinished(const ulp::queue::JobStatePtr& state);
  /// Jobs were added, removed or moved, or the queue was paused or goes on.
  void queueChanged();
  /// A worker told other gpus() than the last one.
  void gpusTold();

 private:
  /// Runs a task of the supervisor of a job's machine, on their thread. Nothing happens where there
  /// is none.
  void post(const QString& host, const std::function<void(JobSupervisor&)>& task);
  /// Of a machine; the first time it is made.
  [[nodiscard]] JobSupervisor& supervisorOf(const QString& host);
  void startNext();
  void deliver(const JobStatePtr& state);
  void collect();

  std::map<JobId, JobStatePtr> m_states;
  std::deque<JobId> m_waiting;  ///< as they will start
  std::vector<JobId> m_ended;   ///< as they ended; some may be forgotten
  /// Handed to a supervisor and not over, by host; of this machine under nothing.
  std::map<QString, JobId> m_active;
  bool m_isPaused = false;
  JobId m_lastId = 0;
  QString m_program;
  CancelPatience m_patience;
  std::shared_ptr<StateMailbox> m_mailbox;
  std::vector<std::string> m_gpus;
  QThread m_thread;
  /// By host; they live in m_thread, and are deleted when that ends.
  std::map<QString, JobSupervisor*> m_supervisors;
};

}  // namespace ulp::queue
