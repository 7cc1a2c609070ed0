#pragma once

#include "app/gui/window/action_table.h"

class QMainWindow;

namespace ulp::app {

class FileCommands;
class LayoutCommands;
class Session;
class ViewDocks;

/// What the menus of a window are made of.
struct MenuParts {
  QMainWindow& window;
  Session& session;
  const ActionTable& actions;
  const ViewDocks& docks;
  FileCommands& files;
  LayoutCommands& layouts;
};

/// Fills the menu bar. All actions must exist.
void makeMenus(const MenuParts& parts);
/// Adds the bar of commands, metric, pass and baseline.
void makeToolBar(QMainWindow& window, Session& session, const ActionTable& actions);

}  // namespace ulp::app
