#include <QtGui/QAction>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QInputDialog>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>

#include "app/gui/window/main_window.h"
#include "views/framework/view/view_registry.h"

namespace ulp::app {

using views::ViewLayout;

void MainWindow::makeLayoutActions() {
  const auto add = [this](const QString& id,
                          const QString& text,
                          const QString& toolTip,
                          Qt::Key key,
                          ViewLayout layout) {
    m_actions.add({.id = id,
                   .text = text,
                   .toolTip = toolTip,
                   .icon = {},
                   .shortcuts = {QKeySequence(Qt::CTRL | Qt::ALT | key)},
                   .handler = [this, layout] { arrange(layout); }});
  };
  add(QStringLiteral("layout.configure"),
      tr("&Configure"),
      tr("Layout for writing studies: editor, configurations and runs"),
      Qt::Key_1,
      ViewLayout::Configure);
  add(QStringLiteral("layout.analyse"),
      tr("&Analyse"),
      tr("Layout for reading reports: all views in their places"),
      Qt::Key_2,
      ViewLayout::Analyse);
  add(QStringLiteral("layout.inspect"),
      tr("&Inspect"),
      tr("Layout for single tensors: their elements and their numbers"),
      Qt::Key_3,
      ViewLayout::Inspect);
  m_actions.add({.id = QStringLiteral("layout.save"),
                 .text = tr("&Save layout as…"),
                 .toolTip = tr("Give the places of all views a name, to come back to them"),
                 .icon = {},
                 .shortcuts = {},
                 .handler = [this] { askToSaveLayout(); }});
}

void MainWindow::makeLayoutMenu() {
  QMenu* menu = m_viewMenu->addMenu(tr("La&yout"));
  menu->setObjectName(QStringLiteral("layouts"));
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    for (const char* id : {"layout.configure", "layout.analyse", "layout.inspect"}) {
      menu->addAction(m_actions[QLatin1String(id)]);
    }
    menu->addSeparator();
    for (const auto& [name, layout] : m_saved.layouts) {
      menu->addAction(name, this, [this, name = name] { applyLayout(name); });
    }
    menu->addAction(m_actions[QStringLiteral("layout.save")]);
    QMenu* remove = menu->addMenu(tr("&Remove"));
    remove->setEnabled(!m_saved.layouts.empty());
    for (const auto& [name, layout] : m_saved.layouts) {
      remove->addAction(name, this, [this, name = name] { m_saved.layouts.erase(name); });
    }
  });
  // A menu without actions cannot be opened by keyboard.
  Q_EMIT menu->aboutToShow();
}

void MainWindow::arrange(ViewLayout layout) {
  showWorkspace();
  m_isArranging = true;
  arrangeDocks(layout);
  finishArranging();
}

void MainWindow::askToSaveLayout() {
  auto* dialog = new QInputDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Save layout"));
  dialog->setLabelText(tr("Name of the layout. A layout of the same name is replaced."));
  connect(dialog, &QInputDialog::textValueSelected, this, &MainWindow::saveLayout);
  dialog->open();
}

void MainWindow::saveLayout(const QString& name) {
  if (!name.trimmed().isEmpty()) {
    showWorkspace();
    m_saved.layouts[name.trimmed()] = {.state = saveState(kLayoutVersion), .tabs = addedTabs()};
  }
}

void MainWindow::applyLayout(const QString& name) {
  const SavedLayout layout = m_saved.layouts.at(name);
  showWorkspace();
  m_isArranging = true;
  showTabs(layout.tabs);
  if (!restoreState(layout.state, kLayoutVersion)) {
    arrangeDocks();
  }
  finishArranging();
}

}  // namespace ulp::app
