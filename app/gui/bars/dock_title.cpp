#include "app/gui/bars/dock_title.h"

#include <QtGui/QAction>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QToolButton>

#include "views/framework/look/icons.h"
#include "views/framework/view/exhibit_menu.h"
#include "views/framework/view/view.h"
#include "views/framework/view/view_host.h"
#include "views/framework/view/viewport_link.h"
#include "views/framework/widgets/layouts.h"

namespace ulp::app {

DockTitle::DockTitle(const QString& title, QDockWidget* dock)
    : QWidget(dock),
      m_name(new QLabel(title, this)),
      m_layout(views::rowOf(this,
                            {m_name, views::BoxItem::stretch()},
                            {.margins = QMargins(8, 2, 4, 2), .spacing = 4})) {
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
    views::setUpToolButton(*button, *action);
    m_layout->addWidget(button);
  }
  addExhibitMenu(view);
}

void DockTitle::addExhibitMenu(const views::View& view) {
  auto* exhibits = view.findChild<views::ExhibitMenu*>(QString(), Qt::FindDirectChildrenOnly);
  if (exhibits == nullptr) {
    return;
  }
  QToolButton* button = addButton(QStringLiteral("exhibits"),
                                  {.icon = QStringLiteral("export"),
                                   .name = tr("Copy and export"),
                                   .toolTip = tr("Copy, export, show as table")});
  button->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(button);
  button->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, exhibits, [menu, exhibits] {
    menu->clear();
    qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    exhibits->fill(*menu);
  });
}

void DockTitle::addLock(views::ViewHost& host) {
  QToolButton* button =
      addButton(QStringLiteral("lock"),
                {.icon = QStringLiteral("lock"),
                 .name = tr("Lock view"),
                 .toolTip = tr("Lock: stay with the report and selection that are shown now")});
  button->setCheckable(true);
  connect(button, &QToolButton::toggled, &host, &views::ViewHost::setLocked);
  connect(&host, &views::ViewHost::lockedChanged, button, &QToolButton::setChecked);
}

void DockTitle::addLink(views::ViewHost& host, views::ViewportLink& link) {
  QToolButton* button = addButton(
      QStringLiteral("link"),
      {.icon = QStringLiteral("link"),
       .name = tr("Link zoom"),
       .toolTip = tr("Link zoom: zoom, pan and cursors follow those of the other linked tabs of "
                     "this view")});
  button->setCheckable(true);
  button->setChecked(link.isLinked(host));
  connect(
      button, &QToolButton::toggled, &link, [&host, &link](bool on) { link.setLinked(host, on); });
  connect(&link,
          &views::ViewportLink::linkedChanged,
          button,
          [button, &host](const views::ViewHost* changed, bool linked) {
            if (changed == &host) {
              button->setChecked(linked);
            }
          });
}

QToolButton* DockTitle::addButton(const QString& id, const views::ToolButtonFace& face) {
  auto* button = new QToolButton(this);
  button->setObjectName(id);
  views::setUpToolButton(*button, face);
  m_layout->addWidget(button);
  return button;
}

void DockTitle::setNameShown(bool shown) {
  m_name->setVisible(shown);
}

}  // namespace ulp::app
