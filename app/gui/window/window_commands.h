#pragma once

#include <QtCore/QObject>

#include "app/gui/window/action_table.h"

namespace ulp::app {

class Session;

/// The commands that act on what is open: edits of the study, the queue, steps through selections
/// and findings, the baseline, bookmarks.
class WindowCommands : public QObject {
  Q_OBJECT

 public:
  WindowCommands(QWidget& window, ActionTable& actions, Session& session);

  /// Enables and disables the commands of the window as what is open and runs allows.
  void update();

 Q_SIGNALS:
  /// A bookmark was made: where they are listed should be seen.
  void bookmarked();

 private:
  void makeEditActions();
  void makeRunActions();
  void makeNavigationActions();
  void makeFindingActions();
  void makeCompareActions();
  void makeBookmarkActions();
  void askForHost();

  QWidget& m_window;
  ActionTable& m_actions;
  Session& m_session;
};

}  // namespace ulp::app
