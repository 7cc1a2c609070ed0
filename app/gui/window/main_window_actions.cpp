#include <QtCore/QFileInfo>
#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtGui/QUndoStack>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenuBar>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QToolBar>

#include "app/gui/bars/baseline_bar.h"
#include "app/gui/bars/selection_bar.h"
#include "app/gui/dumps/edit_mapping.h"
#include "app/gui/session/window_settings.h"
#include "app/gui/window/export_report.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/window_tools.h"
#include "views/commands/action_catalog.h"
#include "views/framework/look/icon_size.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/workspace/recently_opened.h"

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
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O)},
                 .handler = [this] { askForFolder(); }});
  m_actions.add({.id = QStringLiteral("file.new"),
                 .text = tr("&New study"),
                 .toolTip = tr("Make a study from the template"),
                 .icon = QStringLiteral("new"),
                 .shortcuts = {QKeySequence::New},
                 .handler = [&workspace] { workspace.study.openNew(); }});
  m_actions.add({.id = QStringLiteral("file.save"),
                 .text = tr("&Save study"),
                 .toolTip = tr("Save the open study"),
                 .icon = QStringLiteral("save"),
                 .shortcuts = {QKeySequence::Save},
                 .handler = [this] { saveStudy(); }});
  m_actions.add({.id = QStringLiteral("file.save-as"),
                 .text = tr("Save study &as…"),
                 .toolTip = tr("Save the open study under another name"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
                 .handler = [this] { saveStudyAs(); }});
  m_actions.add({.id = QStringLiteral("file.reload"),
                 .text = tr("&Reload report"),
                 .toolTip = tr("Read the open report again"),
                 .icon = QStringLiteral("reload"),
                 .shortcuts = {QKeySequence::Refresh},
                 .handler = [&workspace] { workspace.reports.reload(); }});
  m_actions.add({.id = QStringLiteral("file.export"),
                 .text = tr("&Export report…"),
                 .toolTip = tr("Write the open report as web page, PDF or tables"),
                 .icon = QStringLiteral("export"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)},
                 .handler = [this] { askToExportReport(m_session.context(), this); }});
  m_actions.add({.id = QStringLiteral("file.quit"),
                 .text = tr("&Quit"),
                 .toolTip = tr("Close the window"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                 .handler = [this] { close(); }});
}

void MainWindow::makeEditActions() {
  QUndoStack& history = m_session.workspace().study.history();
  QAction* undo = m_actions.add({.id = QStringLiteral("edit.undo"),
                                 .text = tr("&Undo"),
                                 .toolTip = tr("Take back the last change of the study"),
                                 .icon = {},
                                 .shortcuts = {QKeySequence::Undo},
                                 .handler = [&history] { history.undo(); }});
  QAction* redo = m_actions.add({.id = QStringLiteral("edit.redo"),
                                 .text = tr("&Redo"),
                                 .toolTip = tr("Make the change again that was taken back"),
                                 .icon = {},
                                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
                                               QKeySequence(Qt::CTRL | Qt::Key_Y)},
                                 .handler = [&history] { history.redo(); }});
  undo->setEnabled(false);
  redo->setEnabled(false);
  connect(&history, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
  connect(&history, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
  connect(&history, &QUndoStack::undoTextChanged, undo, [undo](const QString& step) {
    undo->setText(step.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(step));
  });
  connect(&history, &QUndoStack::redoTextChanged, redo, [redo](const QString& step) {
    redo->setText(step.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(step));
  });
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
  makeFindingActions();
}

void MainWindow::makeCompareActions() {
  views::SelectionContext& selection = m_session.selection();
  m_actions.add({.id = QStringLiteral("compare.add"),
                 .text = tr("&Add a report to compare…"),
                 .toolTip = tr("Compare the runs of another report with those that are open"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
                 .handler = [this] { askForReportBeside(); }});
  m_actions.add({.id = QStringLiteral("compare.baseline"),
                 .text = tr("Make the selected variant the &baseline"),
                 .toolTip = tr("Compare all runs with the selected variant"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::Key_B)},
                 .handler = [this, &selection] {
                   selection.selectBaseline(
                       selection.selection().run(),
                       relationFor(m_session.workspace().reports, selection.selection()));
                 }});
  m_actions.add(
      {.id = QStringLiteral("compare.reference"),
       .text = tr("Make the &reference the baseline"),
       .toolTip = tr("Compare all runs with the reference again"),
       .icon = {},
       .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_B)},
       .handler = [&selection] { selection.selectBaseline({}, views::Relation::Error); }});
  m_actions.add({.id = QStringLiteral("compare.relation"),
                 .text = tr("&Error, difference or ratio"),
                 .toolTip = tr("Show errors against the baseline, less its errors, or as "
                               "multiples of them"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::Key_D)},
                 .handler = [&selection] {
                   const views::Selection& now = selection.selection();
                   const int next = (static_cast<int>(now.relation) + 1) % 3;
                   selection.selectBaseline(now.baseline, static_cast<views::Relation>(next));
                 }});
  m_actions.add({.id = QStringLiteral("compare.mapping"),
                 .text = tr("Edit the &mapping of names…"),
                 .toolTip = tr("Match the names of the two dumps that are compared"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)},
                 .handler = [this] { editMapping(m_session.context(), this); }});
}

