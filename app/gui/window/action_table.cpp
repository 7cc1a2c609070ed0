#include "app/gui/window/action_table.h"

#include <QtGui/QAction>
#include <QtWidgets/QWidget>

#include "views/framework/look/icons.h"

namespace ulp::app {

QAction* ActionTable::add(const ActionSpec& spec) {
  auto* action = new QAction(spec.text, &m_owner);
  action->setObjectName(spec.id);
  if (!spec.icon.isEmpty()) {
    action->setIcon(views::themedIcon(spec.icon));
  }
  action->setShortcuts(spec.shortcuts);
  const QString key = action->shortcut().toString(QKeySequence::NativeText);
  action->setToolTip(key.isEmpty() ? spec.toolTip
                                   : QStringLiteral("%1 (%2)").arg(spec.toolTip, key));
  action->setStatusTip(spec.toolTip);
  QObject::connect(action, &QAction::triggered, &m_owner, spec.handler);
  m_owner.addAction(action);
  m_actions.emplace(spec.id, action);
  return action;
}

}  // namespace ulp::app
