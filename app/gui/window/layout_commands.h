#pragma once

#include <map>
#include <utility>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "app/gui/session/saved_session.h"
#include "app/gui/window/action_table.h"

class QMenu;

namespace ulp::app {

class ViewDocks;

/// The layouts of docks that the program brings and those that the user has named, as commands and
/// as a menu.
class LayoutCommands : public QObject {
  Q_OBJECT

 public:
  using Layouts = std::map<QString, SavedLayout>;  ///< by name

  LayoutCommands(QWidget& window, ActionTable& actions, ViewDocks& docks);

  void fillWhenOpened(QMenu& menu);
  [[nodiscard]] const Layouts& named() const { return m_named; }
  void setNamed(Layouts named) { m_named = std::move(named); }

 private:
  void fill(QMenu& menu);
  void askToSave();

  QWidget& m_window;
  ActionTable& m_actions;
  ViewDocks& m_docks;
  Layouts m_named;
};

}  // namespace ulp::app
