#include "app/gui/dock_title.h"

#include <QtGui/QAction>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QToolButton>

#include "views/framework/icon_size.h"
#include "views/framework/view.h"

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
}

void DockTitle::setNameShown(bool shown) {
  m_name->setVisible(shown);
}

}  // namespace ulp::app
