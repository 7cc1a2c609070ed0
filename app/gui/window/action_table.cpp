#include "app/gui/window/action_table.h"

#include <QtGui/QAction>
#include <QtWidgets/QWidget>

#include "views/commands/shortcut_scheme.h"
#include "views/framework/look/icons.h"

namespace ulp::app {

QAction* ActionTable::add(const ActionSpec& spec) {
  auto* action = new QAction(spec.text, &m_owner);
  action->setObjectName(spec.id);
  if (!spec.icon.isEmpty()) {
    action->setIcon(views::themedIcon(spec.icon));
  }
  action->setShortcuts(spec.shortcuts);
  action->setStatusTip(spec.toolTip);
  views::showKeyInToolTip(*action);
  QObject::connect(action, &QAction::triggered, &m_owner, spec.handler);
  m_owner.addAction(action);
  m_actions.emplace(spec.id, action);
  return action;
}

void ActionTable::setEnabled(std::initializer_list<const char*> ids, bool isEnabled) const {
  for (const char* id : ids) {
    m_actions.at(QLatin1String(id))->setEnabled(isEnabled);
  }
}

void ActionTable::addTo(QWidget& bar, std::initializer_list<const char*> ids) const {
  for (const char* text : ids) {
    const QLatin1String id(text);
    if (id.isEmpty()) {
      auto* line = new QAction(&bar);
      line->setSeparator(true);
      bar.addAction(line);
    } else {
      bar.addAction(m_actions.at(id));
    }
  }
}

}  // namespace ulp::app
