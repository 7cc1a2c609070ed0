#include "views/framework/view/view.h"

#include <utility>

#include <QtGui/QAction>

#include "views/framework/look/icons.h"
#include "views/framework/threads/background.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {

void View::setPage(QWidget* page) {
  m_pages = new PageStack(this, page);
}

void View::showNoReport(const QString& text) {
  m_pages->showNoReport(text, m_context.workspace.requests);
}

QAction* View::makeAction(const ActionFace& face) {
  auto* action = new QAction(themedIcon(QLatin1String(face.icon)), face.text, this);
  action->setShortcut(face.key);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  if (!face.toolTip.isEmpty()) {
    action->setToolTip(face.toolTip);
  }
  addAction(action);
  return action;
}

QAction* View::makeTitleAction(const ActionFace& face) {
  return m_titleActions.emplaceBack(makeAction(face));
}

QAction* View::makeTitleSwitch(const ActionFace& face, bool isOn) {
  QAction* const toggle = makeTitleAction(face);
  toggle->setCheckable(true);
  toggle->setChecked(isOn);
  return toggle;
}

void View::keep(const char* key, QAction* toggle) {
  keep(
      key,
      [toggle] { return toggle->isChecked(); },
      [toggle](const QJsonValue& value) { toggle->setChecked(value.toBool(toggle->isChecked())); });
}

void View::keep(const char* key,
                std::function<QJsonValue()> save,
                std::function<void(const QJsonValue&)> restore) {
  m_kept.push_back({QLatin1String(key), std::move(save), std::move(restore)});
}

QString View::workTag(const char* what) const {
  return workTagOf(this, what);
}

QJsonObject View::saveState() const {
  QJsonObject state;
  for (const KeptPart& part : m_kept) {
    state[part.key] = part.save();
  }
  return state;
}

void View::restoreState(const QJsonObject& state) {
  for (const KeptPart& part : m_kept) {
    if (state.contains(part.key)) {
      part.restore(state[part.key]);
    }
  }
}

}  // namespace ulp::views
