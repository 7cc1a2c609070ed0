#include "app/gui/window/layout_commands.h"

#include <QtGui/QAction>
#include <QtWidgets/QInputDialog>
#include <QtWidgets/QMenu>

#include "app/gui/window/view_docks.h"
#include "views/framework/words/literal_text.h"

namespace ulp::app {

using views::ViewLayout;

LayoutCommands::LayoutCommands(QWidget& window, ActionTable& actions, ViewDocks& docks)
    : QObject(&window), m_window(window), m_actions(actions), m_docks(docks) {
  const auto add = [this](const QString& id,
                          const QString& text,
                          const QString& toolTip,
                          Qt::Key key,
                          ViewLayout layout) {
    m_actions.add({.id = id,
                   .text = text,
                   .toolTip = toolTip,
                   .shortcuts = {QKeySequence(Qt::CTRL | Qt::ALT | key)},
                   .handler = [this, layout] { m_docks.arrange(layout); }});
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
                 .handler = [this] { askToSave(); }});
}

void LayoutCommands::fillWhenOpened(QMenu& menu) {
  connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { fill(menu); });
  // A menu without actions cannot be opened by keyboard.
  fill(menu);
}

void LayoutCommands::fill(QMenu& menu) {
  menu.clear();
  m_actions.addTo(menu, {"layout.configure", "layout.analyse", "layout.inspect", ""});
  for (const auto& [name, layout] : m_named) {
    menu.addAction(views::literalText(name), this, [this, name = name] {
      const SavedLayout chosen = m_named.at(name);
      m_docks.restore(chosen.state, chosen.tabs);
    });
  }
  m_actions.addTo(menu, {"layout.save"});
  QMenu* remove = menu.addMenu(tr("&Remove"));
  remove->setEnabled(!m_named.empty());
  for (const auto& [name, layout] : m_named) {
    remove->addAction(views::literalText(name), this, [this, name = name] { m_named.erase(name); });
  }
}

void LayoutCommands::askToSave() {
  auto* dialog = new QInputDialog(&m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Save layout"));
  dialog->setLabelText(tr("Name of the layout. A layout of the same name is replaced."));
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
    if (const QString name = text.trimmed(); !name.isEmpty()) {
      m_docks.showDocks();
      m_named[name] = {.state = m_docks.state(), .tabs = m_docks.addedTabs()};
    }
  });
  dialog->open();
}

}  // namespace ulp::app
