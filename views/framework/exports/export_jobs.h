#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <QtCore/QLatin1String>
#include <QtCore/QObject>
#include <QtCore/QString>
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
  void offerToStop(const QString& file, const std::shared_ptr<Progress>& progress);
  void report(const Error& error, const QString& topic);
  void finish(const QString& file, const Result<std::size_t>& bytes);

  static constexpr QLatin1String kPreparing{"prepare"};

  Messages& m_messages;
  std::map<QString, std::shared_ptr<Progress>> m_progress;  ///< by the file that is being written
  QTimer m_looks;                                           ///< at those that take long
  Background m_background;
};

}  // namespace ulp::views
