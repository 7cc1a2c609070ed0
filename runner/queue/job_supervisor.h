#pragma once

#include <deque>
#include <functional>
#include <memory>

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>
#include <QtCore/QProcess>
#include <QtCore/QTimer>

#include "runner/queue/job_events.h"
#include "runner/queue/job_queue.h"

namespace ulp::queue {

/// Starts and watches the worker of one job after the other. Lives in the queue's background
/// thread; every function is called there.
class JobSupervisor : public QObject {
  Q_OBJECT

 public:
  using Publish = std::function<void(JobStatePtr)>;

  /// `publish` is called in this object's thread.
  JobSupervisor(QString program, CancelPatience patience, Publish publish);
  ~JobSupervisor() override;
  JobSupervisor(const JobSupervisor&) = delete;
  JobSupervisor& operator=(const JobSupervisor&) = delete;

  void enqueue(JobState job);
  void cancel(JobId id);
  /// Drops what waits, ends the worker and waits for it. Nothing is published any more.
  void shutDown();

 private:
  enum class Asked : std::uint8_t { Nothing, Interrupt, Terminate, Kill };

  /// The job whose worker runs.
  struct Active {
    JobState state;
    QProcess process;
    QElapsedTimer elapsed;
    LineSplitter events;
    LineSplitter messages;
    QStringList lastMessages;
    int unreadable = 0;
    bool saidFinished = false;  ///< StudyFinished with status finished
    Asked asked = Asked::Nothing;
  };

  void startNext();
  void askHarder();
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
  std::deque<JobState> m_waiting;
  std::unique_ptr<Active> m_active;
  QTimer m_publishTimer;
  QTimer m_escalation;
};

}  // namespace ulp::queue
