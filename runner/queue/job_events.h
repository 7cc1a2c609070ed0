#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include "runner/queue/job_state.h"
#include "runner/worker/events/events.h"

/// What the supervisor knows without a process: events become state, bytes become lines, an exit
/// becomes words. Pure, so that it is tested without one.
namespace ulp::queue {

/// Samples the worker's memory for `state`, thinning the history when it is full.
void applyMemory(JobState& state, const std::optional<ProcessMemory>& memory);

/// Runs of the study that are known before the worker tells.
void expectRuns(JobState& state);

/// Brings `state` up to date with one event of its worker. The status of the job itself follows
/// from how the process ends, not from events.
void applyEvent(JobState& state, const worker::Event& event);

/// Appends to the log ring.
void appendLog(JobState& state, const QString& level, const QString& text);

/// Marks the run that was going on as `status`, and every run that still waited as it is.
void closeOpenRun(JobState& state, report::RunStatus status, const QString& error);

/// Cuts a byte stream into lines, whatever the pieces. A line beyond kLongestLine is dropped and
/// counted, so that a worker that writes no newline cannot fill the memory.
class LineSplitter {
 public:
  static constexpr qsizetype kLongestLine = qsizetype{1} << 20;

  /// The lines that are complete now, without their newline.
  [[nodiscard]] QList<QByteArray> feed(const QByteArray& bytes);
  /// Hands out what came after the last newline.
  [[nodiscard]] QByteArray rest();
  [[nodiscard]] int dropped() const { return m_dropped; }

 private:
  QByteArray m_pending;
  bool m_skipping = false;
  int m_dropped = 0;
};

/// How a worker ended.
struct WorkerExit {
  bool started = true;   ///< false: the program could not be started, see `startError`
  bool crashed = false;  ///< by a signal
  int code = 0;          ///< exit code, or the signal's number
  QString startError{};
};

/// "exit code 3 (a run failed)", "killed by signal 9 (SIGKILL); …"
[[nodiscard]] QString describeExit(const WorkerExit& exit);

/// The arguments of ulpscope-cli for a job.
[[nodiscard]] QStringList workerArguments(const JobRequest& request);

}  // namespace ulp::queue
