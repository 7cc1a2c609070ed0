#pragma once

#include <cstdint>

#include <QtCore/QObject>
#include <QtCore/QProcess>
#include <QtCore/QStringList>
#include <QtCore/QTimer>

#include "runner/queue/job_events.h"

namespace ulp::app {

/// What a recording is asked for, as `ulpscope-cli record` takes it; empty: not said.
struct RecordWish {
  QStringList command;
  QString folder{};
  QString config{};
  QString level{};
  QString task{};
  QString modules{};
  QStringList list{};
  QStringList scope{};  ///< the first and the last call
  QStringList dataMode{};
  QString ranks{};
  QString steps{};
  QString stepsBy{};
  QString tokens{};
  bool hasStack = false;
  bool hasWeights = false;

  /// The words behind `ulpscope-cli`.
  [[nodiscard]] QStringList words() const;
};

/// The words of a command line as a shell reads them: in '…' everything is itself, in "…" and
/// outside \ takes the next character as it is. A quote that is not closed ends with the text.
[[nodiscard]] QStringList wordsOf(const QString& commandLine);

/// How far a recording is.
struct RecordProgress {
  std::int64_t steps = 0;
  std::int64_t tensors = 0;
  std::int64_t bytes = 0;
  std::int64_t ranks = 0;
};

/// How it ended.
struct RecordEnd {
  QString folder{};   ///< empty: nothing was recorded
  QString problem{};  ///< empty: all was recorded
  int exitCode = 0;   ///< of the program
  bool wasStopped = false;
};

/// A program that is recorded, by a worker process. No call blocks. A program that still runs when
/// this goes is told to end.
class RecordJob : public QObject {
  Q_OBJECT

 public:
  /// `worker`: the ulpscope-cli to start.
  explicit RecordJob(QString worker, QObject* parent = nullptr);
  ~RecordJob() override;
  RecordJob(const RecordJob&) = delete;
  RecordJob& operator=(const RecordJob&) = delete;

  /// One at a time.
  void start(const RecordWish& wish);
  /// As Ctrl-C does; a program that goes on is ended before a second is over.
  void stop();
  [[nodiscard]] bool isRunning() const { return m_isRunning; }

 Q_SIGNALS:
  void progressed(const ulp::app::RecordProgress& progress);
  /// What the program, or the worker, has written.
  void said(const QString& line);
  void ended(const ulp::app::RecordEnd& end);

 private:
  void tell();
  void readEvents();
  void readMessages();
  void takeEvent(const QByteArray& line);
  void finish(const QString& problem);

  QString m_worker;
  QProcess* m_process;  ///< outlives this while it ends
  queue::LineSplitter m_events;
  queue::LineSplitter m_messages;
  QTimer m_impatience;
  RecordEnd m_end;
  QString m_lastMessage;
  bool m_isRunning = false;
  bool m_hasEnd = false;  ///< the worker has said how it ended
};

}  // namespace ulp::app
