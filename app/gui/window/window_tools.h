#pragma once

#include <functional>

#include <QtCore/QObject>

#include "app/gui/window/action_table.h"
#include "views/commands/shortcut_scheme.h"
#include "views/commands/single_keys.h"

class QMainWindow;

namespace ulp::views {
class PalettePopup;
class ReportDocument;
struct PaletteItem;
}  // namespace ulp::views

namespace ulp::app {

class HelpDesk;
class Session;

/// What serves the keyboard in a window: command palette, go to tensor, steps between tensors and
/// docks, the sheet of shortcuts and their scheme, help.
class WindowTools : public QObject {
  Q_OBJECT

 public:
  WindowTools(QMainWindow& window, ActionTable& actions, Session& session);

  /// Takes note of commands that have been made since; call it after menus and views are made.
  void adoptActions();

  [[nodiscard]] views::ShortcutScheme& shortcuts() { return m_shortcuts; }
  [[nodiscard]] views::SingleKeys& singleKeys() { return m_singleKeys; }

 Q_SIGNALS:
  /// A command of a view was chosen, or something in it: it should be seen.
  void viewWanted(const QString& id);

 private:
  /// From a site to another one; -1: none.
  using Step = std::function<int(const views::ReportDocument& document, int site)>;

  /// Moves the selection from the current tensor; does nothing without a report.
  [[nodiscard]] std::function<void()> moved(const Step& step);
  void makeActions();
  void makeHelpActions();
  void makeGoActions();
  void makeStepActions();
  void openCommands();
  void openTensors();
  void runCommand(const views::PaletteItem& item);
  void goTo(const views::PaletteItem& item);
  void goToSite(int site);
  void showSheet();
  void showSettings();
  views::PalettePopup& palette();

  QMainWindow& m_window;
  ActionTable& m_actions;
  Session& m_session;
  HelpDesk* m_help;
  views::ShortcutScheme m_shortcuts;
  views::SingleKeys m_singleKeys;
  views::PalettePopup* m_palette = nullptr;
};

}  // namespace ulp::app
