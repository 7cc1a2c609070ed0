#pragma once

#include <functional>
#include <string>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "core/base/result.h"
#include "views/framework/threads/background.h"

namespace ulp::views {

class Messages;

/// Writes what leaves the program, on a thread of its own so that nothing else waits for it. What
/// has been written, and what went wrong, is said in the message bar.
class ExportJobs : public QObject {
  Q_OBJECT

 public:
  explicit ExportJobs(Messages& messages) : m_messages(messages) {}

  /// `make` runs on the thread; its result replaces the file atomically. A second job for the same
  /// file replaces the first.
  void writeFile(const QString& file, std::function<Result<std::string>()> make);
  /// `make` runs on the thread, `done` here with what it made. For the clipboard.
  template <class T>
  void prepare(QObject* receiver,
               std::function<Result<T>()> make,
               std::function<void(const T&)> done) {
    m_background.run<Result<T>>(
        QStringLiteral("prepare"),
        receiver,
        [make = std::move(make)](const std::stop_token&) { return make(); },
        [this, done = std::move(done)](const Result<T>& made) {
          if (made) {
            done(*made);
          } else {
            report(made.error());
          }
        });
  }
  [[nodiscard]] bool isIdle() const { return m_background.isIdle(); }

 Q_SIGNALS:
  void written(const QString& file);

 private:
  void report(const Error& error);
  void finish(const QString& file, const Result<std::size_t>& bytes);

  Messages& m_messages;
  Background m_background;
};

}  // namespace ulp::views
