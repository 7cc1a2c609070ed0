#pragma once

#include <memory>

#include <QtWidgets/QMainWindow>

#include "app/gui/session/session.h"
#include "app/gui/window/action_table.h"
#include "app/gui/window/close_question.h"
#include "app/gui/window/file_commands.h"
#include "app/gui/window/last_session.h"
#include "app/gui/window/layout_commands.h"
#include "app/gui/window/view_docks.h"
#include "app/gui/window/window_commands.h"
#include "app/gui/window/window_tools.h"
#include "views/framework/widgets/message_bar.h"

namespace ulp::app {

class StartPage;

/// The window: makes its parts, each with its commands, and lets them know of each other. It knows
/// views only through the registry.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Session& session, QWidget* parent = nullptr);

  /// Opens files as FileCommands::open() does.
  void open(const QStringList& paths) { m_files->open(paths); }

  [[nodiscard]] const ActionTable& actions() const { return m_actions; }
  [[nodiscard]] views::MessageBar& messages() { return *m_messages; }
  [[nodiscard]] WindowTools& tools() { return *m_tools; }
  [[nodiscard]] ViewDocks& docks() { return *m_docks; }
  [[nodiscard]] LastSession& lastSession() { return *m_lastSession; }

 protected:
  /// Tabs of docks that have no room are scrolled: two letters of a name say nothing.
  void childEvent(QChildEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void connectStartPage();
  void connectRequests();
  void connectReports();
  void connectCommands();
  /// Shows the tab of the view without bringing it to the front.
  void offerPurpose(views::ViewPurpose purpose);
  void raisePurpose(views::ViewPurpose purpose);
  void updateTitle();

  Session& m_session;
  ActionTable m_actions;
  StartPage* m_start;
  views::MessageBar* m_messages;
  WindowTools* m_tools;
  FileCommands* m_files;
  WindowCommands* m_commands;
  std::unique_ptr<ViewDocks> m_docks;  ///< goes before the docks do
  LayoutCommands* m_layouts;
  LastSession* m_lastSession;
  CloseQuestion* m_closeQuestion;
};

}  // namespace ulp::app
