#include <QtCore/QFileInfo>
#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenuBar>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QToolBar>

#include "app/gui/main_window.h"
#include "app/gui/selection_bar.h"
#include "app/gui/window_settings.h"
#include "app/gui/window_tools.h"
#include "views/framework/action_catalog.h"
#include "views/framework/icon_size.h"
#include "views/framework/message_bar.h"

namespace ulp::app {

void MainWindow::makeFileActions() {
  views::Workspace& workspace = m_session.workspace();
  m_actions.add({.id = QStringLiteral("file.open"),
                 .text = tr("&Open…"),
                 .toolTip = tr("Open a report or a study"),
                 .icon = QStringLiteral("open"),
                 .shortcuts = {QKeySequence::Open},
                 .handler = [this] { askForFile(); }});
  m_actions.add({.id = QStringLiteral("file.open-folder"),
                 .text = tr("Open &folder…"),
                 .toolTip = tr("Open the folder of a run"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
                 .handler = [this] { askForFolder(); }});
  m_actions.add({.id = QStringLiteral("file.new"),
                 .text = tr("&New study"),
                 .toolTip = tr("Make a study from the template"),
                 .icon = QStringLiteral("new"),
                 .shortcuts = {QKeySequence::New},
                 .handler = [&workspace] { workspace.newStudy(); }});
  m_actions.add({.id = QStringLiteral("file.save"),
                 .text = tr("&Save study"),
                 .toolTip = tr("Save the open study"),
                 .icon = QStringLiteral("save"),
                 .shortcuts = {QKeySequence::Save},
                 .handler = [this] { saveStudy(); }});
  m_actions.add({.id = QStringLiteral("file.reload"),
                 .text = tr("&Reload report"),
                 .toolTip = tr("Read the open report again"),
                 .icon = QStringLiteral("reload"),
                 .shortcuts = {QKeySequence::Refresh},
                 .handler = [&workspace] { workspace.reload(); }});
  m_actions.add({.id = QStringLiteral("file.quit"),
                 .text = tr("&Quit"),
                 .toolTip = tr("Close the window"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                 .handler = [this] { close(); }});
}

void MainWindow::makeRunActions() {
  m_actions.add({.id = QStringLiteral("run.start"),
                 .text = tr("&Run study"),
                 .toolTip = tr("Save and run the open study"),
                 .icon = QStringLiteral("run"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_R)},
                 .handler = [this] { m_session.runs().launch(); }});
  m_actions.add({.id = QStringLiteral("run.stop"),
                 .text = tr("&Stop"),
                 .toolTip = tr("Stop what is running; what is finished stays"),
                 .icon = QStringLiteral("stop"),
                 .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_F5)},
                 .handler = [this] { stopRunning(); }});
}

void MainWindow::makeNavigationActions() {
  m_actions.add({.id = QStringLiteral("go.back"),
                 .text = tr("&Back"),
                 .toolTip = tr("Back to the previous selection"),
                 .icon = QStringLiteral("back"),
                 .shortcuts = {QKeySequence(Qt::ALT | Qt::Key_Left)},
                 .handler = [this] { m_session.selection().goBack(); }});
  m_actions.add({.id = QStringLiteral("go.forward"),
                 .text = tr("&Forward"),
                 .toolTip = tr("Forward to the next selection"),
                 .icon = QStringLiteral("forward"),
                 .shortcuts = {QKeySequence(Qt::ALT | Qt::Key_Right)},
                 .handler = [this] { m_session.selection().goForward(); }});
  m_actions.add({.id = QStringLiteral("view.default-layout"),
                 .text = tr("&Restore default layout"),
                 .toolTip = tr("Put all views back to their places"),
                 .icon = {},
                 .shortcuts = {},
                 .handler = [this] {
                   showWorkspace();
                   arrangeDocks();
                   updateDockTitles();
                 }});
}

void MainWindow::makeMenus() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->addAction(m_actions[QStringLiteral("file.open")]);
  file->addAction(m_actions[QStringLiteral("file.open-folder")]);
  QMenu* recent = file->addMenu(tr("Open r&ecent"));
  recent->setProperty(views::kFilledLater, true);
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(*recent); });
  file->addAction(m_actions[QStringLiteral("file.new")]);
  file->addAction(m_actions[QStringLiteral("file.save")]);
  file->addSeparator();
  file->addAction(m_actions[QStringLiteral("file.reload")]);
  file->addSeparator();
  m_tools->addToFileMenu(*file);
  file->addSeparator();
  file->addAction(m_actions[QStringLiteral("file.quit")]);
  QMenu* run = menuBar()->addMenu(tr("&Run"));
  run->addAction(m_actions[QStringLiteral("run.start")]);
  run->addAction(m_actions[QStringLiteral("run.stop")]);
  makeViewMenu();
  QMenu* go = menuBar()->addMenu(tr("&Go"));
  go->addAction(m_actions[QStringLiteral("go.back")]);
  go->addAction(m_actions[QStringLiteral("go.forward")]);
  go->addSeparator();
  m_tools->addToGoMenu(*go);
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  m_tools->addToHelpMenu(*help);
  help->addSeparator();
  help->addAction(tr("&About Ulpscope"), this, [this] {
    auto* box =
        new QMessageBox(QMessageBox::NoIcon,
                        tr("About Ulpscope"),
                        tr("Ulpscope %1\nWhere does a language model lose its bits?\n\nQt %2")
                            .arg(QApplication::applicationVersion(), QLatin1String(qVersion())),
                        QMessageBox::Close,
                        this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
  });
}

