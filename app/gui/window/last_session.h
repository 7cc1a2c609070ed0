#pragma once

#include <vector>

#include <QtCore/QObject>

#include "app/gui/session/saved_session.h"

class QMainWindow;

namespace ulp::app {

class LayoutCommands;
class Session;
class ViewDocks;

/// What a window comes back to at the next start: reads and writes the session's file, opens what
/// was open, and puts waiting studies back into the queue.
class LastSession : public QObject {
  Q_OBJECT

 public:
  LastSession(QMainWindow& window, Session& session, ViewDocks& docks, LayoutCommands& layouts);

  /// Brings back geometry, layout, view states and queue. A damaged file is set aside, one of a
  /// newer version left as it is.
  void restore();
  /// Opens report and study again, with the selection, unless the user does not want that.
  void reopen();
  /// Tells whether reopen() goes on: then the layout of the last session says what is in front.
  [[nodiscard]] bool isReopening() const { return m_isReopening; }
  void save();

 Q_SIGNALS:
  /// The user lets the studies run that waited.
  void queueResumed();

 private:
  /// Tells whether there is something at `path`; a message says so where it is gone.
  [[nodiscard]] bool isThere(const QString& path) const;
  /// Writes what is to be kept, with what other windows have written since. `before`: what this one
  /// found, or wrote last.
  [[nodiscard]] Result<> write(const SavedSession& before) const;
  void selectOnceShown();
  /// What waits in the queue, as it is kept for the next session.
  [[nodiscard]] std::vector<queue::JobRequest> waitingRequests() const;
  /// Puts back what waited; the queue is paused until the user says go.
  void restoreQueue();

  QMainWindow& m_window;
  Session& m_session;
  ViewDocks& m_docks;
  LayoutCommands& m_layouts;
  SavedSession m_saved;
  bool m_isReopening = false;
};

}  // namespace ulp::app
