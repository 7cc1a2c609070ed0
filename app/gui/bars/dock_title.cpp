#include "app/gui/bars/dock_title.h"

#include <algorithm>

#include <QtCore/QEvent>
#include <QtGui/QAction>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QToolButton>

#include "views/framework/look/icons.h"
#include "views/framework/view/exhibit_menu.h"
#include "views/framework/view/view.h"
#include "views/framework/view/view_host.h"
#include "views/framework/view/viewport_link.h"
#include "views/framework/widgets/focus_return.h"
#include "views/framework/widgets/layouts.h"

namespace ulp::app {

DockTitle::DockTitle(const QString& title, QDockWidget* dock)
    : QWidget(dock),
      m_name(new QLabel(title, this)),
      m_layout(views::rowOf(this,
                            {m_name, views::BoxItem::stretch()},
                            {.margins = QMargins(8, 2, 4, 2), .spacing = 4})),
      m_more(new QToolButton(this)) {
  QFont font = m_name->font();
  font.setBold(true);
  m_name->setFont(font);
  setMinimumSize(1, fontMetrics().height() + 12);
  m_more->setObjectName(QStringLiteral("more"));
  views::setUpToolButton(*m_more, {.icon = QStringLiteral("menu"), .name = tr("More controls")});
  m_more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(m_more);
  m_more->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMore(*menu); });
  m_layout->addWidget(m_more);
  m_more->hide();
}

void DockTitle::addControlsOf(views::View& view) {
  for (QWidget* control : view.titleControls()) {
    m_layout->insertWidget(m_layout->count() - 1, control);
    QList<QComboBox*> boxes = control->findChildren<QComboBox*>();
    if (auto* box = qobject_cast<QComboBox*>(control)) {
      boxes << box;
    }
    for (QComboBox* box : boxes) {
      new views::FocusReturn(*box, &view);
    }
  }
  for (QAction* action : view.viewActions()) {
    auto* button = new QToolButton(this);
    views::setUpToolButton(*button, *action);
    add(button);
  }
  addExhibitMenu(view);
}

void DockTitle::add(QToolButton* button) {
  m_buttons.push_back(button);
  m_layout->insertWidget(m_layout->count() - 1, button);
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
  add(button);
  return button;
}

void DockTitle::fitButtons() {
  const auto widthOf = [this](const QWidget& widget) {
    return widget.sizeHint().width() + m_layout->spacing();
  };
  const QMargins margins = m_layout->contentsMargins();
  int room = width() - margins.left() - margins.right();
  for (int i = 0; i < m_layout->count(); ++i) {
    const QWidget* part = m_layout->itemAt(i)->widget();
    const auto* button = qobject_cast<const QToolButton*>(part);
    const bool isControl =
        button == nullptr || (button != m_more && !std::ranges::count(m_buttons, button));
    if (part != nullptr && isControl && !part->isHidden()) {
      room -= widthOf(*part);
    }
  }
  int wanted = 0;
  for (const QToolButton* button : m_buttons) {
    wanted += widthOf(*button);
  }
  const bool allFit = wanted <= room;
  room -= allFit ? 0 : widthOf(*m_more);
  for (QToolButton* button : m_buttons) {
    room -= widthOf(*button);
    button->setVisible(room >= 0 || allFit);
  }
  m_more->setVisible(!allFit);
}

void DockTitle::fillMore(QMenu& menu) const {
  menu.clear();
  for (QToolButton* button : m_buttons) {
    if (!button->isHidden()) {
      continue;
    }
    if (button->menu() != nullptr) {
      QAction* entry = menu.addAction(button->icon(), button->accessibleName());
      entry->setMenu(button->menu());
    } else if (button->defaultAction() != nullptr) {
      menu.addAction(button->defaultAction());
    } else {
      QAction* entry =
          menu.addAction(button->icon(), button->accessibleName(), button, &QToolButton::click);
      entry->setCheckable(button->isCheckable());
      entry->setChecked(button->isChecked());
    }
  }
}

bool DockTitle::event(QEvent* event) {
  const bool isHandled = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) {
    fitButtons();
  }
  return isHandled;
}

void DockTitle::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitButtons();
}

void DockTitle::setNameShown(bool shown) {
  m_name->setVisible(shown);
}

}  // namespace ulp::app
