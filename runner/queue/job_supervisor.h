#pragma once

#include <functional>
#include <map>
#include <memory>

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>
#include <QtCore/QProcess>
#include <QtCore/QTimer>

#include "runner/queue/job_events.h"
#include "runner/queue/job_queue.h"
#include "runner/queue/resource_probe.h"

namespace ulp::queue {

/// Starts and watches the worker of one job at a time, of one machine. Lives in the queue's
/// background thread; every function is called there.
class JobSupervisor : public QObject {
  Q_OBJECT

 public:
  using Publish = std::function<void(JobStatePtr)>;

  /// `publish` is called in this object's thread.
  JobSupervisor(QString program, CancelPatience patience, Publish publish);
  ~JobSupervisor() override;
  JobSupervisor(const JobSupervisor&) = delete;
  JobSupervisor& operator=(const JobSupervisor&) = delete;

  /// Starts the worker of `job`; no other may be running.
  void start(JobState job);
  void cancel(JobId id);
  /// Asks the worker to leave a run out.
  void skip(JobId id, const QString& run);
  /// Tells the worker to end, without waiting: shutDown() follows.
  void tellToEnd();
  /// Tells the worker to end, and waits half a second for it. One that takes longer is left to
  /// itself: it is killed when its patience is over. Nothing is published any more.
  void shutDown();

 private:
  enum class Asked : std::uint8_t { Nothing, Interrupt, Terminate, Kill };

  /// The job whose worker runs.
  struct Active {
    JobState state;
    QProcess process;
    QElapsedTimer elapsed;
    std::map<int, QElapsedTimer> runsElapsed;  ///< of those that go on, by index
    LineSplitter events;
    LineSplitter messages;
    QStringList lastMessages;
    int unreadable = 0;
    bool saidEnd = false;       ///< StudyFinished
    bool saidFinished = false;  ///< with status finished
    Asked asked = Asked::Nothing;
    bool isToldToEnd = false;
  };

  void connectProcess();
  void askHarder();
  void askToSkip(const QString& run);
  /// Has it read what the worker uses; takeUse() follows.
  void sample();
  void takeUse(std::int64_t pid, const Result<ResourceUse>& use);
  void timeRuns();
  void readEvents();
  void readMessages();
  void takeEventLine(const QByteArray& line);
  void takeMessageLine(const QByteArray& line);
  void onEnded(const WorkerExit& exit);
  void settle(const WorkerExit& exit);
  [[nodiscard]] QString failureText(const WorkerExit& exit) const;
  void publishSoon();
  void publishNow();

  QString m_program;
  CancelPatience m_patience;
  Publish m_publish;
  std::unique_ptr<Active> m_active;
  QTimer m_publishTimer;
  QTimer m_escalation;
  QTimer m_sampling;
  ResourceProbe m_probe;
  QElapsedTimer m_unanswered;  ///< since the probe was asked that has not answered yet
};

}  // namespace ulp::queue