void MainWindow::makeFindingActions() {
  views::FindingNavigator& findings = m_session.findings();
  const auto add = [this](const char* id,
                          const QString& text,
                          const QString& toolTip,
                          const QKeySequence& key,
                          std::function<void()> handler) {
    m_actions.add({.id = QLatin1String(id),
                   .text = text,
                   .toolTip = toolTip,
                   .icon = {},
                   .shortcuts = {key},
                   .handler = std::move(handler)});
  };
  add("go.next-finding",
      tr("Next &finding"),
      tr("Select what the next finding is about"),
      Qt::Key_F8,
      [&findings] { findings.stepFinding(1); });
  add("go.previous-finding",
      tr("Previous findin&g"),
      tr("Select what the previous finding is about"),
      Qt::SHIFT | Qt::Key_F8,
      [&findings] { findings.stepFinding(-1); });
  add("go.next-non-finite",
      tr("Next &non-finite tensor"),
      tr("Select the variant's next tensor with NaN or infinite elements"),
      Qt::Key_N,
      [&findings] { findings.stepNonFinite(1); });
  add("go.previous-non-finite",
      tr("Previous non-f&inite tensor"),
      tr("Select the variant's previous tensor with NaN or infinite elements"),
      Qt::SHIFT | Qt::Key_N,
      [&findings] { findings.stepNonFinite(-1); });
  add("go.next-jump",
      tr("Next &jump"),
      tr("Select the next layer at which the variant's error jumps"),
      Qt::Key_J,
      [&findings] { findings.stepJump(1); });
  add("go.previous-jump",
      tr("Previous j&ump"),
      tr("Select the previous layer at which the variant's error jumps"),
      Qt::SHIFT | Qt::Key_J,
      [&findings] { findings.stepJump(-1); });
}

void MainWindow::makeMenus() {
  makeFileMenu();
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  edit->addAction(m_actions[QStringLiteral("edit.undo")]);
  edit->addAction(m_actions[QStringLiteral("edit.redo")]);
  QMenu* run = menuBar()->addMenu(tr("&Run"));
  run->addAction(m_actions[QStringLiteral("run.start")]);
  run->addAction(m_actions[QStringLiteral("run.add")]);
  run->addSeparator();
  run->addAction(m_actions[QStringLiteral("run.pause")]);
  run->addAction(m_actions[QStringLiteral("run.stop")]);
  makeViewMenu();
  QMenu* compare = menuBar()->addMenu(tr("&Compare"));
  for (const char* id : {"compare.add",
                         "compare.baseline",
                         "compare.reference",
                         "compare.relation",
                         "compare.mapping"}) {
    compare->addAction(m_actions[QLatin1String(id)]);
  }
  makeGoMenu();
  makeHelpMenu();
}

void MainWindow::makeFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->addAction(m_actions[QStringLiteral("file.open")]);
  file->addAction(m_actions[QStringLiteral("file.open-folder")]);
  QMenu* recent = file->addMenu(tr("Open r&ecent"));
  recent->setProperty(views::kFilledLater, true);
  recent->setObjectName(QStringLiteral("recent"));
  // Where the dumps of a pair lie: two pairs may have the same names.
  recent->setToolTipsVisible(true);
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(*recent); });
  file->addAction(m_actions[QStringLiteral("file.compare-dumps")]);
  file->addAction(m_actions[QStringLiteral("file.save-comparison")]);
  file->addSeparator();
  file->addAction(m_actions[QStringLiteral("file.new")]);
  file->addAction(m_actions[QStringLiteral("file.save")]);
  file->addAction(m_actions[QStringLiteral("file.save-as")]);
  file->addSeparator();
  file->addAction(m_actions[QStringLiteral("file.reload")]);
  file->addAction(m_actions[QStringLiteral("file.export")]);
  file->addSeparator();
  m_tools->addToFileMenu(*file);
  file->addSeparator();
  file->addAction(m_actions[QStringLiteral("file.quit")]);
}

void MainWindow::makeGoMenu() {
  QMenu* go = menuBar()->addMenu(tr("&Go"));
  go->addAction(m_actions[QStringLiteral("go.back")]);
  go->addAction(m_actions[QStringLiteral("go.forward")]);
  go->addSeparator();
  for (const char* id : {"go.next-finding",
                         "go.previous-finding",
                         "go.next-non-finite",
                         "go.previous-non-finite",
                         "go.next-jump",
                         "go.previous-jump"}) {
    go->addAction(m_actions[QLatin1String(id)]);
  }
  go->addSeparator();
  m_tools->addToGoMenu(*go);
}

void MainWindow::makeHelpMenu() {
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
  m_viewMenu->addSeparator();
  m_viewMenu->addAction(m_actions[QStringLiteral("bookmark.add")]);
  m_viewMenu->addAction(m_actions[QStringLiteral("view.another")]);
  m_viewMenu->addAction(m_actions[QStringLiteral("view.beside")]);
  m_viewMenu->addAction(m_actions[QStringLiteral("view.link")]);
  m_viewMenu->addAction(m_actions[QStringLiteral("view.lock")]);
  QMenu* panels = m_viewMenu->addMenu(tr("&Panels"));
  for (const Place& place : m_places) {
    panels->addAction(place.dock->toggleViewAction());
  }
  makeLayoutMenu();
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
  for (const QString& path : views::recentFiles(m_session.settings())) {
    const bool exists = QFileInfo::exists(path);
    QAction* action = menu.addAction(
        exists ? path : tr("%1 (missing)").arg(path), this, [this, path] { open({path}); });
    action->setEnabled(exists);
  }
  addRecentComparisons(menu);
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
  auto* metric = new MetricBox(m_session.workspace().reports, m_session.selection(), this);
  addText(tr("&Metric"))->setBuddy(metric);
  bar->addWidget(metric);
  auto* pass = new PassBox(m_session.selection(), this);
  addText(tr("&Pass"))->setBuddy(pass);
  bar->addWidget(pass);
  bar->addSeparator();
  auto* baseline = new BaselineBox(m_session.workspace().reports, m_session.selection(), this);
  addText(tr("&Baseline"))->setBuddy(baseline);
  bar->addWidget(baseline);
  bar->addWidget(new RelationBox(m_session.selection(), this));
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
