#include "app/gui/dock_title.h"

#include <QtGui/QAction>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QToolButton>

#include "views/framework/exhibit_menu.h"
#include "views/framework/icon_size.h"
#include "views/framework/icons.h"
#include "views/framework/view.h"
#include "views/framework/view_host.h"

namespace ulp::app {

DockTitle::DockTitle(const QString& title, QDockWidget* dock)
    : QWidget(dock), m_name(new QLabel(title, this)), m_layout(new QHBoxLayout(this)) {
  m_layout->setContentsMargins(8, 2, 4, 2);
  m_layout->setSpacing(4);
  m_layout->addWidget(m_name);
  m_layout->addStretch(1);
  QFont font = m_name->font();
  font.setBold(true);
  m_name->setFont(font);
  setMinimumHeight(fontMetrics().height() + 12);
}

void DockTitle::addControlsOf(const views::View& view) {
  for (QWidget* control : view.titleControls()) {
    m_layout->addWidget(control);
  }
  for (QAction* action : view.viewActions()) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    views::growIconsWithText(*button);
    button->setAccessibleName(action->text());
    m_layout->addWidget(button);
  }
  addExhibitMenu(view);
}

void DockTitle::addExhibitMenu(const views::View& view) {
  auto* exhibits = view.findChild<views::ExhibitMenu*>(QString(), Qt::FindDirectChildrenOnly);
  if (exhibits == nullptr) {
    return;
  }
  auto* button = new QToolButton(this);
  button->setObjectName(QStringLiteral("exhibits"));
  button->setIcon(views::themedIcon(QStringLiteral("export")));
  views::growIconsWithText(*button);
  button->setAutoRaise(true);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setToolTip(tr("Copy, export, show as table"));
  button->setAccessibleName(tr("Copy and export"));
  auto* menu = new QMenu(button);
  button->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, exhibits, [menu, exhibits] {
    menu->clear();
    qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    exhibits->fill(*menu);
  });
  m_layout->addWidget(button);
}

void DockTitle::addLock(views::ViewHost& host) {
  auto* button = new QToolButton(this);
  button->setObjectName(QStringLiteral("lock"));
  button->setIcon(views::themedIcon(QStringLiteral("lock")));
  views::growIconsWithText(*button);
  button->setAutoRaise(true);
  button->setCheckable(true);
  button->setToolTip(tr("Lock: stay with the report and selection that are shown now"));
  button->setAccessibleName(tr("Lock view"));
  connect(button, &QToolButton::toggled, &host, &views::ViewHost::setLocked);
  connect(&host, &views::ViewHost::lockedChanged, button, &QToolButton::setChecked);
  m_layout->addWidget(button);
}

void DockTitle::setNameShown(bool shown) {
  m_name->setVisible(shown);
}

}  // namespace ulp::app
