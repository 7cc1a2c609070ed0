#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <QtCore/QLatin1String>
#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QTimer>

#include "core/base/result.h"
#include "views/framework/threads/background.h"

namespace ulp::views {

class Messages;

/// A file that has been on its way for over a second.
struct LongExport {
  QString file;
  double fraction = 0;  ///< from 0 to 1; 0 where the format does not tell
  std::optional<double> secondsLeft{};
};

/// What a message says of files that were written.
struct WrittenFiles {
  QString text;         ///< "Wrote 3 files to /tmp/out."
  QStringList notes{};  ///< what the reader of the files must know
};

/// Writes what leaves the program, on a thread of its own so that nothing else waits for it. What
/// has been written, and what went wrong, is said in the message bar; so is what takes longer than
/// a second, which can be stopped there.
class ExportJobs : public QObject {
  Q_OBJECT

 public:
  explicit ExportJobs(Messages& messages);
  ~ExportJobs() override;

  /// `make` runs on the thread, within a StopScope; its result replaces the file atomically. A
  /// second job for the same file replaces the first. Closing the window stops none.
  void writeFile(const QString& file, std::function<Result<std::string>()> make);
  /// For files that `write` writes by itself at `target`, a file or folder, as fast as it can
  /// within a StopScope and a MeterScope. When it is stopped it ends as Cancelled within a second,
  /// and says what is left. A second job for the same target ends the first; closing the window,
  /// too.
  void write(const QString& target, std::function<Result<WrittenFiles>()> write);
  /// Something is being written that is lost when the window closes.
  [[nodiscard]] bool isWriting() const;
  /// `make` runs on the thread, `done` here with what it made. For the clipboard.
  template <class T>
  void prepare(QObject* receiver,
               std::function<Result<T>()> make,
               std::function<void(const T&)> done) {
    m_background.run<Result<T>>(
        kPreparing,
        receiver,
        [make = std::move(make)](const std::stop_token&) { return make(); },
        [this, done = std::move(done)](const Result<T>& made) {
          if (made) {
            done(*made);
          } else {
            report(made.error(), kPreparing);
          }
        });
  }
  [[nodiscard]] bool isIdle() const { return m_background.isIdle(); }
  /// One of those that take long; nothing where none does.
  [[nodiscard]] std::optional<LongExport> longExport() const;

 Q_SIGNALS:
  /// longExport() has changed.
  void progressed();
  void written(const QString& file);

 private:
  class Progress;

  [[nodiscard]] static QString topicOf(const QString& file);
  void look();
  void forget(const QString& file);
  using Stop = void (ExportJobs::*)(const QString& target, Progress& progress);
  /// `stop` is offered once it takes long.
  std::shared_ptr<Progress> begin(const QString& target, Stop stop);
  void stopFile(const QString& file, Progress& progress);
  void stopWriting(const QString& target, Progress& progress);
  void sayStopped(const QString& text, const QString& topic);
  void report(const Error& error, const QString& topic);
  void finish(const QString& file, const Result<std::size_t>& bytes);
  void finishWriting(const QString& target, const Result<WrittenFiles>& written);
  void sayWritten(const QString& target, const QString& folder, const WrittenFiles& written);

  static constexpr QLatin1String kPreparing{"prepare"};

  Messages& m_messages;
  std::map<QString, std::shared_ptr<Progress>> m_progress;  ///< by the file that is being written
  QTimer m_looks;                                           ///< at those that take long
  Background m_background;
};

}  // namespace ulp::views