void MainWindow::makeViewMenu() {
  m_viewMenu = menuBar()->addMenu(tr("&View"));
  for (const Place& place : m_places) {
    m_viewMenu->addAction(m_actions[QStringLiteral("view.") + place.descriptor.id]);
  }
  QMenu* panels = m_viewMenu->addMenu(tr("&Panels"));
  for (const Place& place : m_places) {
    panels->addAction(place.dock->toggleViewAction());
  }
  m_viewMenu->addAction(m_actions[QStringLiteral("view.default-layout")]);
  m_viewMenu->addSeparator();
  QMenu* themes = m_viewMenu->addMenu(tr("&Theme"));
  auto* group = new QActionGroup(this);
  const auto addTheme = [&](const QString& text, views::ThemeChoice choice) {
    QAction* action = themes->addAction(text, this, [this, choice] { setTheme(choice); });
    action->setCheckable(true);
    action->setObjectName(QStringLiteral("theme.") + views::toText(choice));
    group->addAction(action);
    const auto sync = [this, action, choice] {
      action->setChecked(m_session.themes().choice() == choice);
    };
    connect(themes, &QMenu::aboutToShow, action, sync);
    sync();
  };
  addTheme(tr("As the &system"), views::ThemeChoice::System);
  addTheme(tr("&Light"), views::ThemeChoice::Light);
  addTheme(tr("&Dark"), views::ThemeChoice::Dark);
  addTheme(tr("&High contrast"), views::ThemeChoice::HighContrast);
}

void MainWindow::fillRecentMenu(QMenu& menu) {
  menu.clear();
  for (const QString& path : m_session.workspace().recentFiles()) {
    const bool exists = QFileInfo::exists(path);
    QAction* action = menu.addAction(
        exists ? path : tr("%1 (missing)").arg(path), this, [this, path] { open({path}); });
    action->setEnabled(exists);
  }
  if (menu.isEmpty()) {
    menu.addAction(tr("Nothing yet"))->setEnabled(false);
  }
}

void MainWindow::makeToolBar() {
  QToolBar* bar = addToolBar(tr("Toolbar"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  views::growIconsWithText(*bar);
  const auto addText = [this, bar](const QString& text) {
    auto* label = new QLabel(text, this);
    label->setContentsMargins(8, 0, 4, 0);
    bar->addWidget(label);
    return label;
  };
  for (const char* id : {"file.open", "file.new"}) {
    bar->addAction(m_actions[QLatin1String(id)]);
  }
  bar->addSeparator();
  for (const char* id : {"run.start", "run.stop"}) {
    bar->addAction(m_actions[QLatin1String(id)]);
  }
  bar->addSeparator();
  for (const char* id : {"go.back", "go.forward"}) {
    bar->addAction(m_actions[QLatin1String(id)]);
  }
  bar->addSeparator();
  auto* metric = new MetricBox(m_session.workspace(), m_session.selection(), this);
  addText(tr("&Metric"))->setBuddy(metric);
  bar->addWidget(metric);
  auto* pass = new PassBox(m_session.selection(), this);
  addText(tr("&Pass"))->setBuddy(pass);
  bar->addWidget(pass);
}

void MainWindow::makeMessageBar() {
  addToolBarBreak();
  QToolBar* bar = addToolBar(tr("Messages"));
  bar->setObjectName(QStringLiteral("messages"));
  bar->setMovable(false);
  bar->toggleViewAction()->setVisible(false);
  m_messages->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  QAction* action = bar->addWidget(m_messages);
  action->setVisible(false);
  bar->hide();
  connect(m_messages, &views::MessageBar::countChanged, this, [this, bar, action] {
    action->setVisible(m_messages->count() > 0);
    bar->setVisible(m_messages->count() > 0);
  });
  m_messages->setSeverityColors(m_session.themes().theme());
}

}  // namespace ulp::app
